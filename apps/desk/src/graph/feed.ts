import type { Fault } from "./fault.js";

/** State of a panel's data. */
export interface Feed {
  readonly document: string;
  readonly variables: object;
  readonly phase: "loading" | "ready" | "failed";
  /** Time of the data, Unix ms; undefined before the first data. */
  readonly at: number | undefined;
  /** Source of the data, for example `REST` or `STREAM`. */
  readonly source: string;
  /** When its state from streams was last compared with the exchange, Unix ms; undefined if it has none, or it is not known. */
  readonly comparedAt?: number | undefined;
  /** The connection to the exchange, or to the gateway, is interrupted. */
  readonly stale: boolean;
  /** The reason of a temporary interruption. */
  readonly broken?: string | undefined;
  /** Time of the automatic retry after a fault, Unix ms. */
  readonly retryAt?: number | undefined;
  readonly faults: readonly Fault[];
  refresh(): void;
}

export interface DataFeed<Result> extends Feed {
  readonly data: Result | undefined;
}
