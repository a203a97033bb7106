import type { BulkResult } from "@exchange-graph/contract/bulkWrites";
import { errorRow } from "@exchange-graph/contract/errors";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { type Answer, ExchangeAnswered, refusal, TransportFailure } from "../calls/index.js";
import { Fault, inClientsWords, titleOf } from "../errors/index.js";
import type { JournalEntry } from "./journal/journalEntry.js";
import type { OutcomeRecorder } from "./journaling.js";
import { type Batch, innerRefusal, resultFor, type WritePolicy } from "./policies/policy.js";
import type { SendOutcome } from "./writeBatch.js";
import type { WriteParts } from "./writeParts.js";
import { problemOf, type WritePlan } from "./writePlan.js";

/**
 * Certainty about the write of a failed call: it certainly never reached the exchange, the exchange certainly refused it, or its
 * outcome is unknown.
 */
type Certainty = "unsent" | "refused" | "lost";

/** HTTP statuses of the exchange's own answers. Answers with any other may come from a proxy. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const isRefusal = (status: number): boolean => isSuccess(status) || [400, 401, 403, 404, TOO_MANY_REQUESTS].includes(status);
const TOO_MANY_REQUESTS = 429;

/**
 * Codes that only concern the time of a request, not its effect. A copy that a proxy sent earlier may have been executed, and a
 * later one still may be.
 */
const TOO_LATE: ReadonlySet<string> = new Set([REFUSAL.staleTimestamp.code, REFUSAL.outsideReceiveWindow.code]);

/**
 * Only two outcomes are certain: a request of which no byte was written, and a refusal by the exchange itself with a code that
 * its table lists and that does not require a look-up. Everything else may have come after the effect: a timeout, a broken
 * connection, an unusable answer, HTTP 5xx with any content, an unknown code, and an outdated timestamp.
 *
 * The exchange refuses what exceeds a rate limit before any effect. Every proxy may answer HTTP 429 too, also to its own
 * repetition of a request that was executed: only an answer with the exchange's code and time is the exchange's.
 */
export function certaintyOf(fault: Fault, policy: WritePolicy): Certainty {
  const { cause, extensions } = fault;
  if (cause instanceof TransportFailure) return cause.unreached ? "unsent" : "lost";
  const { exchange } = extensions;
  if (exchange === undefined || !(cause instanceof ExchangeAnswered)) return "lost";
  if (!isRefusal(cause.status)) return "lost";
  const { code } = REFUSAL.tooManyRequests;
  if (exchange.code === code ? !cause.isDated : cause.status === TOO_MANY_REQUESTS) return "lost";
  if (TOO_LATE.has(exchange.code)) return "lost";
  if (mayBeItself(fault, policy)) return "lost";
  const row = errorRow(policy.endpoint.apiVersion, exchange.code);
  return row === undefined || row.retry === "look up" ? "lost" : "refused";
}

/**
 * Whether the refusal may be caused by the same write: if a proxy repeats a request, the copy is refused because its client id is
 * taken; some endpoints have further such codes.
 */
export function mayBeItself({ cause, extensions: { exchange } }: Fault, { endpoint, echoes }: WritePolicy): boolean {
  if (exchange === undefined || !(cause instanceof ExchangeAnswered) || !isRefusal(cause.status)) return false;
  return echoes.includes(exchange.code) || errorRow(endpoint.apiVersion, exchange.code)?.category === "duplicate";
}

/** A sent write with its index in the batch. */
export interface Carried {
  readonly at: number;
  readonly entry: JournalEntry;
  readonly plan: WritePlan<unknown>;
}

/** Decides what the answer to a call proves about the writes that it carried. */
export class Verdicts {
  constructor(
    private readonly parts: Pick<WriteParts, "exchangeClock" | "instrumentation"> & { readonly outcomes: OutcomeRecorder },
  ) {}

  /** What the answer to a call proves about one of its writes. `batch`: undefined for the call of that write alone. */
  answered({ entry, plan }: Carried, batch: Batch | undefined, { data, status }: Answer<unknown>): SendOutcome {
    // An envelope that reports success cannot be trusted with another status: it may come from a proxy.
    if (!isSuccess(status)) return this.#doubtful(entry, plan, `the answer says success with HTTP ${status}`);
    if (batch === undefined) return this.#own(entry, plan, data);
    const result = resultFor(data as readonly BulkResult[], batch.orderOf(plan.values));
    // A batch whose list cannot be used says nothing about it.
    if (result === undefined) return this.#doubtful(entry, plan, "the answer does not name the order");
    const { code, message } = result;
    if (code === null) return this.#own(entry, plan, batch.answerOf(result));
    const why = message ?? "the exchange gives no reason";
    if (code === "") return this.#withoutCode(entry, plan, innerRefusal(why));
    const fault = refusal(batch.endpoint, { code, msg: why, data: null, requestTime: entry.sentAt }, status);
    return this.failed({ entry, plan, at: 0 }, fault);
  }

  failed({ entry, plan: { policy, values } }: Carried, error: unknown): SendOutcome {
    const { exchangeClock, outcomes, instrumentation } = this.parts;
    if (!(error instanceof Fault)) {
      instrumentation.writeFailure.publish({ write: entry, error });
      return { lost: { entry, problem: INTERNAL_PROBLEM, refusedAt: undefined } };
    }
    const problem = problemOf(inClientsWords(error, values));
    switch (certaintyOf(error, policy)) {
      case "unsent":
        outcomes.note(entry, { state: "UNSENT", problem });
        return { unsent: error };
      case "refused":
        return { ended: outcomes.note(entry, { state: "REJECTED", problem }) };
      case "lost":
        return { lost: { entry, problem, refusedAt: mayBeItself(error, policy) ? exchangeClock.now() : undefined } };
    }
  }

  /** The answer about this write, or its part of it. */
  #own(entry: JournalEntry, plan: WritePlan<unknown>, data: unknown): SendOutcome {
    const { policy, values } = plan;
    if (!policy.isAnswerTo(data, values)) return this.#doubtful(entry, plan, "the answer is about something else");
    const no = policy.refusedIn?.(data);
    if (no !== undefined) return this.#withoutCode(entry, plan, no);
    return { ended: this.parts.outcomes.note(entry, { state: "ACCEPTED", reply: policy.reply(data, values) }) };
  }

  /** A refusal without a code: the write itself may have caused it. */
  #withoutCode(entry: JournalEntry, { policy }: WritePlan<unknown>, { code, why }: ReturnType<typeof innerRefusal>): SendOutcome {
    const problem = { code, message: `${titleOf(policy.endpoint.name)}: ${why}`, retryable: false };
    return { lost: { entry, problem, refusedAt: this.parts.exchangeClock.now() } };
  }

  #doubtful(entry: JournalEntry, { policy }: WritePlan<unknown>, why: string): SendOutcome {
    const message = `${titleOf(policy.endpoint.name)}: ${why}`;
    return { lost: { entry, problem: { code: "EXCHANGE_BAD_RESPONSE", message, retryable: false }, refusedAt: undefined } };
  }
}

/** Problem of a write whose answer an internal error hides. */
const INTERNAL_PROBLEM = {
  code: "INTERNAL_SERVER_ERROR",
  message: "an internal error occurred while the exchange's answer was processed",
  retryable: false,
};
