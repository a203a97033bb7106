import { randomBytes } from "node:crypto";
import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Accounts } from "../accounts/accounts.js";
import type { Database } from "../database/database.js";
import type { ExchangeClient } from "../exchange/client.js";
import type { AccountModes } from "../identity/accountModes.js";
import { Users } from "../identity/users.js";
import type { OrderRateStore } from "../ports/orderRateStore.js";
import type { Reader } from "../reads/reader.js";
import type { Scheduler } from "../scheduler/scheduler.js";
import type { HaltStore } from "./halts/halt.js";
import { HaltFile, haltsPathOf, NO_HALT_STORE } from "./halts/haltStore.js";
import { Halts } from "./halts/halts.js";
import { SharedHalts } from "./halts/sharedHalts.js";
import { MemoryJournal } from "./journal/memoryJournal.js";
import { PostgresJournal } from "./journal/postgres/postgresJournal.js";
import { SqliteJournal, type SqliteJournalOptions } from "./journal/sqlite/sqliteJournal.js";
import type { WriteJournal } from "./journal/writeJournal.js";
import { LimitGate } from "./limits/limitGate.js";
import type { LimitBook } from "./limits/tradingLimits.js";
import { type Pictures, Usage } from "./limits/usage.js";
import { policyOf } from "./policies/index.js";
import { PositionModes } from "./positionModes.js";
import { Quotes } from "./quotes.js";
import type { WithdrawalRule } from "./rules/withdrawalAddresses.js";
import { Writer } from "./writer.js";

/** Writing to an exchange. */
export interface Writes {
  readonly writer: Writer;
  readonly journal: WriteJournal;
  readonly users: Users;
  readonly halts: Halts;
  readonly limits: LimitGate;
  readonly pictures: Pictures;
  readonly positionModes: PositionModes;
  readonly quotes: Quotes;
  /** Allowed destinations of withdrawals. */
  readonly withdrawals: WithdrawalRule;
  /** Replaces the allowed destinations from the next withdrawal on. */
  allowWithdrawalsTo(rule: WithdrawalRule): void;
  /** Returns a unique `clientOid`, within the alphabet and length of both API versions. */
  readonly newClientOid: () => string;
}

interface WritesOptions {
  /** File of the journal, or `:memory:`. */
  readonly journalPath: string;
  /** Database of the journal, instead of a file. */
  readonly database: Database | undefined;
  /** Name of this process in it. */
  readonly replicaName: string;
  /** Identifies the exchange's environment, because users differ between environments: a journal may contain several. */
  readonly realm: string;
  /** Its former name, from before entries had users. */
  readonly formerRealm: string;
  readonly deadlineMs: number;
  readonly withdrawals: WithdrawalRule;
  readonly limits: LimitBook;
  /** Whether writes that only reduce risk are sent when the journal cannot be written. */
  readonly cancelWithoutJournal: boolean;
  readonly instrumentation: Instrumentation;
}

/** Reported if a halt or its end could not be stored; it is lost at a restart. */
const HALT_NOT_STORED = "a halt of trading, or its end, could not be stored: it holds until this process ends";

/** Composes the parts of writing. The journal is opened, and anything sent or looked up, with the first write or `resume`. */
export function createWrites(
  parts: {
    readonly accounts: Accounts;
    readonly client: ExchangeClient;
    readonly reader: Reader;
    readonly scheduler: Scheduler;
    readonly modes: AccountModes;
    readonly clock: Clock;
    readonly orderRates: OrderRateStore;
  },
  { journalPath, database, replicaName, realm, formerRealm, withdrawals, limits, instrumentation, ...options }: WritesOptions,
): Writes {
  const { clock, orderRates } = parts;
  const sharedHalts = database && new SharedHalts(database);
  const journal =
    database === undefined
      ? fileJournal(journalPath, { realm, formerRealm, clock, instrumentation })
      : new PostgresJournal({
          ...{ database, realm, clock, instrumentation },
          // Unique, even for processes with the same name.
          owner: `${replicaName} ${randomBytes(9).toString("base64url")}`,
          writesTo: (endpoint) => policyOf(endpoint) !== undefined,
          onHalts: (version) => sharedHalts?.catchUp(version) ?? Promise.resolve(),
        });
  const users = new Users({
    ...parts,
    register: journal,
    onLearned: (account, user) => {
      halts.adopt(account, user);
      usage.adopt(users.namesOf(account), user);
    },
  });
  // Stored beside the journal, because a halt must be possible when the journal cannot be written.
  const haltStore = sharedHalts ?? haltFile(journalPath, clock);
  const halts = new Halts(haltStore, users, (error) => instrumentation.failure.publish({ error, what: HALT_NOT_STORED }));
  sharedHalts?.follow(halts);
  const usage = new Usage();
  let rule = withdrawals;
  const positionModes = new PositionModes(clock);
  const newClientOid = () => `xg-${randomBytes(14).toString("hex")}`;
  const figures = journal instanceof PostgresJournal ? journal : undefined;
  const gate = new LimitGate(limits, usage, orderRates, parts.client.exchangeClock, journal, figures);
  const judges = { halts, usage, limits: gate };
  return {
    writer: new Writer({
      ...{ ...parts, ...judges, journal, users, positionModes, instrumentation, newName: newClientOid },
      ...options,
    }),
    journal,
    users,
    halts,
    limits: gate,
    pictures: new Map(),
    positionModes,
    quotes: new Quotes(),
    get withdrawals() {
      return rule;
    },
    allowWithdrawalsTo: (next) => {
      rule = next;
    },
    newClientOid,
  };
}

const fileJournal = (path: string, options: Omit<SqliteJournalOptions, "path">): WriteJournal =>
  path === ":memory:" ? new MemoryJournal(options.clock) : new SqliteJournal({ path, ...options });

const haltFile = (journalPath: string, clock: Clock): HaltStore =>
  journalPath === ":memory:" ? NO_HALT_STORE : new HaltFile(haltsPathOf(journalPath), clock);
