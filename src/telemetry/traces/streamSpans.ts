import type { Clock } from "@exchange-graph/contract/clock";
import { SpanKind } from "@opentelemetry/api";
import type { Disconnect } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import type { SpanRecorder } from "./spanRecorder.js";

/** A span with an event for each connection to the exchange's streams that has ended, and that another one takes the place of. */
export class StreamSpans {
  constructor(
    private readonly recorder: SpanRecorder,
    private readonly clock: Clock,
  ) {}

  /** Gives what ends it. */
  follow(events: Instrumentation): readonly (() => void)[] {
    return [listen(events, events.disconnect, ({ end }) => this.#disconnected(end))];
  }

  #disconnected(end: Disconnect["end"]): void {
    const now = this.clock.now();
    const event = { name: "reconnect", attributes: { "exchange_graph.end": end } };
    this.recorder.record({ name: "streams", kind: SpanKind.INTERNAL, startedAt: now, endedAt: now, attributes: {}, event });
  }
}
