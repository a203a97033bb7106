import type { Clock } from "@exchange-graph/contract/clock";
import type { GraphQLError, GraphQLFormattedError } from "graphql";
import { LRUCache } from "lru-cache";
import type { ClientPrincipal } from "../../access/principal/clientPrincipal.js";
import { type Requester, SharedRequester } from "../../datasources/index.js";
import { LastTimes, type Trace } from "../../datasources/reads/index.js";
import type { Operation } from "../../instrumentation/events.js";

export interface Result extends Operation {
  /** The response as JSON: errors, data, extensions. */
  readonly text: string;
  /** In the order in which they occurred. */
  readonly errors: readonly GraphQLError[];
  /** The errors as clients may see them. */
  readonly shown: readonly GraphQLFormattedError[];
  /** Whether it was executed. A refused operation has no data. */
  readonly hasRun: boolean;
  /** Whether `text` includes the trace. */
  readonly isTraced: boolean;
  /** The reads of the operation; undefined if nothing was executed. */
  readonly trace: Trace | undefined;
}

/** Writes a response. `data` is JSON; undefined if nothing was executed. */
export function answerText(
  data: string | undefined,
  errors: readonly GraphQLFormattedError[],
  extensions: Readonly<Record<string, unknown>> | undefined,
): string {
  if (errors.length === 0 && extensions === undefined && data !== undefined) return `{"data":${data}}`;
  const parts = [
    ...(errors.length === 0 ? [] : [`"errors":${JSON.stringify(errors)}`]),
    ...(data === undefined ? [] : [`"data":${data}`]),
    ...(extensions === undefined ? [] : [`"extensions":${JSON.stringify(extensions)}`]),
  ];
  return `{${parts.join(",")}}`;
}

/** Longer requests are not shared: they are rare, and keys are kept in memory. */
const MAX_REQUEST = 8_192;

const KEPT_FOR_MS = 1_000;
const MAX_KEPT_TEXT = 65_536;
const MAX_KEPT = 200;

/** 32-bit FNV-1a hash of a text. */
function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** Identity of a request for sharing. */
export class Sharing {
  /** Equal for equal requests of one client, different otherwise. */
  readonly key: string;

  constructor(
    principal: ClientPrincipal,
    readonly request: string,
  ) {
    this.key = `${principal.key}\n${request}`;
  }
}

/** A query that is being executed. Its references are dropped when it ends, because its waiters would keep them in memory. */
interface RunningQuery {
  result: Promise<Result> | undefined;
  /** All clients that wait for it. */
  requester: SharedRequester | undefined;
}

type Execute = (requester: Requester) => Result | Promise<Result>;

interface Kept {
  readonly result: Result;
  readonly trace: Trace;
  readonly until: number;
}

/**
 * Executes equal queries of one client once. A query shares the result of an equal one that is running, or that has ended while
 * all of its reads are still valid. An execution would find the same answers in the cache, so no result is used for longer than
 * the cached answers that it was made from, or after their invalidation.
 *
 * Results with errors are not kept. When a mutation ends, all results from before its end are dropped: a query after a write must
 * not return data that was read before it.
 */
export class SharedResults {
  readonly #underWay = new Map<string, RunningQuery>();
  readonly #kept = new LRUCache<string, Kept>({ max: MAX_KEPT });
  /**
   * Hashes of recent requests: only results of requests that repeat within this bound are kept. Hashes take less memory than the
   * texts, most of which occur once. A collision only keeps a result one request too early.
   */
  readonly #recent = new LastTimes<number>(MAX_KEPT / 2);

  constructor(private readonly clock: Clock) {}

  /** A kept result that is still valid. */
  ready({ key }: Sharing): Result | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (this.clock.now() < kept.until && kept.trace.holds) return kept.result;
    this.#kept.delete(key);
    return undefined;
  }

  /** Executes a query, or waits for an equal execution. */
  result(sharing: Sharing, requester: Requester, execute: Execute): Result | Promise<Result> {
    return this.#joinable(sharing) === undefined
      ? this.#begin(sharing, requester, execute)
      : this.#join(sharing, requester, execute);
  }

  /** A running execution that this request may share. One that all its clients have left is cancelled. */
  #joinable({ key }: Sharing): RunningQuery | undefined {
    const underWay = this.#underWay.get(key);
    return underWay?.result === undefined || underWay.requester?.refusal() instanceof Error ? undefined : underWay;
  }

  async #join(sharing: Sharing, requester: Requester, execute: Execute): Promise<Result> {
    for (;;) {
      const underWay = this.#joinable(sharing);
      if (underWay?.result === undefined) return this.#begin(sharing, requester, execute);
      underWay.requester?.join(requester);
      const result = await underWay.result;
      // Data that was invalidated during the execution may have been invalidated before this request arrived.
      if (result.trace?.isInvalidated !== true) return result;
    }
  }

  /** Drops all results: a mutation, which may have written, has ended. */
  written(): void {
    this.#underWay.clear();
    this.#kept.clear();
  }

  #begin(sharing: Sharing, first: Requester, execute: Execute): Result | Promise<Result> {
    const requester = new SharedRequester(first);
    const result = execute(requester);
    if (!(result instanceof Promise)) return result;
    const execution: RunningQuery = { result, requester };
    this.#underWay.set(sharing.key, execution);
    const end = (made?: Result): void => {
      execution.result = undefined;
      execution.requester = undefined;
      if (this.#underWay.get(sharing.key) !== execution) return;
      this.#underWay.delete(sharing.key);
      if (made !== undefined) this.#keep(sharing, made);
    };
    result.then(end, () => end());
    return result;
  }

  #keep({ key, request }: Sharing, result: Result): void {
    if (request.length > MAX_REQUEST || this.#isFirst(request)) return;
    const { trace, errorCodes, text, isTraced } = result;
    // A trace shows the ages of this operation's own reads.
    if (isTraced || trace?.holds !== true || errorCodes.length > 0 || text.length > MAX_KEPT_TEXT) return;
    this.#kept.set(key, { result, trace, until: this.clock.now() + KEPT_FOR_MS });
  }

  #isFirst(request: string): boolean {
    return this.#recent.note(textHash(request), this.clock.now()) === undefined;
  }
}
