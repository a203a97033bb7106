import type { Fault } from "./fault.js";

/** What a panel knows about its data. */
export interface Feed {
  readonly document: string;
  readonly variables: object;
  readonly phase: "loading" | "ready" | "failed";
  /** When the data was so, Unix ms; undefined before the first. */
  readonly at: number | undefined;
  /** Where it came from, for example `REST` or `STREAM`. */
  readonly source: string;
  /** The line to the exchange, or to the gateway, is interrupted. */
  readonly stale: boolean;
  /** Why it is interrupted, in words. It goes on by itself. */
  readonly broken?: string | undefined;
  /** When it is asked again by itself after a fault, Unix ms. */
  readonly retryAt?: number | undefined;
  readonly faults: readonly Fault[];
  refresh(): void;
}

/** A feed with its data. */
export interface DataFeed<Result> extends Feed {
  readonly data: Result | undefined;
}
