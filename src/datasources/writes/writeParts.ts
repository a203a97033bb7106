import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Accounts, ExchangeClient, ExchangeClock, KnownUsers, Scheduler } from "../calls/index.js";
import type { AccountModes, Reader, Users } from "../reads/index.js";
import { HaltFile, type HaltStore, haltsPathOf, MemoryHalts } from "./halts/haltStore.js";
import type { Halts } from "./halts/halts.js";
import { MemoryJournal } from "./journal/memoryJournal.js";
import { SqliteJournal } from "./journal/sqlite/sqliteJournal.js";
import type { WriteJournal } from "./journal/writeJournal.js";
import type { LimitGate } from "./limits/limitGate.js";
import type { SharedFigures } from "./limits/sharedFigures.js";
import type { Usage } from "./limits/usage.js";
import type { PositionModes } from "./positionModes.js";

/** Stores of writes and halts. They outlive the process, and several processes may share them. */
export interface WriteStores {
  readonly journal: WriteJournal;
  /** Beside the journal, because a halt must be possible when the journal cannot be written. */
  readonly halts: HaltStore;
  /** Use of limits by all processes that share the journal; undefined if it is not shared. */
  readonly figures?: SharedFigures | undefined;
}

interface WriteStoreContext {
  readonly clock: Clock;
  /** Identifies the exchange's environment, because users differ between environments: a journal may contain several. */
  readonly realm: string;
  readonly instrumentation: Instrumentation;
  /** Returns a unique text. */
  readonly newId: () => string;
}

export type OpenWriteStores = (context: WriteStoreContext) => WriteStores;

/** A journal file with a file of halts beside it; with the path `:memory:` both are lost with the process. */
export const fileStores =
  (path: string): OpenWriteStores =>
  (context) =>
    path === ":memory:"
      ? { journal: new MemoryJournal(context.clock), halts: new MemoryHalts() }
      : { journal: new SqliteJournal({ path, ...context }), halts: new HaltFile(haltsPathOf(path), context.clock) };

/** Dependencies of writing. Each step of a write declares those that it uses. */
export interface WriteParts {
  readonly accounts: Accounts;
  readonly client: ExchangeClient;
  readonly exchangeClock: ExchangeClock;
  readonly reader: Reader;
  readonly scheduler: Scheduler;
  readonly modes: AccountModes;
  readonly positionModes: PositionModes;
  readonly clock: Clock;
  readonly journal: WriteJournal;
  readonly users: Users;
  readonly knownUsers: Pick<KnownUsers, "idOf" | "accountsOf">;
  readonly halts: Halts;
  readonly usage: Usage;
  readonly limits: Pick<LimitGate, "dayBroken" | "applyTo" | "inForce">;
  /** Whether writes that only reduce risk are sent when the journal cannot be written. */
  readonly cancelWithoutJournal: boolean;
  /** Returns a unique text. */
  readonly newName: () => string;
  /** Maximum time that a client waits for the exchange's answer; after a lost one, half of it for a look-up. */
  readonly deadlineMs: number;
  readonly instrumentation: Instrumentation;
}
