/** Number of reads of an operation, by source. */
export type ReadCounts = Readonly<Partial<Record<"REST" | "SHARED" | "CACHE" | "STREAM", number>>>;

/** The end of a call to the exchange. */
export interface CallEnd {
  /** `ok`, or why it failed, as in `OUTCOMES`. */
  readonly outcome: string;
  /** Wait for rate budget before it was sent, in ms. */
  readonly waitMs: number;
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  readonly error?: string | undefined;
  readonly resends: number;
}

/** The recording of one operation for traces. */
export interface OperationRecording {
  readonly traceId: string;
  /** A resolver that may call the exchange has started. `field`: type and name of the field; `settled` settles with it. */
  resolving(field: string, settled: Promise<unknown>): void;
  /** Makes the trace context (W3C) for the span of a write that is about to be recorded in the journal, which stores it. */
  newWrite(): string;
  /**
   * A call to the exchange leaves. Returns what is called at its end; undefined if it is not recorded.
   *
   * @param write trace context of the write that it sends
   */
  calling(endpoint: string, write?: string | null): ((end: CallEnd) => void) | undefined;
  /** The operation was executed; a subscription is open, or was refused. `errorCodes`: codes of the errors in its answer. */
  ended(errorCodes: readonly string[], reads: ReadCounts): void;
}

/** Identity of an operation from its start to its end. */
export interface OperationToken {
  /** Undefined if the operation is not recorded. */
  readonly recording?: OperationRecording | undefined;
}
