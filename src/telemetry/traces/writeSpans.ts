import type { Clock } from "@exchange-graph/contract/clock";
import { type Attributes, type SpanContext, SpanKind } from "@opentelemetry/api";
import { LRUCache } from "lru-cache";
import type { WriteProgress, WriteStart } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import type { OperationSpans } from "./operationSpans.js";
import type { SpanRecorder } from "./spanRecorder.js";

/** Writes that are known here until they are settled. */
const MAX_OPEN = 10_000;

/** A write that is under way. */
interface OpenWrite {
  readonly context: SpanContext;
  readonly parent: SpanContext;
  readonly startedAt: number;
}

/**
 * A span for each write of a recorded operation, with one for its journal below it. Where the answer was lost, its settling has a
 * span later, which links to the write's.
 */
export class WriteSpans {
  readonly #underWay = new LRUCache<number, OpenWrite>({ max: MAX_OPEN });
  readonly #unknown = new LRUCache<number, SpanContext>({ max: MAX_OPEN });

  constructor(
    private readonly recorder: SpanRecorder,
    private readonly clock: Clock,
    private readonly operations: Pick<OperationSpans, "contextOf">,
    private readonly traceIds: TraceIds,
  ) {}

  follow(events: Instrumentation): void {
    listen(events, events.writeStart, (start) => this.#started(start));
    listen(events, events.write, (write) => this.#noted(write));
  }

  #started({ operation, write: { seq }, journalMs }: WriteStart): void {
    const parent = this.operations.contextOf(operation);
    if (parent === undefined) return;
    const endedAt = this.clock.now();
    const startedAt = endedAt - journalMs;
    const context = this.recorder.newContext(parent);
    this.recorder.record({ name: "write.journal", kind: SpanKind.INTERNAL, parent: context, startedAt, endedAt, attributes: {} });
    this.#underWay.set(seq, { context, parent, startedAt });
    this.traceIds.addWrite(seq, context.traceId);
  }

  #noted(write: WriteProgress): void {
    const open = this.#underWay.get(write.seq);
    if (open !== undefined) this.#ended(open, write);
    else if (write.state !== "UNKNOWN") this.#settled(write);
  }

  #ended({ context, parent, startedAt }: OpenWrite, write: WriteProgress): void {
    this.#underWay.delete(write.seq);
    if (write.state === "UNKNOWN") this.#unknown.set(write.seq, context);
    this.recorder.record({ ...endOf(write), name: "write", parent, startedAt, endedAt: this.clock.now() }, context);
  }

  #settled(write: WriteProgress): void {
    const context = this.#unknown.get(write.seq);
    if (context === undefined) return;
    this.#unknown.delete(write.seq);
    const now = this.clock.now();
    this.recorder.record({
      ...endOf(write),
      name: "write.settle",
      parent: context,
      startedAt: now,
      endedAt: now,
      links: [{ context }],
    });
  }
}

function endOf({ mutation, endpoint, state, problem }: WriteProgress) {
  const attributes: Attributes = {
    "exchange_graph.mutation": mutation,
    "exchange_graph.endpoint": endpoint,
    "exchange_graph.write.state": state,
    ...(problem === null ? {} : { "exchange_graph.write.code": problem.code }),
  };
  return { kind: SpanKind.INTERNAL, attributes, isFailed: state !== "ACCEPTED" };
}
