import type { Clock } from "../clock.js";
import { BoundedMap } from "../datasources/cache/boundedMap.js";
import type { Trace } from "../datasources/reads/trace.js";
import type { Answer } from "./answer.js";
import type { Caller } from "./caller.js";

/** Longer bodies are rare, and each known one is kept. */
const MAX_BODY = 8_192;
const MAX_KNOWN = 1_000;

/** What was answered is kept so long at most, whatever it was read from, */
const KEPT_FOR_MS = 1_000;
/** up to so many characters each, and so many answers. */
const MAX_KEPT_BODY = 65_536;
const MAX_KEPT = 200;

/** One POST of JSON, as far as its answer depends on it. */
export interface Asked {
  readonly caller: Caller;
  readonly accept: string | undefined;
  /** The exact text of the body. */
  readonly body: string;
}

/** An answer, and what was read for it; nothing where no operation ran. */
export interface Executed {
  readonly answer: Answer;
  readonly trace: Trace | undefined;
}

interface Kept {
  readonly answer: Answer;
  readonly trace: Trace;
  readonly until: number;
}

/**
 * Equal queries of one caller are executed once, and all get the same bytes: those that come while the first is under
 * way, and those that come while everything that it read still holds. Executing such a one would find the same answers
 * in the cache, so nothing is passed on for longer than what it was read from, and after a drop nothing is.
 *
 * Only bodies that Apollo itself has resolved to a query before are shared: a persisted hash can stand for a mutation.
 * Answers with errors are not kept. And when a mutation ends, nothing from before its end goes to newcomers: whoever
 * asks after a write must not get what was read before it.
 */
export class SharedAnswers {
  readonly #underWay = new Map<string, Promise<Executed>>();
  readonly #kept = new BoundedMap<string, Kept>(MAX_KEPT);
  readonly #knownQueries = new BoundedMap<string, true>(MAX_KNOWN);

  constructor(private readonly clock: Clock) {}

  answer(asked: Asked, execute: () => Promise<Executed>): Answer | Promise<Answer> {
    const key = JSON.stringify([asked.caller, asked.accept]) + asked.body;
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      if (this.clock.now() < kept.until && kept.trace.holds) return kept.answer;
      this.#kept.delete(key);
    }
    if (this.#knownQueries.get(asked.body) === undefined) return this.#first(asked.body, execute);
    return this.#join(key, asked.caller, execute);
  }

  /** What may have written something has ended. */
  written(): void {
    this.#underWay.clear();
    this.#kept.clear();
  }

  async #first(body: string, execute: () => Promise<Executed>): Promise<Answer> {
    const { answer } = await execute();
    if (answer.operation?.kind === "query" && body.length <= MAX_BODY) this.#knownQueries.set(body, true);
    return answer;
  }

  async #join(key: string, caller: Caller, execute: () => Promise<Executed>): Promise<Answer> {
    for (;;) {
      const underWay = this.#underWay.get(key);
      if (underWay === undefined) return this.#begin(key, caller, execute);
      const { answer, trace } = await underWay;
      // What was dropped meanwhile may have been dropped before this caller asked.
      if (trace?.isOvertaken !== true) return answer;
    }
  }

  async #begin(key: string, caller: Caller, execute: () => Promise<Executed>): Promise<Answer> {
    const started = execute();
    this.#underWay.set(key, started);
    try {
      const executed = await started;
      if (this.#underWay.get(key) === started) this.#keep(key, caller, executed);
      return executed.answer;
    } finally {
      if (this.#underWay.get(key) === started) this.#underWay.delete(key);
    }
  }

  #keep(key: string, { traced }: Caller, { answer, trace }: Executed): void {
    // A trace tells how old its reads were when they were made: nobody else's are.
    if (traced || trace?.holds !== true) return;
    if (answer.status !== 200 || answer.operation?.errorCodes.length !== 0 || answer.body.length > MAX_KEPT_BODY) return;
    this.#kept.set(key, { answer, trace, until: this.clock.now() + KEPT_FOR_MS });
  }
}
