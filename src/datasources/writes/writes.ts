import { QUOTE_VALIDITY_MS, type Quotation } from "@exchange-graph/contract/convert";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { ExchangeAccount, KnownUsers } from "../calls/index.js";
import { type ArgumentViolation, growingLru } from "../errors/index.js";
import type { RequestReads } from "../reads/index.js";
import { HaltCancels } from "./halts/haltCancels.js";
import { Halts } from "./halts/halts.js";
import { LimitGate } from "./limits/limitGate.js";
import { LimitsInForce } from "./limits/limitsInForce.js";
import type { OrderRateStore } from "./limits/orderRates.js";
import type { LimitBook } from "./limits/tradingLimits.js";
import { type RiskSnapshots, Usage } from "./limits/usage.js";
import { isEqual } from "./policies/evidence.js";
import { PositionModes } from "./positionModes.js";
import type { WithdrawalRule } from "./rules/withdrawalRules.js";
import { SwitchKeeper } from "./switchKeeper.js";
import type { WriteParts, WriteStores } from "./writeParts.js";
import type { WriteAuthor } from "./writePlan.js";
import { Writer } from "./writer.js";

type Terms = Pick<Quotation, "traceId" | "fromCoin" | "fromAmount" | "toCoin" | "toAmount" | "price">;

/** Maximum number of open quotations; they are short-lived. */
const MAX_QUOTES = 10_000;

/** The quotations that this gateway has returned, for checking conversions before they are sent. */
class ConvertQuotes {
  readonly #quotes = growingLru<{ readonly quote: Terms; readonly issuedAt: number }>(MAX_QUOTES);

  /** `now` is the exchange's time after the quotation has arrived. */
  remember(account: ExchangeAccount, quote: Terms, now: number): void {
    this.#quotes.set(keyOf(account, quote), { quote, issuedAt: now });
  }

  /** Violations of a conversion. A quotation from elsewhere is checked by the exchange only. */
  brokenBy(account: ExchangeAccount, terms: Terms, now: number): ArgumentViolation[] {
    const issued = this.#quotes.get(keyOf(account, terms));
    if (issued === undefined) return [];
    if (now > issued.issuedAt + QUOTE_VALIDITY_MS)
      return [
        { argument: "traceId", rule: `must be a quotation of the last ${QUOTE_VALIDITY_MS / 1000} seconds; ask for a new one` },
      ];
    const { quote } = issued;
    const altered = (["fromAmount", "toAmount", "price"] as const).filter((field) => !isEqual(terms[field], quote[field]));
    const swapped = (["fromCoin", "toCoin"] as const).filter((field) => inCapitals(terms[field]) !== inCapitals(quote[field]));
    return [...altered, ...swapped].map((argument) => ({ argument, rule: `must be as quoted: ${quote[argument]}` }));
  }
}

const keyOf = ({ name }: ExchangeAccount, { traceId }: Terms): string => `${name}/${traceId}`;

interface WritesOptions extends Pick<WriteParts, "deadlineMs" | "cancelWithoutJournal" | "instrumentation"> {
  readonly withdrawals: WithdrawalRule;
  readonly limits: LimitBook;
}

/** Reported if a halt or its end could not be stored. The halt is in force; unless it can be stored later, a restart ends it. */
const HALT_NOT_STORED = "a halt of trading, or its end, could not be stored: this process stays halted";

/** Composes the parts of writing. The journal is opened, and anything sent or looked up, with the first write or `resume`. */
export function createWrites(
  parts: Pick<WriteParts, "accounts" | "client" | "reader" | "scheduler" | "modes" | "users" | "clock"> & {
    readonly knownUsers: KnownUsers;
    readonly orderRates: OrderRateStore;
    readonly stores: WriteStores;
    /** Returns a unique text of at most 29 letters and digits. */
    readonly newId: () => string;
  },
  { withdrawals, limits, instrumentation, ...options }: WritesOptions,
) {
  const { clock, orderRates, newId, users } = parts;
  const { journal, halts: haltStore, figures } = parts.stores;
  const { exchangeClock } = parts.client;
  const halts = new Halts(haltStore, users, (error) => instrumentation.failure.publish({ error, what: HALT_NOT_STORED }));
  const usage = new Usage();
  const riskSnapshots: RiskSnapshots = new Map();
  let rule = withdrawals;
  const positionModes = new PositionModes(clock, (account) => parts.knownUsers.idOf(account));
  const newClientOid = () => `xg-${newId()}`;
  const inForce = new LimitsInForce(limits, { ...parts, users, report: (event) => instrumentation.limits.publish(event) });
  parts.accounts.onChange(() => inForce.review());
  // Once a user is known, everything that is kept under its placeholders becomes its own.
  parts.knownUsers.onLearned((account, user) => {
    halts.adopt(account, user);
    usage.adopt(users.known.namesOf(account), user);
    inForce.review();
  });
  const gate = new LimitGate(inForce, usage, orderRates, exchangeClock, journal, figures);
  const judges = { halts, usage, limits: gate };
  const writer = new Writer({
    ...{ ...parts, ...judges, exchangeClock, journal, users, positionModes, instrumentation, newName: newClientOid },
    ...options,
  });
  const haltCancels = new HaltCancels({ ...parts, halts, journal, exchangeClock, instrumentation });
  const switches = new SwitchKeeper({ ...parts, journal, users, instrumentation, writer });
  return {
    writer,
    switches,
    journal,
    users,
    halts,
    haltCancels,
    limits: gate,
    riskSnapshots,
    positionModes,
    quotes: new ConvertQuotes(),
    get withdrawals() {
      return rule;
    },
    /** Replaces the allowed destinations from the next withdrawal on. */
    allowWithdrawalsTo: (next: WithdrawalRule) => {
      rule = next;
    },
    /** Returns a unique `clientOid`, within the alphabet and length of both API versions. */
    newClientOid,
  };
}

export type Writes = ReturnType<typeof createWrites>;

/** The writes of one request, with the reads that plan them. */
export class RequestWrites {
  constructor(
    readonly writes: Writes,
    readonly reads: RequestReads,
    /** The client that writes. Default: none. */
    readonly author?: WriteAuthor,
  ) {}
}
