import {
  type Attributes,
  type HrTime,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { AlwaysOnSampler, BasicTracerProvider, RandomIdGenerator, type SpanProcessor } from "@opentelemetry/sdk-trace-base";

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

/** Records ended spans with the SDK's tracer. The context of a span can be made, and named by its children, before that. */
export class SpanRecorder {
  readonly #ids = new RandomIdGenerator();
  readonly #tracer: Tracer;
  /** The context of the span that is being recorded. */
  #context = this.newContext();

  constructor(queue: SpanProcessor, resource: Resource) {
    const idGenerator = { generateTraceId: () => this.#context.traceId, generateSpanId: () => this.#context.spanId };
    const provider = new BasicTracerProvider({ resource, spanProcessors: [queue], sampler: new AlwaysOnSampler(), idGenerator });
    this.#tracer = provider.getTracer("exchange-graph");
  }

  /** The context of a new span: in the trace of its parent, or in a new trace. */
  newContext(parent?: SpanContext): SpanContext {
    const traceId = parent?.traceId ?? this.#ids.generateTraceId();
    return { traceId, spanId: this.#ids.generateSpanId(), traceFlags: TraceFlags.SAMPLED };
  }

  record({ name, kind, parent, ...span }: EndedSpan, context: SpanContext = this.newContext(parent)): void {
    this.#context = context;
    const within = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const { attributes, links = [], isFailed = false, event } = span;
    const recorded = this.#tracer.startSpan(name, { kind, startTime: hrTime(span.startedAt), attributes, links }, within);
    const endTime = hrTime(span.endedAt);
    if (event !== undefined) recorded.addEvent(event.name, event.attributes, endTime);
    if (isFailed) recorded.setStatus({ code: SpanStatusCode.ERROR });
    recorded.end(endTime);
  }
}

/** A time in ms as seconds and nanoseconds. The SDK takes a number below the start of the process for a duration since then. */
const hrTime = (ms: number): HrTime => {
  const micros = Math.round(ms * 1_000);
  return [Math.trunc(micros / 1e6), (micros % 1e6) * 1_000];
};
