import { endpointNamed } from "@exchange-graph/contract";
import type { Clock } from "@exchange-graph/contract/clock";
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import type { OperationEnd, OperationStart, OperationToken, ResolverStart, UpstreamCall } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import type { TraceIds } from "../traceIds/traceIds.js";

/** Clients choose the names of operations. */
const MAX_NAME = 100;
/** An operation that calls more often has spans of its first calls. */
const MAX_CALLS = 500;

/** All resolvers of one field in one operation: from the first that begins to the last that ends. */
interface ResolverGroup {
  readonly startedAt: number;
  endedAt: number;
  count: number;
}

/** An operation that is recorded. */
interface Recorded {
  readonly span: Span;
  readonly context: Context;
  readonly groups: Map<string, ResolverGroup>;
  calls: number;
}

/**
 * One span for each operation, and below it one for each call to the exchange and for each field whose resolvers may call it. No
 * span holds a document, a variable, an account or an argument: attributes are names of the contract and the graph, and numbers.
 */
export class OperationSpans {
  readonly #recorded = new WeakMap<OperationToken, Recorded>();

  constructor(
    private readonly tracer: Tracer,
    private readonly clock: Clock,
    private readonly traceIds: TraceIds,
    /** Is an operation recorded that begins a trace? */
    private readonly isChosen: () => boolean,
  ) {}

  follow(events: Instrumentation): void {
    listen(events, events.operationStart, (start) => this.#started(start));
    listen(events, events.resolverStart, (start) => this.#resolving(start));
    listen(events, events.upstreamCall, (call) => this.#called(call));
    listen(events, events.operationEnd, (end) => this.#ended(end));
  }

  /** Where spans of an operation belong; `undefined` where it is not recorded. */
  contextOf(operation: OperationToken | undefined): Context | undefined {
    return operation && this.#recorded.get(operation)?.context;
  }

  #started({ operation, origin, kind, name }: OperationStart): void {
    if (origin.traceparent === undefined && !this.isChosen()) return;
    const attributes = {
      "graphql.operation.type": kind,
      ...(name === undefined ? {} : { "graphql.operation.name": name.slice(0, MAX_NAME) }),
      "exchange_graph.transport": origin.over,
    };
    const options = { kind: SpanKind.SERVER, startTime: this.clock.now(), attributes };
    const parent = parentIn(origin.traceparent);
    const span = this.tracer.startSpan(kind, options, parent);
    if (!span.isRecording()) return;
    this.#recorded.set(operation, { span, context: trace.setSpan(parent, span), groups: new Map(), calls: 0 });
    this.traceIds.add(origin.requestId, operation, span.spanContext().traceId);
  }

  #resolving({ operation, field, settled }: ResolverStart): void {
    const recorded = this.#recorded.get(operation);
    if (recorded === undefined) return;
    const now = this.clock.now();
    const group = recorded.groups.get(field) ?? { startedAt: now, endedAt: now, count: 0 };
    group.count++;
    recorded.groups.set(field, group);
    const ended = (): void => {
      group.endedAt = this.clock.now();
    };
    // What has failed is in the operation's answer.
    settled.then(ended, ended);
  }

  #called({ endpoint: name, outcome, timing, operation }: UpstreamCall): void {
    const recorded = operation && this.#recorded.get(operation);
    if (recorded === undefined || recorded.calls++ >= MAX_CALLS) return;
    const endedAt = this.clock.now();
    const { waitMs, tookMs } = timing ?? { waitMs: 0, tookMs: 0 };
    const endpoint = endpointNamed(name);
    const attributes = {
      ...(endpoint && { "http.request.method": endpoint.method, "url.template": endpoint.path }),
      "exchange_graph.endpoint": name,
      "exchange_graph.outcome": outcome,
      "exchange_graph.wait_ms": waitMs,
      "exchange_graph.source": "REST",
    };
    const options = { kind: SpanKind.CLIENT, startTime: endedAt - tookMs - waitMs, attributes };
    const span = this.tracer.startSpan(name, options, recorded.context);
    if (outcome !== "ok") span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endedAt);
  }

  #ended({ operation, errorCodes, reads }: OperationEnd): void {
    const recorded = this.#recorded.get(operation);
    if (recorded === undefined) return;
    const { span, context, groups } = recorded;
    for (const [field, { startedAt, endedAt, count }] of groups) {
      const attributes = { "exchange_graph.field": field, "exchange_graph.resolvers": count };
      this.tracer.startSpan("resolve", { kind: SpanKind.INTERNAL, startTime: startedAt, attributes }, context).end(endedAt);
    }
    for (const [source, count] of Object.entries(reads)) span.setAttribute(`exchange_graph.reads.${source.toLowerCase()}`, count);
    if (errorCodes.length > 0) {
      span.setAttribute("exchange_graph.error_codes", [...new Set(errorCodes)]);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end(this.clock.now());
  }
}

/** The context of a client's span; a new trace begins where there is none. */
function parentIn(traceparent: string | undefined): Context {
  if (traceparent === undefined) return ROOT_CONTEXT;
  const [, traceId = "", spanId = "", flags = "00"] = traceparent.split("-");
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true });
}
