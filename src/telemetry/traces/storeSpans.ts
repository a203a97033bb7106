import { SpanKind } from "@opentelemetry/api";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import { traceparentOf } from "../../instrumentation/traceparent.js";
import type { Sampling } from "./sampling.js";
import type { SpanRecorder } from "./spanRecorder.js";

/**
 * Records a span for each statement of PostgreSQL and each script of Redis. The statement that records a write is a child of the
 * write's span. Others serve several operations at once, or none: they are traces of their own, sampled like operations. Returns a
 * function that stops it.
 */
export const followStores = (events: Instrumentation, recorder: SpanRecorder, now: () => number, isSampled: Sampling) =>
  listen(events, events.storeCall, ({ store, what, tookMs, failure, traceparent }) => {
    const parent = traceparent ? traceparentOf(traceparent) : undefined;
    if (parent === undefined && !isSampled(undefined)) return;
    const endedAt = now();
    const attributes = {
      "db.system.name": store,
      "db.operation.name": store === "redis" ? "EVALSHA" : what,
      "db.stored_procedure.name": store === "redis" ? what : undefined,
      "error.type": failure,
    };
    const span = { name: `${store} ${what}`, kind: SpanKind.CLIENT, parent, attributes, isFailed: failure !== undefined };
    recorder.record({ ...span, startedAt: endedAt - tookMs, endedAt });
  });
