import { type Attributes, type Link, type SpanContext, type SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { RandomIdGenerator, type ReadableSpan, type SpanProcessor, type TimedEvent } from "@opentelemetry/sdk-trace-base";

/** A span that has ended. Times are Unix times in ms. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly parent?: SpanContext | undefined;
  readonly isFailed?: boolean;
  readonly links?: Link[] | undefined;
  readonly event?: { readonly name: string; readonly attributes: Attributes };
}

/**
 * Hands ended spans to the exporter's queue. A span is made once, when it has ended: a span of the SDK's tracer, which is
 * open for changes and checks each of them, costs three times as much.
 */
export class SpanRecorder {
  readonly #ids = new RandomIdGenerator();

  constructor(
    private readonly queue: Pick<SpanProcessor, "onEnd">,
    private readonly resource: Resource,
  ) {}

  /** The context of a new span: in the trace of its parent, or in a trace of its own. */
  newContext(parent?: SpanContext): SpanContext {
    const traceId = parent?.traceId ?? this.#ids.generateTraceId();
    return { traceId, spanId: this.#ids.generateSpanId(), traceFlags: TraceFlags.SAMPLED };
  }

  record(span: EndedSpan, context: SpanContext = this.newContext(span.parent)): void {
    this.queue.onEnd(new RecordedSpan(span, context, this.resource));
  }
}

const NO_LINKS: Link[] = [];
const NO_EVENTS: TimedEvent[] = [];
const UNSET = { code: SpanStatusCode.UNSET };
const FAILED = { code: SpanStatusCode.ERROR };
const SCOPE = { name: "exchange-graph" };

/** An ended span in the shape that exporters read. */
class RecordedSpan implements ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly parentSpanContext?: SpanContext;
  readonly startTime: [number, number];
  readonly endTime: [number, number];
  readonly status: { readonly code: SpanStatusCode };
  readonly links: Link[];
  readonly events: TimedEvent[];
  readonly instrumentationScope = SCOPE;
  readonly ended = true;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;

  constructor(
    { name, kind, attributes, parent, startedAt, endedAt, isFailed = false, links = NO_LINKS, event }: EndedSpan,
    private readonly context: SpanContext,
    readonly resource: Resource,
  ) {
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
    if (parent !== undefined) this.parentSpanContext = parent;
    this.startTime = hrTime(startedAt);
    this.endTime = hrTime(endedAt);
    this.status = isFailed ? FAILED : UNSET;
    this.links = links;
    this.events = event === undefined ? NO_EVENTS : [{ ...event, time: this.endTime }];
  }

  get duration(): [number, number] {
    const nanos = (this.endTime[0] - this.startTime[0]) * 1e9 + this.endTime[1] - this.startTime[1];
    return [Math.trunc(nanos / 1e9), nanos % 1e9];
  }

  spanContext(): SpanContext {
    return this.context;
  }
}

/** A time in ms as seconds and the nanoseconds behind them. */
const hrTime = (ms: number): [number, number] => [Math.trunc(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
