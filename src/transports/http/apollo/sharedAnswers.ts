import type { Clock } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";
import type { Caller } from "../../../access/principal/caller.js";
import { type Requester, SharedRequester } from "../../../datasources/index.js";
import type { Trace } from "../../../datasources/reads/trace.js";
import type { Answer } from "../answer.js";

/** Longer bodies are rare, and each known one is remembered. */
const MAX_BODY = 8_192;
const MAX_KNOWN = 1_000;

/** How long an answer is kept at most, whatever it was read from. */
const KEPT_FOR_MS = 1_000;
/** Longer answers are not kept. */
const MAX_KEPT_BODY = 65_536;
const MAX_KEPT = 200;

/** One POST of JSON, as far as its answer depends on it. */
export class Asked {
  /** Equal for equal requests of one caller, and for no others. */
  readonly key: string;

  constructor(
    readonly caller: Caller,
    readonly requester: Requester,
    accept: string | undefined,
    /** The exact text of the body. */
    readonly body: string,
  ) {
    this.key = `${caller.key}\n${accept === undefined ? "" : `:${accept}`}\n${body}`;
  }
}

/** An answer, and what was read for it; nothing where no operation ran. */
export interface Executed {
  readonly answer: Answer;
  readonly trace: Trace | undefined;
}

/** An execution under way; lets go of what came of it when it has ended, as a `Flight` does and for the same reason. */
interface Execution {
  executed: Promise<Executed> | undefined;
  /** All who wait for it. */
  readonly requester: SharedRequester;
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
 * Only what is known to be a query is shared, and bodies are known once Apollo itself has resolved them: a persisted
 * hash can stand for a mutation. Answers with errors are not kept. And when a mutation ends, nothing from before its end
 * goes to newcomers: whoever asks after a write must not get what was read before it.
 */
export class SharedAnswers {
  readonly #underWay = new Map<string, Execution>();
  readonly #kept = new LRUCache<string, Kept>({ max: MAX_KEPT });
  /** Asked at least once: only what is asked again is worth keeping. */
  readonly #asked = new Set<string>();
  readonly #knownQueries = new LRUCache<string, true>({ max: MAX_KNOWN });

  constructor(private readonly clock: Clock) {}

  /** An answer that was given before and still holds. */
  ready({ key }: Asked): Answer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (this.clock.now() < kept.until && kept.trace.holds) return kept.answer;
    this.#kept.delete(key);
    return undefined;
  }

  /** Executes, or waits for an equal execution. `isQuery` when that is known otherwise than by the body. */
  async answer(asked: Asked, isQuery: boolean, execute: (requester: Requester) => Promise<Executed>): Promise<Answer> {
    if (!isQuery && this.#knownQueries.get(asked.body) === undefined) return this.#first(asked, execute);
    for (;;) {
      const underWay = this.#underWay.get(asked.key);
      // What nobody waits for any more is given up.
      if (underWay?.executed === undefined || underWay.requester.refusal() instanceof Error) return this.#begin(asked, execute);
      underWay.requester.join(asked.requester);
      const { answer, trace } = await underWay.executed;
      // What was dropped meanwhile may have been dropped before this caller asked.
      if (trace?.isOvertaken !== true) return answer;
    }
  }

  /** What may have written something has ended. */
  written(): void {
    this.#underWay.clear();
    this.#kept.clear();
  }

  async #first({ body, requester }: Asked, execute: (requester: Requester) => Promise<Executed>): Promise<Answer> {
    const { answer } = await execute(requester);
    if (answer.operation?.kind === "query" && body.length <= MAX_BODY) this.#knownQueries.set(body, true);
    return answer;
  }

  async #begin(asked: Asked, execute: (requester: Requester) => Promise<Executed>): Promise<Answer> {
    const requester = new SharedRequester(asked.requester);
    const started = execute(requester);
    const execution: Execution = { executed: started, requester };
    this.#underWay.set(asked.key, execution);
    try {
      const executed = await started;
      if (this.#underWay.get(asked.key) === execution) this.#keep(asked, executed);
      return executed.answer;
    } finally {
      execution.executed = undefined;
      if (this.#underWay.get(asked.key) === execution) this.#underWay.delete(asked.key);
    }
  }

  #keep({ key, body, caller }: Asked, { answer, trace }: Executed): void {
    if (body.length > MAX_BODY || this.#isFirst(key)) return;
    // A trace tells how old its reads were when they were made: nobody else's are.
    if (caller.traced || trace?.holds !== true) return;
    if (answer.status !== 200 || answer.operation?.errorCodes.length !== 0 || answer.body.length > MAX_KEPT_BODY) return;
    this.#kept.set(key, { answer, trace, until: this.clock.now() + KEPT_FOR_MS });
  }

  #isFirst(key: string): boolean {
    if (this.#asked.has(key)) return false;
    if (this.#asked.size >= MAX_KNOWN) this.#asked.clear();
    this.#asked.add(key);
    return true;
  }
}
