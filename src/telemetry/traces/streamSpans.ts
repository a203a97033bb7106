import type { Clock } from "@exchange-graph/contract/clock";
import { ROOT_CONTEXT, SpanKind, type Tracer } from "@opentelemetry/api";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";

/** A span with an event for each connection to the exchange's streams that has ended, and that another one takes the place of. */
export class StreamSpans {
  constructor(
    private readonly tracer: Tracer,
    private readonly clock: Clock,
  ) {}

  follow(events: Instrumentation): void {
    listen(events, events.disconnect, ({ end }) => {
      const now = this.clock.now();
      const span = this.tracer.startSpan("streams", { kind: SpanKind.INTERNAL, startTime: now }, ROOT_CONTEXT);
      span.addEvent("reconnect", { "exchange_graph.end": end }, now);
      span.end(now);
    });
  }
}
