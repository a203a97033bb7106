import type { OperationRecording, OperationToken } from "../../instrumentation/events.js";
import type { Validity } from "../cache/sharedCache.js";

/** Where an answer came from: its own REST call, a call that another reader had under way, the cache, a live stream. */
export type Source = "REST" | "SHARED" | "CACHE" | "STREAM";

/** One read as its client may see it. */
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
export class Trace implements OperationToken {
  recording: OperationRecording | undefined = undefined;
  readonly reads: TracedRead[] = [];
  /** Calls sent to the exchange for this operation, repeated tries included, background refreshes not. */
  upstreamCalls = 0;
  omitted = 0;
  readonly #standings: Validity[] = [];
  #isFleeting = false;

  /**
   * Would the same operation read the same again? False once one of its reads has ceased to be fresh or has been
   * dropped, and for an operation that read nothing: nothing then says for how long its answer is good.
   */
  get holds(): boolean {
    return !this.#isFleeting && this.#standings.length > 0 && this.#standings.every((validity) => validity.holds());
  }

  /** Has something that was read been dropped since it was asked for? */
  get isInvalidated(): boolean {
    return this.#standings.some((validity) => validity.isDropped());
  }

  /** How often the operation read, by where the answers came from. */
  get sources(): Readonly<Partial<Record<Source, number>>> {
    const sources: Partial<Record<Source, number>> = {};
    for (const { source } of this.reads) sources[source] = (sources[source] ?? 0) + 1;
    return sources;
  }

  /** A call is about to be sent. */
  called(): void {
    this.upstreamCalls++;
  }

  /** An answer was handed over. Without a `standing` it is good for this operation alone. */
  add(read: TracedRead, validity?: Validity): void {
    if (this.reads.length < MAX_TRACED) this.reads.push(read);
    else this.omitted++;
    if (validity === undefined) this.markFleeting();
    else this.dependOn(validity);
  }

  /** The operation's answer rests on something that was known without a read. */
  dependOn(validity: Validity): void {
    if (this.#standings.length < MAX_TRACED) this.#standings.push(validity);
    else this.markFleeting();
  }

  /** The operation shows something that changes without notice: its answer is good for it alone. */
  markFleeting(): void {
    this.#isFleeting = true;
  }
}
