import { endpointNamed } from "@exchange-graph/contract";
import type { Clock } from "@exchange-graph/contract/clock";
import { type Attributes, type SpanContext, SpanKind } from "@opentelemetry/api";
import type { Origin, UpstreamCall } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import type { OperationRecorder, OperationReuse, OperationStart } from "../../instrumentation/recorder.js";
import type { OperationRecording, OperationToken, ReadCounts } from "../../instrumentation/recording.js";
import { traceparentOf, traceparentText } from "../../instrumentation/traceparent.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import type { Sampling } from "./sampling.js";
import type { SpanRecorder } from "./spanRecorder.js";

/** Clients choose the names of operations. */
const MAX_NAME = 100;
/** Maximum number of call spans of one operation. */
const MAX_CALLS = 500;

/** All resolver calls of one field in one operation, from the first start to the last end. */
interface ResolverGroup {
  readonly startedAt: number;
  endedAt: number;
  count: number;
}

/** The recording of an operation. */
class Recorded implements OperationRecording {
  readonly traceId: string;
  readonly #groups = new Map<string, ResolverGroup>();
  calls = 0;

  constructor(
    private readonly start: OperationStart,
    private readonly startedAt: number,
    readonly context: SpanContext,
    private readonly parent: SpanContext | undefined,
    private readonly recorder: SpanRecorder,
    private readonly clock: Clock,
  ) {
    this.traceId = context.traceId;
  }

  newWrite(): string {
    return traceparentText(this.recorder.newContext(this.context));
  }

  resolving(field: string, settled: Promise<unknown>): void {
    const now = this.clock.now();
    const group = this.#groups.get(field) ?? { startedAt: now, endedAt: now, count: 0 };
    if (group.count++ === 0) this.#groups.set(field, group);
    const ended = (): void => {
      group.endedAt = this.clock.now();
    };
    // Errors are in the operation's answer.
    settled.then(ended, ended);
  }

  ended(errorCodes: readonly string[], reads: ReadCounts): void {
    const { kind, name, origin } = this.start;
    // If all data was cached, no field waited for a call.
    const hasWaited = this.calls > 0 || reads.REST !== undefined || reads.SHARED !== undefined;
    if (hasWaited) for (const [field, group] of this.#groups) this.#resolved(field, group);
    const times = { startedAt: this.startedAt, endedAt: this.clock.now() };
    const attributes = operationAttributes(kind, name, origin, errorCodes, reads);
    const isFailed = errorCodes.length > 0;
    this.recorder.record(
      { name: kind, kind: SpanKind.SERVER, parent: this.parent, ...times, attributes, isFailed },
      this.context,
    );
  }

  #resolved(field: string, { startedAt, endedAt, count }: ResolverGroup): void {
    const attributes = { "exchange_graph.field": field, "exchange_graph.resolvers": count };
    this.recorder.record({ name: "resolve", kind: SpanKind.INTERNAL, parent: this.context, startedAt, endedAt, attributes });
  }
}

/** The recording of an operation; `undefined` if it is not recorded. */
const recordedOf = (operation: OperationToken | undefined): Recorded | undefined =>
  operation?.recording instanceof Recorded ? operation.recording : undefined;

/** The context of an operation's span; `undefined` if it is not recorded. */
export const contextOfOperation = (operation: OperationToken | undefined): SpanContext | undefined =>
  recordedOf(operation)?.context;

/**
 * One span for each operation, with child spans for calls to the exchange and for fields whose resolvers may call it. Spans
 * contain no documents, variables, accounts or arguments: attributes are names of the contract and the graph, and numbers.
 */
export class OperationSpans implements OperationRecorder {
  constructor(
    private readonly recorder: SpanRecorder,
    private readonly clock: Clock,
    private readonly traceIds: TraceIds,
    private readonly isSampled: Sampling,
  ) {}

  /** Records the calls of recorded operations, until the returned function is called. */
  follow(events: Instrumentation): () => void {
    return listen(events, events.upstreamCall, (call) => this.#called(call));
  }

  begin(start: OperationStart): OperationRecording | undefined {
    const { origin } = start;
    const parent = parentOf(origin);
    if (!this.isSampled(parent)) return undefined;
    const context = this.recorder.newContext(parent);
    this.traceIds.add(origin, context.traceId);
    return new Recorded(start, this.clock.now(), context, parent, this.recorder, this.clock);
  }

  reused({ origin, name, answer, maker, waitedMs, errorCodes }: OperationReuse): string | undefined {
    const parent = parentOf(origin);
    if (!this.isSampled(parent)) return undefined;
    const context = this.recorder.newContext(parent);
    this.traceIds.add(origin, context.traceId);
    const attributes = operationAttributes("query", name, origin, errorCodes, NO_READS, answer);
    const made = contextOfOperation(maker);
    const endedAt = this.clock.now();
    const times = { startedAt: endedAt - waitedMs, endedAt };
    const links = made && [{ context: made }];
    const isFailed = errorCodes.length > 0;
    this.recorder.record({ name: "query", kind: SpanKind.SERVER, parent, ...times, attributes, isFailed, links }, context);
    return context.traceId;
  }

  #called({ endpoint: name, outcome, timing, operation }: UpstreamCall): void {
    const recorded = recordedOf(operation);
    if (recorded === undefined || recorded.calls++ >= MAX_CALLS) return;
    const endedAt = this.clock.now();
    const { waitMs, tookMs } = timing ?? { waitMs: 0, tookMs: 0 };
    const endpoint = endpointNamed(name);
    const attributes: Attributes = {
      "exchange_graph.endpoint": name,
      "exchange_graph.outcome": outcome,
      "exchange_graph.wait_ms": waitMs,
      "exchange_graph.source": "REST",
    };
    if (endpoint !== undefined) {
      attributes["http.request.method"] = endpoint.method;
      attributes["url.template"] = endpoint.path;
    }
    const startedAt = endedAt - tookMs - waitMs;
    const isFailed = outcome !== "ok";
    this.recorder.record({ name, kind: SpanKind.CLIENT, parent: recorded.context, startedAt, endedAt, attributes, isFailed });
  }
}

const NO_READS: ReadCounts = {};

/** One literal with all names, set or not: adding properties one by one costs three times as much. */
function operationAttributes(
  kind: OperationStart["kind"],
  name: string | undefined,
  { over }: Origin,
  errorCodes: readonly string[],
  reads: ReadCounts,
  answer?: OperationReuse["answer"],
): Attributes {
  return {
    "graphql.operation.type": kind,
    "exchange_graph.transport": over,
    "graphql.operation.name": name?.slice(0, MAX_NAME),
    "exchange_graph.error_codes": errorCodes.length > 0 ? [...new Set(errorCodes)] : undefined,
    "exchange_graph.reads.rest": reads.REST,
    "exchange_graph.reads.shared": reads.SHARED,
    "exchange_graph.reads.cache": reads.CACHE,
    "exchange_graph.reads.stream": reads.STREAM,
    "exchange_graph.answer": answer,
  };
}

/** The context of the client's span, if it sent one. */
function parentOf({ traceparent }: Origin): SpanContext | undefined {
  const context = traceparent === undefined ? undefined : traceparentOf(traceparent);
  return context && { ...context, isRemote: true };
}
