import type { Clock } from "@exchange-graph/contract/clock";
import { ROOT_CONTEXT, type Span, type SpanContext, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { LRUCache } from "lru-cache";
import type { WriteProgress, WriteStart } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import type { OperationSpans } from "./operationSpans.js";

/** Writes that are known here until they are settled. */
const MAX_OPEN = 10_000;

/**
 * A span for each write of a recorded operation, with one for its journal below it. Where the answer was lost, its settling has a
 * span later, which links to the write's.
 */
export class WriteSpans {
  readonly #underWay = new LRUCache<number, Span>({ max: MAX_OPEN, dispose: (span) => span.end(this.clock.now()) });
  readonly #unknown = new LRUCache<number, SpanContext>({ max: MAX_OPEN });

  constructor(
    private readonly tracer: Tracer,
    private readonly clock: Clock,
    private readonly operations: Pick<OperationSpans, "contextOf">,
  ) {}

  follow(events: Instrumentation): void {
    listen(events, events.writeStart, (start) => this.#started(start));
    listen(events, events.write, (write) => this.#noted(write));
  }

  #started({ operation, write, journalMs }: WriteStart): void {
    const parent = this.operations.contextOf(operation);
    if (parent === undefined) return;
    const startTime = this.clock.now() - journalMs;
    const span = this.tracer.startSpan("write", { kind: SpanKind.INTERNAL, startTime, attributes: attributesOf(write) }, parent);
    const journal = this.tracer.startSpan("write.journal", { kind: SpanKind.INTERNAL, startTime }, trace.setSpan(parent, span));
    journal.end(this.clock.now());
    this.#underWay.set(write.seq, span);
  }

  #noted(write: WriteProgress): void {
    const span = this.#underWay.get(write.seq);
    if (span !== undefined) this.#ended(span, write);
    else if (write.state !== "UNKNOWN") this.#settled(write);
  }

  #ended(span: Span, { seq, state, problem }: WriteProgress): void {
    markEnd(span, state, problem?.code);
    if (state === "UNKNOWN") this.#unknown.set(seq, span.spanContext());
    // It is ended as it leaves.
    this.#underWay.delete(seq);
  }

  #settled(write: WriteProgress): void {
    const context = this.#unknown.get(write.seq);
    if (context === undefined) return;
    this.#unknown.delete(write.seq);
    const options = {
      kind: SpanKind.INTERNAL,
      startTime: this.clock.now(),
      attributes: attributesOf(write),
      links: [{ context }],
    };
    // Its write is recorded: so is its end, whatever the sampler says of traces that begin.
    const parent = trace.setSpanContext(ROOT_CONTEXT, context);
    const span = this.tracer.startSpan("write.settle", options, parent);
    markEnd(span, write.state, write.problem?.code);
    span.end(this.clock.now());
  }
}

const attributesOf = ({ mutation, endpoint }: WriteProgress) => ({
  "exchange_graph.mutation": mutation,
  "exchange_graph.endpoint": endpoint,
});

function markEnd(span: Span, state: WriteProgress["state"], code: string | undefined): void {
  span.setAttribute("exchange_graph.write.state", state);
  if (code !== undefined) span.setAttribute("exchange_graph.write.code", code);
  if (state !== "ACCEPTED") span.setStatus({ code: SpanStatusCode.ERROR });
}
