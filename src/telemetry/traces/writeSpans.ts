import { type Attributes, type SpanContext, SpanKind } from "@opentelemetry/api";
import { LRUCache } from "lru-cache";
import type { WriteProgress, WriteStart } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import { traceparentOf } from "../../instrumentation/traceparent.js";
import { beginningOf, contextOfOperation } from "./operationSpans.js";
import type { SpanRecorder } from "./spanRecorder.js";

/** Maximum number of tracked writes without an answer. */
const MAX_OPEN = 10_000;

interface OpenWrite {
  readonly context: SpanContext;
  readonly parent: SpanContext;
  readonly startedAt: number;
}

/**
 * A span for each write of a recorded operation, with a child span for the journal. If the answer was lost, looking up the
 * outcome has a later span, perhaps in another process, which links to the write's span; the journal stores its context.
 */
export class WriteSpans {
  readonly #underWay = new LRUCache<number, OpenWrite>({ max: MAX_OPEN });

  constructor(
    private readonly recorder: SpanRecorder,
    private readonly now: () => number,
  ) {}

  /** Returns functions that stop it. */
  follow(events: Instrumentation): readonly (() => void)[] {
    return [
      listen(events, events.writeStart, (start) => this.#started(start)),
      listen(events, events.write, (write) => this.#noted(write)),
    ];
  }

  #started({ operation, write }: WriteStart): void {
    const parent = contextOfOperation(operation);
    const context = contextOf(write);
    if (parent === undefined || context === undefined) return;
    const endedAt = this.now();
    const startedAt = beginningOf(operation, write.traceparent ?? "") ?? endedAt;
    this.recorder.record({ name: "write.journal", kind: SpanKind.INTERNAL, parent: context, startedAt, endedAt, attributes: {} });
    this.#underWay.set(write.seq, { context, parent, startedAt });
  }

  #noted(write: WriteProgress): void {
    const open = this.#underWay.get(write.seq);
    if (open !== undefined) this.#ended(open, write);
    else if (write.state !== "UNKNOWN") this.#settled(write);
  }

  #ended({ context, parent, startedAt }: OpenWrite, write: WriteProgress): void {
    this.#underWay.delete(write.seq);
    this.recorder.record({ ...endOf(write), name: "write", parent, startedAt, endedAt: this.now() }, context);
  }

  #settled(write: WriteProgress): void {
    const context = contextOf(write);
    if (context === undefined) return;
    const now = this.now();
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

/** The context of a write's span; `undefined` if it is not recorded. */
const contextOf = ({ traceparent }: WriteProgress): SpanContext | undefined =>
  traceparent === null ? undefined : traceparentOf(traceparent);

function endOf({ mutation, endpoint, state, problem }: WriteProgress) {
  const attributes: Attributes = {
    "exchange_graph.mutation": mutation,
    "exchange_graph.endpoint": endpoint,
    "exchange_graph.write.state": state,
    ...(problem === null ? {} : { "exchange_graph.write.code": problem.code }),
  };
  return { kind: SpanKind.INTERNAL, attributes, isFailed: state !== "ACCEPTED" };
}
