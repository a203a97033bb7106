import type { Clock } from "@exchange-graph/contract/clock";
import type { Origin } from "../../instrumentation/events.js";
import type { OperationRecorder, OperationReuse, OperationStart } from "../../instrumentation/recorder.js";
import type { OperationRecording } from "../../instrumentation/recording.js";
import type { Result } from "../answers/result.js";

/** Kind and name of an operation. */
type Named = Pick<OperationStart, "kind" | "name">;

/** The code of internal errors. */
export const INTERNAL: readonly string[] = ["INTERNAL_SERVER_ERROR"];

/** The records of operations for traces. Without a recorder nothing is recorded. */
export class OperationRecords {
  constructor(
    private readonly recorder: OperationRecorder | undefined,
    private readonly clock: Clock,
  ) {}

  /** The recording of an operation that starts, and its origin, which names its trace. */
  begin({ kind, name }: Named, origin: Origin): { readonly recording: OperationRecording | undefined; readonly origin: Origin } {
    const recording = this.recorder?.begin({ origin, kind, name });
    return { recording, origin: tracedBy(origin, recording?.traceId) };
  }

  /** The result for a query that is answered with a kept one. */
  kept(result: Result, caller: { readonly origin: Origin }): Result {
    return this.recorder === undefined ? result : reused(this.recorder, result, "kept", caller.origin, 0);
  }

  /** The result for a query that waits for an equal one. `isRun`: whether it was executed itself in the end. */
  joined(result: Promise<Result>, name: string | undefined, origin: Origin, isRun: () => boolean): Promise<Result> {
    return this.recorder === undefined ? result : this.#joined(this.recorder, result, name, origin, isRun);
  }

  async #joined(
    recorder: OperationRecorder,
    result: Promise<Result>,
    name: string | undefined,
    origin: Origin,
    isRun: () => boolean,
  ): Promise<Result> {
    const joinedAt = this.clock.now();
    const waitedMs = (): number => this.clock.now() - joinedAt;
    try {
      const made = await result;
      return isRun() ? made : reused(recorder, made, "shared", origin, waitedMs());
    } catch (error) {
      if (!isRun())
        recorder.reused({ origin, name, answer: "shared", maker: undefined, waitedMs: waitedMs(), errorCodes: INTERNAL });
      throw error;
    }
  }
}

function reused(
  recorder: OperationRecorder,
  result: Result,
  answer: OperationReuse["answer"],
  origin: Origin,
  waitedMs: number,
): Result {
  const { name, trace, errorCodes } = result;
  const traceId = recorder.reused({ origin, name, answer, maker: trace, waitedMs, errorCodes });
  return traceId === result.traceId ? result : { ...result, traceId };
}

/** The origin of an operation with this trace. */
export const tracedBy = (origin: Origin, traceId: string | undefined): Origin =>
  traceId === undefined ? origin : { ...origin, traceId };
