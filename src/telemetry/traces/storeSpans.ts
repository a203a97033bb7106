import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { StoreCall } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import { traceparentOf } from "../../instrumentation/traceparent.js";
import type { Sampling } from "./sampling.js";
import type { SpanRecorder } from "./spanRecorder.js";

/**
 * A span for each statement of PostgreSQL and each script of Redis. The statement that records a write is a child of the write's
 * span. Others serve several operations at once, or none: they are traces of their own, sampled like operations.
 */
export class StoreSpans {
  constructor(
    private readonly recorder: SpanRecorder,
    private readonly now: () => number,
    private readonly isSampled: Sampling,
  ) {}

  /** Returns a function that stops it. */
  follow(events: Instrumentation): () => void {
    return listen(events, events.storeCall, (call) => this.#ended(call));
  }

  #ended({ store, what, tookMs, failure, traceparent }: StoreCall): void {
    const parent = traceparent ? traceparentOf(traceparent) : undefined;
    if (parent === undefined && !this.isSampled(undefined)) return;
    const endedAt = this.now();
    const attributes: Attributes = {
      "db.system.name": store,
      "db.operation.name": store === "redis" ? "EVALSHA" : what,
      "db.stored_procedure.name": store === "redis" ? what : undefined,
      "error.type": failure,
    };
    const times = { startedAt: endedAt - tookMs, endedAt };
    this.recorder.record({
      name: `${store} ${what}`,
      kind: SpanKind.CLIENT,
      parent,
      ...times,
      attributes,
      isFailed: failure !== undefined,
    });
  }
}
