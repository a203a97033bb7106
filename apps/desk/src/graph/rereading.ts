import type { GraphError } from "@exchange-graph/client";
import { errorsOf } from "@exchange-graph/client/urql";
import { type Exchange, makeOperation, type Operation, type OperationResult } from "@urql/core";
import { filter, makeSubject, map, merge, pipe } from "wonka";
import { traceOf } from "./trace.js";

/** State of an answer besides its data; this exchange puts it into `extensions.reading`. */
export interface Reading {
  /** Time of the data, or of the failure, Unix ms. */
  readonly at: number;
  /** Source of the data, for example `REST` or `CACHE + STREAM`. */
  readonly source: string;
  /** When its state from streams was last compared with the exchange, Unix ms; undefined without any. */
  readonly comparedAt: number | undefined;
  /** Time of the next attempt after a fault, Unix ms. */
  readonly retryAt: number | undefined;
}

/** Options in the context of a query. */
export interface ReadContext {
  /** Polling interval, ms. All readers of the same query use the same interval. Default: no polling. */
  readonly everyMs?: number | undefined;
}

/** The clock, and the visibility of the tab. */
interface Surroundings {
  now(): number;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
  isVisible(): boolean;
  /** Runs `task` once when the tab is shown again; the returned function cancels it. */
  onceVisible(task: () => void): () => void;
}

/** A query on the screen. */
interface ActiveQuery {
  readonly operation: Operation;
  /** Whether a request is running. */
  isOut: boolean;
  /** Whether it was requested again meanwhile. */
  isDue: boolean;
  failures: number;
  stop(): void;
}

/** Delay after a temporary fault, ms: it increases, and is never shorter than the fault's own. */
const FIRST_WAIT_MS = 2_000;
const MOST_WAIT_MS = 10_000;

/**
 * An exchange of urql that repeats a query as long as it is on the screen: at the interval of its context, which for a hidden tab
 * ends when that is shown; after a temporary fault; and on request. A query has one request at a time.
 */
export class Rereading {
  readonly #active = new Map<number, ActiveQuery>();
  readonly #again = makeSubject<Operation>();
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  readonly exchange: Exchange =
    ({ forward }) =>
    (operations$) =>
      pipe(
        merge([
          pipe(
            operations$,
            filter((operation) => this.#isSent(operation)),
          ),
          this.#again.source,
        ]),
        forward,
        map((result) => this.#noted(result)),
      );

  /** Repeats all queries on the screen, or the one with this key. A running one is repeated after it. */
  again(key?: number): void {
    for (const query of this.#active.values()) {
      if (key !== undefined && key !== query.operation.key) continue;
      if (query.isOut) query.isDue = true;
      else this.#request(query);
    }
  }

  /** Repeats all queries on the screen. Running ones are cancelled, because the connection may have been lost. */
  anew(): void {
    for (const query of this.#active.values()) {
      if (query.isOut) this.#again.next(makeOperation("teardown", query.operation));
      query.failures = 0;
      this.#request(query);
    }
  }

  #isSent(operation: Operation): boolean {
    const { kind, key } = operation;
    const former = this.#active.get(key);
    if (kind === "teardown") {
      former?.stop();
      this.#active.delete(key);
    }
    if (kind !== "query") return true;
    if (former?.isOut === true) return false;
    former?.stop();
    const { failures = 0 } = former ?? {};
    this.#active.set(key, { operation, isOut: true, isDue: false, failures, stop: () => undefined });
    return true;
  }

  #request(query: ActiveQuery): void {
    query.stop();
    query.isOut = true;
    query.isDue = false;
    this.#again.next(query.operation);
  }

  #noted(result: OperationResult): OperationResult {
    const { operation, error, extensions } = result;
    const query = this.#active.get(operation.key);
    if (operation.kind !== "query" || query === undefined) return result;
    const now = this.#around.now();
    const wait = waitAfter(errorsOf(error), query.failures);
    query.failures = wait === undefined ? 0 : query.failures + 1;
    query.isOut = false;
    if (wait !== undefined) query.stop = this.#around.after(wait, () => this.#request(query));
    else if (query.isDue) query.stop = this.#around.after(0, () => this.#request(query));
    else this.#poll(query);
    const { ageMs, source, comparedAt } = traceOf(extensions);
    const reading: Reading = { at: now - ageMs, source, comparedAt, retryAt: wait === undefined ? undefined : now + wait };
    return { ...result, extensions: { ...extensions, reading } };
  }

  #poll(query: ActiveQuery): void {
    const everyMs: ReadContext["everyMs"] = query.operation.context.everyMs;
    if (everyMs === undefined) return;
    query.stop = this.#around.after(everyMs, () => {
      if (this.#around.isVisible()) this.#request(query);
      else query.stop = this.#around.onceVisible(() => this.#request(query));
    });
  }
}

/** Delay after these faults, ms; undefined if a retry is useless. */
function waitAfter(faults: readonly GraphError[], failures: number): number | undefined {
  const passing = faults.filter(({ retryable }) => retryable);
  if (passing.length === 0) return undefined;
  const waits = passing.map(({ retryAfterMs = 0 }) => retryAfterMs);
  return Math.max(Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures), ...waits);
}
