import type { BulkResult } from "@exchange-graph/contract/bulkWrites";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { type Answer, type ExchangeClock, refusal } from "../calls/index.js";
import { Fault, inClientsWords, titleOf } from "../errors/index.js";
import { certaintyOf, isCertain, mayBeItself } from "./certainty.js";
import type { Sent } from "./departure.js";
import type { JournalEntry, WriteProblem } from "./journal/entry.js";
import type { OutcomeRecorder } from "./outcomeRecorder.js";
import { type Batch, resultFor } from "./policies/batch.js";
import { innerRefusal } from "./policies/policy.js";
import { type Plan, problemOf } from "./write.js";

/** A write that has left, at its place among those that leave together. */
export interface Carried {
  readonly at: number;
  readonly entry: JournalEntry;
  readonly plan: Plan<unknown>;
}

/** Decides what the answer to a call proves about the writes that it carried. */
export class Verdicts {
  constructor(
    private readonly parts: {
      readonly exchangeClock: ExchangeClock;
      readonly outcomes: OutcomeRecorder;
      readonly instrumentation: Instrumentation;
    },
  ) {}

  /** The answer to a call about this write alone. */
  answered({ entry, plan }: Carried, answer: Answer<unknown>): Sent {
    const { policy, values } = plan;
    const doubt = statusDoubt(plan, answer);
    if (doubt !== undefined) return { lost: { entry, problem: doubt, refusedAt: undefined } };
    if (!policy.isAnswerTo(answer.data, values)) return this.#doubtful(entry, plan, "the answer is about something else");
    const no = policy.refusedIn?.(answer.data);
    return no === undefined ? this.#accepted(entry, plan, answer.data) : this.#withoutCode(entry, plan, no);
  }

  /** Its part of the answer to a batch. A batch whose list cannot be used says nothing about it. */
  inBatch({ entry, plan }: Carried, { endpoint, orderOf, answerOf }: Batch, answer: Answer<unknown>): Sent {
    const doubt = statusDoubt(plan, answer);
    if (doubt !== undefined) return { lost: { entry, problem: doubt, refusedAt: undefined } };
    const result = resultFor(answer.data as readonly BulkResult[], orderOf(plan.values));
    if (result === undefined) return this.#doubtful(entry, plan, "the answer does not name the order");
    const { code, message } = result;
    if (code === null)
      return plan.policy.isAnswerTo(answerOf(result), plan.values)
        ? this.#accepted(entry, plan, answerOf(result))
        : this.#doubtful(entry, plan, "the answer is about something else");
    const why = message ?? "the exchange gives no reason";
    if (code === "") return this.#withoutCode(entry, plan, innerRefusal(why));
    const fault = refusal(endpoint, { code, msg: why, data: null, requestTime: entry.sentAt }, answer.status);
    return this.failed({ entry, plan, at: 0 }, fault);
  }

  /** The call has failed. */
  failed({ entry, plan: { policy, values } }: Carried, error: unknown): Sent {
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

  #accepted(entry: JournalEntry, { policy, values }: Plan<unknown>, data: unknown): Sent {
    return { ended: this.parts.outcomes.note(entry, { state: "ACCEPTED", reply: policy.reply(data, values) }) };
  }

  /** A refusal without a code: the write itself may have caused it. */
  #withoutCode(entry: JournalEntry, { policy }: Plan<unknown>, { code, why }: ReturnType<typeof innerRefusal>): Sent {
    const problem = { code, message: `${titleOf(policy.endpoint.name)}: ${why}`, retryable: false };
    return { lost: { entry, problem, refusedAt: this.parts.exchangeClock.now() } };
  }

  #doubtful(entry: JournalEntry, plan: Plan<unknown>, why: string): Sent {
    return { lost: { entry, problem: doubt(plan, why), refusedAt: undefined } };
  }
}

const doubt = ({ policy }: Plan<unknown>, why: string): WriteProblem => ({
  code: "EXCHANGE_BAD_RESPONSE",
  message: `${titleOf(policy.endpoint.name)}: ${why}`,
  retryable: false,
});

/** The doubt about an answer of success that may come from a proxy. */
const statusDoubt = (plan: Plan<unknown>, { status }: Answer<unknown>): WriteProblem | undefined =>
  isCertain(status) ? undefined : doubt(plan, `the answer says success with HTTP ${status}`);

/** Problem of a write whose answer an internal error hides. */
const INTERNAL_PROBLEM = {
  code: "INTERNAL_SERVER_ERROR",
  message: "an internal error hides the exchange's answer",
  retryable: false,
};
