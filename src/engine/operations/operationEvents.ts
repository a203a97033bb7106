import type { Clock } from "@exchange-graph/contract/clock";
import type { Trace } from "../../datasources/reads/reader/trace.js";
import type { OperationReuse, OperationStart, Origin } from "../../instrumentation/events.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Result } from "../answers/result.js";

/** Kind and name of an operation. */
type Named = Pick<OperationStart, "kind" | "name">;
/** A result that was made for another operation. */
type Made = Pick<Result, "name" | "trace" | "errorCodes">;

/** The code of internal errors. */
export const INTERNAL: readonly string[] = ["INTERNAL_SERVER_ERROR"];

/** Publishes the events of operations, if there are subscribers. */
export class OperationEvents {
  constructor(
    private readonly instrumentation: Instrumentation,
    private readonly clock: Clock,
  ) {}

  started(trace: Trace, { kind, name }: Named, origin: Origin): void {
    const { operationStart } = this.instrumentation;
    if (operationStart.hasSubscribers) operationStart.publish({ operation: trace, origin, kind, name });
  }

  ended(trace: Trace, errorCodes: readonly string[]): void {
    if (trace.recording !== undefined)
      this.instrumentation.operationEnd.publish({ operation: trace, errorCodes, reads: trace.sources });
  }

  /** A query was answered with a kept result. */
  kept(made: Made, originOf: () => Origin): void {
    const { operationReuse } = this.instrumentation;
    if (operationReuse.hasSubscribers) operationReuse.publish(reuseOf(made, "kept", originOf(), 0));
  }

  /** A query waits for an equal one. `isRun`: whether it was executed itself in the end. */
  joined(result: Promise<Result>, name: string | undefined, origin: Origin, isRun: () => boolean): void {
    const { operationReuse } = this.instrumentation;
    if (!operationReuse.hasSubscribers) return;
    const joinedAt = this.clock.now();
    const answered = (made: Made): void => {
      if (!isRun()) operationReuse.publish(reuseOf(made, "shared", origin, this.clock.now() - joinedAt));
    };
    result.then(answered, () => answered({ name, trace: undefined, errorCodes: INTERNAL }));
  }
}

const reuseOf = (
  { name, trace, errorCodes }: Made,
  answer: OperationReuse["answer"],
  origin: Origin,
  waitedMs: number,
): OperationReuse => ({ origin, name, answer, maker: trace, waitedMs, errorCodes });
