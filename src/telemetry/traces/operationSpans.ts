import { endpointNamed } from "@exchange-graph/contract";
import { type Attributes, type SpanContext, SpanKind } from "@opentelemetry/api";
import type { Origin } from "../../instrumentation/events.js";
import type { OperationRecorder, OperationReuse, OperationStart } from "../../instrumentation/operationRecorder.js";
import type { CallEnd, OperationRecording, OperationToken, ReadCounts } from "../../instrumentation/operationRecording.js";
import { traceparentOf, traceparentText } from "../../instrumentation/traceparent.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import type { Sampling } from "./sampling.js";
import type { SpanRecorder } from "./spanRecorder.js";

/** Clients choose the names of operations. */
const MAX_NAME = 100;
const MAX_CALLS = 500;

/** All resolver calls of one field in one operation, from the first start to the last end. */
interface ResolverGroup {
  readonly startedAt: number;
  endedAt: number;
  count: number;
}

class Recorded implements OperationRecording {
  readonly traceId: string;
  readonly #groups = new Map<string, ResolverGroup>();
  /** Start of each write by the context of its span, until the write is in the journal. */
  readonly #writes = new Map<string, number>();
  #calls = 0;

  constructor(
    private readonly start: OperationStart,
    private readonly startedAt: number,
    readonly context: SpanContext,
    private readonly parent: SpanContext | undefined,
    private readonly recorder: SpanRecorder,
    private readonly parts: CallParts,
  ) {
    this.traceId = context.traceId;
  }

  newWrite(): string {
    const write = traceparentText(this.recorder.newContext(this.context));
    this.#writes.set(write, this.parts.now());
    return write;
  }

  /** The time at which a write began; undefined for a write of another operation. It is dropped by the call. */
  beganAt(write: string): number | undefined {
    const at = this.#writes.get(write);
    this.#writes.delete(write);
    return at;
  }

  calling(name: string, write?: string | null): ((end: CallEnd) => void) | undefined {
    if (this.#calls++ >= MAX_CALLS) return undefined;
    const leftAt = this.parts.now();
    const parent = (write ? traceparentOf(write) : undefined) ?? this.context;
    return ({ outcome, waitMs, status, error, resends }) => {
      const endpoint = endpointNamed(name);
      const attributes: Attributes = {
        ...this.parts.server,
        "exchange_graph.endpoint": name,
        "exchange_graph.outcome": outcome,
        "exchange_graph.wait_ms": waitMs,
        "exchange_graph.source": "REST",
        "http.request.method": endpoint?.method,
        "url.template": endpoint?.path,
        "http.response.status_code": status,
        "http.request.resend_count": resends > 0 ? resends : undefined,
        "error.type": error,
      };
      const isFailed = outcome !== "ok";
      const times = { startedAt: leftAt - waitMs, endedAt: this.parts.now() };
      this.recorder.record({ name, kind: SpanKind.CLIENT, parent, ...times, attributes, isFailed });
    };
  }

  resolving(field: string, settled: Promise<unknown>): void {
    const now = this.parts.now();
    const group = this.#groups.get(field) ?? { startedAt: now, endedAt: now, count: 0 };
    if (group.count++ === 0) this.#groups.set(field, group);
    const ended = (): void => {
      group.endedAt = this.parts.now();
    };
    // Errors are in the operation's answer.
    settled.then(ended, ended);
  }

  ended(errorCodes: readonly string[], reads: ReadCounts): void {
    const { kind, name, origin } = this.start;
    // If all data was cached, no field waited for a call.
    const hasWaited = this.#calls > 0 || reads.REST !== undefined || reads.SHARED !== undefined;
    if (hasWaited) for (const [field, group] of this.#groups) this.#resolved(field, group);
    const times = { startedAt: this.startedAt, endedAt: this.parts.now() };
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

/** The time at which a write of a recorded operation began, by the context of its span. */
export const beginningOf = (operation: OperationToken, write: string): number | undefined =>
  recordedOf(operation)?.beganAt(write);

interface CallParts {
  /** Unix time in ms, with fractions. */
  readonly now: () => number;
  /** Attributes of the exchange's server: `server.address`, `server.port`. */
  readonly server: Attributes;
}

/**
 * One span for each operation, with child spans for calls to the exchange and for fields whose resolvers may call it. Spans
 * contain no documents, variables, accounts or arguments: attributes are names of the contract and the graph, and numbers.
 */
export class OperationSpans implements OperationRecorder {
  constructor(
    private readonly recorder: SpanRecorder,
    private readonly parts: CallParts,
    private readonly traceIds: TraceIds,
    private readonly isSampled: Sampling,
  ) {}

  begin(start: OperationStart): OperationRecording | undefined {
    const { origin } = start;
    const parent = parentOf(origin);
    if (!this.isSampled(parent)) return undefined;
    const context = this.recorder.newContext(parent);
    this.traceIds.add(origin, context.traceId);
    return new Recorded(start, this.parts.now(), context, parent, this.recorder, this.parts);
  }

  reused({ origin, name, answer, maker, waitedMs, errorCodes }: OperationReuse): string | undefined {
    const parent = parentOf(origin);
    if (!this.isSampled(parent)) return undefined;
    const context = this.recorder.newContext(parent);
    this.traceIds.add(origin, context.traceId);
    const attributes = operationAttributes("query", name, origin, errorCodes, NO_READS, answer);
    const made = contextOfOperation(maker);
    const endedAt = this.parts.now();
    const times = { startedAt: endedAt - waitedMs, endedAt };
    const links = made && [{ context: made }];
    const isFailed = errorCodes.length > 0;
    this.recorder.record({ name: "query", kind: SpanKind.SERVER, parent, ...times, attributes, isFailed, links }, context);
    return context.traceId;
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
