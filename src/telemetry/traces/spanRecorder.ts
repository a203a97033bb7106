import {
  type Attributes,
  type HrTime,
  type Link,
  type SpanContext,
  type SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { RandomIdGenerator, type ReadableSpan, type SpanProcessor, type TimedEvent } from "@opentelemetry/sdk-trace-base";

/** An ended span. Times are Unix times in ms. */
interface EndedSpan {
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
 * Passes ended spans to the exporter's queue. A span is created once, at its end: a span of the SDK's tracer, which can be
 * changed and checks each change, costs three times as much.
 */
export class SpanRecorder {
  readonly #ids = new RandomIdGenerator();

  constructor(
    private readonly queue: Pick<SpanProcessor, "onEnd">,
    private readonly resource: Resource,
  ) {}

  /** The context of a new span: in the trace of its parent, or in a new trace. */
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
/** The instrumentation scope of all spans. */
export const SCOPE = { name: "exchange-graph" } as const;

/**
 * An ended span in the form that exporters read. It has few objects, because spans in a full queue survive young garbage
 * collections.
 */
class RecordedSpan implements ReadableSpan {
  readonly ended = true;
  readonly instrumentationScope = SCOPE;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;

  readonly parentSpanContext?: SpanContext;

  constructor(
    private readonly span: EndedSpan,
    private readonly context: SpanContext,
    readonly resource: Resource,
  ) {
    if (span.parent !== undefined) this.parentSpanContext = span.parent;
  }

  get name(): string {
    return this.span.name;
  }

  get kind(): SpanKind {
    return this.span.kind;
  }

  /** Without those that are not set, which exporters would send without a value. */
  get attributes(): Attributes {
    const set: Attributes = {};
    for (const [name, value] of Object.entries(this.span.attributes)) if (value !== undefined) set[name] = value;
    return set;
  }

  get startTime(): HrTime {
    return hrTime(this.span.startedAt);
  }

  get endTime(): HrTime {
    return hrTime(this.span.endedAt);
  }

  get duration(): HrTime {
    return hrTime(this.span.endedAt - this.span.startedAt);
  }

  get status(): SpanStatus {
    return this.span.isFailed === true ? FAILED : UNSET;
  }

  get links(): Link[] {
    return this.span.links ?? NO_LINKS;
  }

  get events(): TimedEvent[] {
    const { event } = this.span;
    return event === undefined ? NO_EVENTS : [{ ...event, time: this.endTime }];
  }

  spanContext(): SpanContext {
    return this.context;
  }
}

/** A time in ms as seconds and nanoseconds. */
const hrTime = (ms: number): HrTime => {
  const micros = Math.round(ms * 1_000);
  return [Math.trunc(micros / 1e6), (micros % 1e6) * 1_000];
};
