import type { Clock } from "@exchange-graph/contract/clock";

/** Interval of the points of a curve: all recorded ones, or the last one of each hour or day. */
const RESOLUTIONS = ["MINUTE", "HOUR", "DAY"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** What is stored of a user at a time: the points of its curve, and its reconciled days. */
export const SERIES = [...RESOLUTIONS, "RECONCILED"] as const;
export type Series = (typeof SERIES)[number];

/** A point of an account's curve as it is stored. Accounts are identified by the exchange's user: names may change. */
export interface StoredPoint {
  readonly user: string;
  readonly resolution: Series;
  /** The end of its interval, Unix ms. */
  readonly at: number;
  /** JSON; amounts in it are decimal text. */
  readonly body: string;
}

/** A record of the money history as it is stored. */
export interface StoredRecord {
  readonly user: string;
  /** When the balance changed, Unix ms. */
  readonly at: number;
  /** Unique for a user and time. */
  readonly id: string;
  readonly body: string;
}

/** A stored fact about a user, by name. */
interface StoredNote {
  readonly user: string;
  readonly name: string;
  readonly body: string;
}

/** Everything that is written at once: all of it is stored, or nothing. What is stored already is replaced. */
export interface HistoryBatch {
  readonly points?: readonly StoredPoint[];
  readonly records?: readonly StoredRecord[];
  readonly notes?: readonly StoredNote[];
}

/** Rows after `after`, up to `to`, both Unix ms, the earliest first, `limit` at most. */
export interface StoredRange {
  readonly after: number;
  readonly to: number;
  readonly limit: number;
}

/** Rows up to these times (Unix ms) are deleted, by their kind. */
export type KeptFrom = Readonly<Record<Series | "RECORD", number>>;

/**
 * Stores the history of accounts, beside the journal. Several processes may share it, and one of them holds it to record.
 * Methods reject with an `Error` while it cannot be used: a curve then has a gap, and nothing else depends on it.
 */
export interface HistoryStore {
  /** Takes or renews the right to record for this long (ms); false while another process has it. */
  hold(holder: string, forMs: number): Promise<boolean>;
  /** Gives the right up, so that another process can take it at once. */
  release(holder: string): Promise<void>;
  write(batch: HistoryBatch): Promise<void>;
  points(user: string, resolution: Series, span: StoredRange): Promise<readonly StoredPoint[]>;
  /** The last point up to this time. */
  lastPoint(user: string, resolution: Series, to: number): Promise<StoredPoint | undefined>;
  /** Records in the order of time, then of `id`. `afterId`: those of the time `after` behind this one are included. */
  records(user: string, span: StoredRange, afterId?: string): Promise<readonly StoredRecord[]>;
  note(user: string, name: string): Promise<string | undefined>;
  prune(keptFrom: KeptFrom): Promise<void>;
  close(): Promise<void>;
}

export interface HistoryStoreContext {
  readonly clock: Clock;
  /** Identifies the exchange's environment: a store may contain several. */
  readonly realm: string;
}

/** Opens a store. Nothing is read or written before the first call. */
export type OpenHistoryStore = (context: HistoryStoreContext) => HistoryStore;
