/** Where an answer came from: its own REST call, a call that another reader had under way, the cache, a live stream. */
export type Source = "REST" | "SHARED" | "CACHE" | "STREAM";

/** One read as its caller may see it. */
export interface TracedRead {
  readonly endpoint: string;
  readonly account: string | undefined;
  readonly source: Source;
  /** How old the answer was when it was handed over, ms. */
  readonly ageMs: number;
  /** How long the call waited for rate budget, ms. */
  readonly waitMs: number;
  readonly failed: boolean;
}

/** An operation that reads more often than this shows the first ones and counts the rest. */
const MAX_TRACED = 500;

/** What one operation read. */
export class Trace {
  readonly reads: TracedRead[] = [];
  /** Calls sent to the exchange for this operation, repeated tries included, background refreshes not. */
  upstreamCalls = 0;
  omitted = 0;

  /** A call is about to be sent. */
  called(): void {
    this.upstreamCalls++;
  }

  add(read: TracedRead): void {
    if (this.reads.length < MAX_TRACED) this.reads.push(read);
    else this.omitted++;
  }
}
