import type { Origin } from "./events.js";
import type { OperationRecording, OperationToken } from "./operationRecording.js";

export interface OperationStart {
  readonly origin: Origin;
  readonly kind: "query" | "mutation" | "subscription";
  readonly name: string | undefined;
}

/** A query was answered with the result of an equal one. */
export interface OperationReuse {
  readonly origin: Origin;
  readonly name: string | undefined;
  /** `shared`: the other one was running; `kept`: it had ended. */
  readonly answer: "shared" | "kept";
  readonly maker: OperationToken | undefined;
  readonly waitedMs: number;
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
