import type { Origin } from "./events.js";
import type { OperationRecording, OperationToken } from "./operationRecording.js";

/** An operation starts. */
export interface OperationStart {
  readonly origin: Origin;
  readonly kind: "query" | "mutation" | "subscription";
  /** The operation name in the document. */
  readonly name: string | undefined;
}

/** A query was answered with the result of an equal one. */
export interface OperationReuse {
  readonly origin: Origin;
  /** The operation name in the document. */
  readonly name: string | undefined;
  /** `shared`: the other one was running; `kept`: it had ended. */
  readonly answer: "shared" | "kept";
  /** The operation that was executed. */
  readonly maker: OperationToken | undefined;
  /** Time waited for the result, in ms. */
  readonly waitedMs: number;
  /** Codes of the errors in the answer. */
  readonly errorCodes: readonly string[];
}

/**
 * Records operations for traces. It is called, and what it returns is passed on as a value: nothing depends on who listens to the
 * events of the instrumentation.
 */
export interface OperationRecorder {
  /** Called before an operation is executed. Undefined: it is not recorded. */
  begin(start: OperationStart): OperationRecording | undefined;
  /** Records a query that was answered with the result of an equal one. Returns its trace; undefined if it is not recorded. */
  reused(reuse: OperationReuse): string | undefined;
}
