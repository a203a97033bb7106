import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { HaltFile, type HaltStore, haltsPathOf, MemoryHalts } from "./halts/haltStore.js";
import { MemoryJournal } from "./journal/memoryJournal.js";
import { SqliteJournal } from "./journal/sqlite/sqliteJournal.js";
import type { WriteJournal } from "./journal/writeJournal.js";
import type { SharedFigures } from "./limits/sharedFigures.js";

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
