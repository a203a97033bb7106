import type { GraphError } from "@exchange-graph/client";
import { errorsOf } from "@exchange-graph/client/urql";
import { type Exchange, makeOperation, type Operation, type OperationResult } from "@urql/core";
import { filter, makeSubject, map, merge, pipe } from "wonka";
import { traceOf } from "./trace.js";

/** What is known of an answer beside its data; the exchange puts it into `extensions.reading`. */
export interface Reading {
  /** When the data was so, or when there was none, Unix ms. */
  readonly at: number;
  /** Where it came from, for example `REST` or `CACHE + STREAM`. */
  readonly source: string;
  /** When it is asked again by itself after a fault, Unix ms. */
  readonly retryAt: number | undefined;
}

/** What the context of a query may say. */
export interface ReadContext {
  /** Read again so often, ms. Those who read the same read it equally often. Default: never by itself. */
  readonly everyMs?: number | undefined;
}

/** Time, and the tab. */
interface Surroundings {
  now(): number;
  /** Runs `task` once after so many ms; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
  isVisible(): boolean;
}

/** A query that somebody looks at. */
interface Asked {
  readonly operation: Operation;
  /** Its answer is on the way. */
  isOut: boolean;
  /** It was asked for again meanwhile. */
  isDue: boolean;
  failures: number;
  stop(): void;
}

/** How long it is waited after a fault that may pass, ms: longer each time, and never shorter than the fault says. */
const FIRST_WAIT_MS = 2_000;
const MOST_WAIT_MS = 10_000;

/**
 * An exchange of urql that asks a query again as long as somebody looks at it: as often as its context says while the tab is
 * visible, after a fault that may pass, and on request. A query is on the way once at a time.
 */
export class Rereading {
  readonly #asked = new Map<number, Asked>();
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

  /** Asks again for everything that is looked at, or for the query with this key. One that is on the way is asked after it. */
  again(key?: number): void {
    for (const asked of this.#asked.values()) {
      if (key !== undefined && key !== asked.operation.key) continue;
      if (asked.isOut) asked.isDue = true;
      else this.#ask(asked);
    }
  }

  /** Asks again for everything that is looked at. What is on the way is given up: the line may have been lost under it. */
  anew(): void {
    for (const asked of this.#asked.values()) {
      if (asked.isOut) this.#again.next(makeOperation("teardown", asked.operation));
      asked.failures = 0;
      this.#ask(asked);
    }
  }

  #isSent(operation: Operation): boolean {
    const { kind, key } = operation;
    const known = this.#asked.get(key);
    if (kind === "teardown") {
      known?.stop();
      this.#asked.delete(key);
    }
    if (kind !== "query") return true;
    if (known?.isOut === true) return false;
    known?.stop();
    const { failures = 0 } = known ?? {};
    this.#asked.set(key, { operation, isOut: true, isDue: false, failures, stop: () => undefined });
    return true;
  }

  #ask(asked: Asked): void {
    asked.stop();
    asked.isOut = true;
    asked.isDue = false;
    this.#again.next(asked.operation);
  }

  #noted(result: OperationResult): OperationResult {
    const { operation, error, extensions } = result;
    const asked = this.#asked.get(operation.key);
    if (operation.kind !== "query" || asked === undefined) return result;
    const now = this.#around.now();
    const wait = waitAfter(errorsOf(error), asked.failures);
    asked.failures = wait === undefined ? 0 : asked.failures + 1;
    asked.isOut = false;
    if (wait !== undefined) asked.stop = this.#around.after(wait, () => this.#ask(asked));
    else if (asked.isDue) asked.stop = this.#around.after(0, () => this.#ask(asked));
    else this.#poll(asked);
    const { ageMs, source } = traceOf(extensions);
    const reading: Reading = { at: now - ageMs, source, retryAt: wait === undefined ? undefined : now + wait };
    return { ...result, extensions: { ...extensions, reading } };
  }

  #poll(asked: Asked): void {
    const everyMs: ReadContext["everyMs"] = asked.operation.context.everyMs;
    if (everyMs === undefined) return;
    asked.stop = this.#around.after(everyMs, () => {
      if (this.#around.isVisible()) this.#ask(asked);
      else this.#poll(asked);
    });
  }
}

/** How long it is waited after these faults, ms; undefined where asking again is of no use. */
function waitAfter(faults: readonly GraphError[], failures: number): number | undefined {
  const passing = faults.filter(({ retryable }) => retryable);
  if (passing.length === 0) return undefined;
  const asked = passing.map(({ retryAfterMs = 0 }) => retryAfterMs);
  return Math.max(Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures), ...asked);
}
