import { BoundedMap } from "../datasources/cache/boundedMap.js";
import type { Answer } from "./answer.js";
import type { Caller } from "./caller.js";

/** Longer bodies are rare, and each known one is kept. */
const MAX_BODY = 8_192;
const MAX_KNOWN = 1_000;

/** One POST of JSON, as far as its answer depends on it. */
export interface Asked {
  readonly caller: Caller;
  readonly accept: string | undefined;
  /** The exact text of the body. */
  readonly body: string;
}

/** An answer, and whether Apollo found that the operation only reads. */
export interface Executed {
  readonly answer: Answer;
  readonly isQuery: boolean;
}

/**
 * Equal queries of one caller that are under way at the same time are executed once, and all get the same bytes.
 *
 * Nothing is kept after it was answered, so nothing outlives what it read. Only bodies that Apollo itself has resolved
 * to a query before are shared: a persisted hash can stand for a mutation. And when a mutation ends, what was under
 * way is closed to newcomers: whoever asks after a write must not get what was read before it.
 */
export class SharedAnswers {
  readonly #underWay = new Map<string, Promise<Executed>>();
  readonly #knownQueries = new BoundedMap<string, true>(MAX_KNOWN);

  async answer(asked: Asked, execute: () => Promise<Executed>): Promise<Answer> {
    if (this.#knownQueries.get(asked.body) === undefined) return this.#first(asked.body, execute);
    const key = JSON.stringify([asked.caller, asked.accept, asked.body]);
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return (await underWay).answer;
    const started = execute();
    this.#underWay.set(key, started);
    try {
      return (await started).answer;
    } finally {
      if (this.#underWay.get(key) === started) this.#underWay.delete(key);
    }
  }

  /** What may have written something has ended. */
  written(): void {
    this.#underWay.clear();
  }

  async #first(body: string, execute: () => Promise<Executed>): Promise<Answer> {
    const { answer, isQuery } = await execute();
    if (isQuery && body.length <= MAX_BODY) this.#knownQueries.set(body, true);
    return answer;
  }
}
