import type { Clock } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";
import type { ClientPrincipal } from "../../access/principal/clientPrincipal.js";
import { type Requester, SharedRequester } from "../../datasources/index.js";
import type { Trace } from "../../datasources/reads/trace.js";
import type { Result } from "./result.js";

/** Longer requests are rare, and each known one is remembered. */
const MAX_REQUEST = 8_192;

/** How long a result is kept at most, whatever it was read from. */
const KEPT_FOR_MS = 1_000;
/** Longer results are not kept. */
const MAX_KEPT_TEXT = 65_536;
const MAX_KEPT = 200;

/** What makes two requests one. */
export class Sharing {
  /** Equal for equal requests of one client, and for no others. */
  readonly key: string;

  constructor(
    principal: ClientPrincipal,
    /** The exact text of the request. */
    readonly request: string,
  ) {
    this.key = `${principal.key}\n${request}`;
  }
}

/** An execution under way; lets go of what came of it when it has ended, as a `Flight` does and for the same reason. */
interface Execution {
  result: Promise<Result> | undefined;
  /** All who wait for it. */
  readonly requester: SharedRequester;
}

interface Kept {
  readonly result: Result;
  readonly trace: Trace;
  readonly until: number;
}

/**
 * Equal queries of one client are executed once, and all get the same result: those that come while the first is under
 * way, and those that come while everything that it read still holds. Executing such a one would find the same answers
 * in the cache, so nothing is passed on for longer than what it was read from, and after a drop nothing is.
 *
 * Results with errors are not kept. And when a mutation ends, nothing from before its end goes to newcomers: whoever asks
 * after a write must not get what was read before it.
 */
export class SharedResults {
  readonly #underWay = new Map<string, Execution>();
  readonly #kept = new LRUCache<string, Kept>({ max: MAX_KEPT });
  /** Asked lately: what comes back later than it would have to make room is not worth keeping. */
  readonly #asked = new LRUCache<string, true>({ max: MAX_KEPT });

  constructor(private readonly clock: Clock) {}

  /** A result that was given before and still holds. */
  ready({ key }: Sharing): Result | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (this.clock.now() < kept.until && kept.trace.holds) return kept.result;
    this.#kept.delete(key);
    return undefined;
  }

  /** Executes a query, or waits for an equal execution. */
  result(sharing: Sharing, requester: Requester, execute: (requester: Requester) => Result | Promise<Result>): Promise<Result> {
    return this.#joinable(sharing) === undefined
      ? this.#begin(sharing, requester, execute)
      : this.#join(sharing, requester, execute);
  }

  /** The execution under way that this request may share. What nobody waits for any more is given up. */
  #joinable({ key }: Sharing): Execution | undefined {
    const underWay = this.#underWay.get(key);
    return underWay?.result === undefined || underWay.requester.refusal() instanceof Error ? undefined : underWay;
  }

  async #join(
    sharing: Sharing,
    requester: Requester,
    execute: (requester: Requester) => Result | Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      const underWay = this.#joinable(sharing);
      if (underWay?.result === undefined) return this.#begin(sharing, requester, execute);
      underWay.requester.join(requester);
      const result = await underWay.result;
      // What was dropped meanwhile may have been dropped before this client asked.
      if (result.trace?.isInvalidated !== true) return result;
    }
  }

  /** What may have written something has ended. */
  written(): void {
    this.#underWay.clear();
    this.#kept.clear();
  }

  async #begin(sharing: Sharing, first: Requester, execute: (requester: Requester) => Result | Promise<Result>): Promise<Result> {
    const requester = new SharedRequester(first);
    const started = execute(requester);
    if (!(started instanceof Promise)) return started;
    const execution: Execution = { result: started, requester };
    this.#underWay.set(sharing.key, execution);
    try {
      const result = await started;
      if (this.#underWay.get(sharing.key) === execution) this.#keep(sharing, result);
      return result;
    } finally {
      execution.result = undefined;
      if (this.#underWay.get(sharing.key) === execution) this.#underWay.delete(sharing.key);
    }
  }

  #keep({ key, request }: Sharing, result: Result): void {
    if (request.length > MAX_REQUEST || this.#isFirst(key)) return;
    const { trace, errorCodes, text, isTraced } = result;
    // A shown trace has the ages of this operation's own reads.
    if (isTraced || trace?.holds !== true || errorCodes.length > 0 || text.length > MAX_KEPT_TEXT) return;
    this.#kept.set(key, { result, trace, until: this.clock.now() + KEPT_FOR_MS });
  }

  #isFirst(key: string): boolean {
    const isFirst = this.#asked.get(key) === undefined;
    this.#asked.set(key, true);
    return isFirst;
  }
}
