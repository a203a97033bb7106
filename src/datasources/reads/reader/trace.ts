import type { OperationRecording, OperationToken, ReadCounts } from "../../../instrumentation/operationRecording.js";
import type { Validity } from "../cache/sharedCache.js";

/** Source of an answer: its own REST call, a shared call of another reader, the cache, or a live stream. */
export type ReadSource = "REST" | "SHARED" | "CACHE" | "STREAM";

/** One read, as clients see it. */
export interface TracedRead {
  readonly endpoint: string;
  readonly account: string | undefined;
  readonly source: ReadSource;
  /** Age of the answer when it was used, in ms. */
  readonly ageMs: number;
  /**
   * For an answer from an account's streams: when the lists behind it were last compared with the exchange, the earliest of these
   * times, exchange's time, Unix ms. Undefined for other answers.
   */
  readonly comparedAt?: number | undefined;
  /** Time that the call waited for rate budget, in ms. */
  readonly waitMs: number;
  readonly failed: boolean;
}

/** Maximum number of reads in a trace; further ones are counted. */
const MAX_TRACED = 500;

export class Trace implements OperationToken {
  /** Set when the operation starts, if it is recorded. */
  recording: OperationRecording | undefined = undefined;
  readonly reads: TracedRead[] = [];
  /** Calls sent to the exchange for this operation, including retries, without background refreshes. */
  upstreamCalls = 0;
  omitted = 0;
  readonly #standings: Validity[] = [];
  #isFleeting = false;

  /**
   * Whether the same operation would read the same data now. False once one of its reads is no longer fresh or was dropped, and
   * for an operation without reads, whose validity is unknown.
   */
  get holds(): boolean {
    return !this.#isFleeting && this.#standings.length > 0 && this.#standings.every((validity) => validity.holds());
  }

  /** Whether data that was read has been dropped since its call was sent. */
  get isInvalidated(): boolean {
    return this.#standings.some((validity) => validity.isDropped());
  }

  /** Number of reads, by source. */
  get sources(): ReadCounts {
    const sources: Partial<Record<ReadSource, number>> = {};
    for (const { source } of this.reads) sources[source] = (sources[source] ?? 0) + 1;
    return sources;
  }

  /** Counts a call that is about to be sent. */
  called(): void {
    this.upstreamCalls++;
  }

  /** Records a read. Without `validity` its answer is valid for this operation only. */
  add(read: TracedRead, validity?: Validity): void {
    if (this.reads.length < MAX_TRACED) this.reads.push(read);
    else this.omitted++;
    if (validity === undefined) this.markFleeting();
    else this.dependOn(validity);
  }

  /** The answer also depends on data that was known without a read. */
  dependOn(validity: Validity): void {
    if (this.#standings.length < MAX_TRACED) this.#standings.push(validity);
    else this.markFleeting();
  }

  /** The answer contains data that changes without notice: it is valid for this operation only. */
  markFleeting(): void {
    this.#isFleeting = true;
  }
}
