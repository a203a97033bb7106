import { accountSettings } from "@exchange-graph/contract/account";
import type { Clock } from "@exchange-graph/contract/clock";
import { serverTime } from "@exchange-graph/contract/market";
import { TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import type { Outcome } from "../../instrumentation/events.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import {
  type Answer,
  counterOf,
  type ExchangeAccount,
  type ExchangeClient,
  evenIfGone,
  type KnownUsers,
  type Permit,
  type Requester,
  type Scheduler,
} from "../calls/index.js";
import { Fault, inClientsWords, inTime } from "../errors/index.js";
import {
  type Ending,
  endingOf,
  isUnderWay,
  outcomeOf,
  type Reader,
  type Trace,
  type Users,
  unsentBecause,
} from "../reads/index.js";
import { certaintyOf, isCertain, mayBeItself } from "./certainty.js";
import type { Halts } from "./halts/halts.js";
import { addressOf, type JournalEntry, type NewEntry, type WriteProblem } from "./journal/entry.js";
import { DayLimitBroken, KeyTaken, type WriteJournal } from "./journal/writeJournal.js";
import type { LimitGate } from "./limits/limitGate.js";
import { ANONYMOUS, type Usage } from "./limits/usage.js";
import type { OutcomeRecorder } from "./outcomeRecorder.js";
import { CLOCK_TOLERANCE_MS } from "./policies/policy.js";
import { type Loss, SHOWS_WITHIN_MS } from "./reconciler.js";
import type { Unjournaled } from "./unjournaled.js";
import { type Plan, problemOf, type WriteAuthor } from "./write.js";

/** A write to be sent. */
interface Dispatch {
  readonly account: ExchangeAccount;
  readonly user: string;
  readonly author: WriteAuthor | undefined;
  readonly mutation: string;
  readonly trace: Trace;
  readonly requester: Requester;
  readonly plan: Plan<unknown>;
  readonly key: string;
  readonly digest: string;
  readonly limits: {
    /** Version of the limits that it has passed. */
    readonly passed: number;
    /** Checks it against the limits in force, and counts its use. Throws `LIMIT_EXCEEDED`. */
    passLimits(): Promise<void>;
  };
  /** Local clock, Unix ms: no client waits for an answer after it. */
  readonly deadlineAt: number;
}

/**
 * Waits for a slot, records the write in the journal, sends it once, and returns what the answer proves.
 *
 * A request is signed for the time in its entry, whenever it is sent. So the journal knows exactly until when the exchange may
 * execute it, and a process that was suspended in between sends only an expired request.
 */
export class Sender {
  constructor(
    private readonly parts: {
      readonly client: ExchangeClient;
      readonly reader: Reader;
      readonly users: Users;
      readonly knownUsers: Pick<KnownUsers, "idOf">;
      readonly scheduler: Scheduler;
      readonly clock: Clock;
      readonly journal: WriteJournal;
      readonly unjournaled: Unjournaled;
      /** Whether writes that only reduce risk are sent when the journal cannot be written. */
      readonly cancelWithoutJournal: boolean;
      readonly outcomes: OutcomeRecorder;
      readonly halts: Halts;
      readonly limits: Pick<LimitGate, "dayBroken" | "applyTo" | "inForce">;
      readonly usage: Pick<Usage, "charge" | "dayLimits" | "release">;
      readonly instrumentation: Instrumentation;
    },
  ) {}

  /** The journal's entry if the outcome is known, otherwise the loss. Throws `Fault` if the request was certainly not sent. */
  async send(dispatch: Dispatch): Promise<{ readonly ended: JournalEntry } | { readonly lost: Loss }> {
    const { client, clock, instrumentation } = this.parts;
    const { account, plan, trace, deadlineAt } = dispatch;
    const { policy, values } = plan;
    await this.#learnTime(account, plan);
    const permit = await this.#permit(dispatch);
    // What a change adds depends on what its order has traded, which it may have done while the change waited.
    const isOld = permit.waitedMs > 0 && plan.exposure?.changes?.isReplaced === true;
    const passed = await this.#passAgain(dispatch, isOld ? undefined : dispatch.limits.passed).catch((error: unknown) => {
      permit.giveBack();
      throw error;
    });
    const entry = await this.#writeDown(dispatch, permit);
    if (instrumentation.writeStart.hasSubscribers) instrumentation.writeStart.publish({ operation: trace, write: entry });
    await this.#recheck(dispatch, entry, permit, passed);
    const sentAt = clock.now();
    const endpoint = policy.endpoint.name;
    const recorded = trace.recording?.calling(endpoint, entry.traceparent);
    const observe = (outcome: Outcome, end: Ending) => {
      const { waitedMs: waitMs } = permit;
      recorded?.({ outcome, waitMs: 0, resends: 0, ...end });
      const timing = { waitMs, tookMs: clock.now() - sentAt };
      instrumentation.upstreamCall.publish({ endpoint, outcome, timing, operation: trace });
      trace.add({ endpoint, account: account.name, source: "REST", ageMs: 0, waitMs, failed: outcome !== "ok" });
    };
    trace.called();
    let answer: Answer<unknown>;
    try {
      answer = await client.call(policy.endpoint, values, account, deadlineAt, { signedAt: entry.sentAt });
      permit.settle({ remaining: answer.remaining });
      observe("ok", { status: answer.status });
    } catch (error) {
      const outcome = outcomeOf(error);
      // It keeps its slot as long as its signature is valid, except for a cancel: other cancels do not wait for it.
      if (isUnderWay(error) && policy.priority !== "cancel")
        clock.after(sentAt + TIMESTAMP_WINDOW_MS - clock.now(), () => permit.settle());
      else permit.settle({ refused: outcome === "throttled" });
      observe(outcome, endingOf(error));
      return this.#failed(dispatch, entry, error);
    }
    const doubt = doubtAbout(plan, answer);
    if (doubt !== undefined) return { lost: { entry, problem: doubt, refusedAt: undefined } };
    const no = policy.refusedIn?.(answer.data);
    if (no !== undefined) {
      // It has no code, so the write itself may have caused it.
      const problem = { code: no.code, message: `${endpoint}: ${no.why}`, retryable: false };
      return { lost: { entry, problem, refusedAt: client.exchangeClock.now() } };
    }
    return { ended: this.parts.outcomes.note(entry, { state: "ACCEPTED", reply: policy.reply(answer.data, values) }) };
  }

  /**
   * Checks again before sending: while the write waited, trading may have been halted, limits and accounts replaced, or the
   * account's key by another user's; and after a suspension or a slow disk the client may not wait any more.
   */
  async #recheck(dispatch: Dispatch, entry: JournalEntry, permit: Permit, passed: number): Promise<void> {
    const { clock, halts, outcomes } = this.parts;
    const { account, user, author, plan, deadlineAt } = dispatch;
    const { name } = plan.policy.endpoint;
    try {
      await this.#passAgain(dispatch, passed);
      const mayAddRisk =
        plan.stillReducesRisk !== undefined && this.#isExempt(account, user, author) && !(await plan.stillReducesRisk());
      const addsRisk = !plan.reducesRisk || mayAddRisk;
      if (addsRisk && halts.mayApplyTo(account)) await inTime(clock, halts.learnUsers(account), deadlineAt - clock.now());
      // Last, because the key can be replaced during the checks before it.
      if (!(await this.#isStillOf(account, user, plan)))
        throw new Fault("FORBIDDEN", `${account.name} is another user's account by now; nothing was sent`);
      if (addsRisk) halts.refuseHalted(account);
      if (mayAddRisk) throw new Fault("EXCHANGE_UNAVAILABLE", `${name}: the position mode has changed; nothing was sent`);
      if (clock.now() >= deadlineAt)
        throw new Fault("EXCHANGE_UNAVAILABLE", `${name}: the deadline passed first; nothing was sent`);
      author?.leaving(entry, plan.reducesRisk);
    } catch (error) {
      if (error instanceof Fault) outcomes.note(entry, { state: "UNSENT", problem: problemOf(error) });
      permit.giveBack();
      throw error;
    }
  }

  /** Checks a write against limits that were replaced since it has passed the former ones, or (`undefined`) again. Returns the version that it has passed. */
  async #passAgain({ user, key, limits: { passLimits } }: Dispatch, passed: number | undefined): Promise<number> {
    const { limits, usage } = this.parts;
    let last = passed;
    while (last === undefined || last !== limits.inForce.version) {
      last = limits.inForce.version;
      usage.release(addressOf(user, key));
      await passLimits();
    }
    return last;
  }

  /** Whether a halt or a limit applies, or may apply, to a write that adds risk. */
  #isExempt(account: ExchangeAccount, user: string, author: WriteAuthor | undefined): boolean {
    const { halts, limits } = this.parts;
    return halts.mayApplyTo(account) || limits.applyTo({ user, account: account.name, client: author?.who ?? ANONYMOUS });
  }

  async #isStillOf(account: ExchangeAccount, user: string, { reducesRisk }: Plan<unknown>): Promise<boolean> {
    const { users } = this.parts;
    if (user === users.standInOf(account)) return true;
    return (reducesRisk ? (users.cachedUser(account) ?? user) : await users.of(account, "write")) === user;
  }

  #failed(
    { plan: { policy, values } }: Dispatch,
    entry: JournalEntry,
    error: unknown,
  ): { readonly ended: JournalEntry } | { readonly lost: Loss } {
    const { client, outcomes, instrumentation } = this.parts;
    if (!(error instanceof Fault)) {
      instrumentation.writeFailure.publish({ write: entry, error });
      return { lost: { entry, problem: INTERNAL_PROBLEM, refusedAt: undefined } };
    }
    const problem = problemOf(inClientsWords(error, values));
    switch (certaintyOf(error, policy)) {
      case "unsent":
        outcomes.note(entry, { state: "UNSENT", problem });
        throw error;
      case "refused":
        return { ended: outcomes.note(entry, { state: "REJECTED", problem }) };
      case "lost":
        return { lost: { entry, problem, refusedAt: mayBeItself(error, policy) ? client.exchangeClock.now() : undefined } };
    }
  }

  /** A request signed by a wrong clock may be refused, or executed and not be recognised by its time. */
  async #learnTime(account: ExchangeAccount, { reducesRisk }: Plan<unknown>): Promise<void> {
    const { client, reader } = this.parts;
    const { isKnown, isInDoubt, errorMs } = client.exchangeClock;
    const priority = reducesRisk ? "cancel" : "write";
    // Only a signed call shows which of two times signatures are accepted for; unlike a write, a read is sent again.
    if (isInDoubt) await reader.read(reader.prepare(accountSettings, {}, account), { priority, alone: true }).catch(ifFault);
    else if (!isKnown || (errorMs > CLOCK_TOLERANCE_MS && !reducesRisk))
      await reader.read(reader.prepare(serverTime, {}), { priority });
  }

  async #permit({ account, plan: { policy, reducesRisk }, deadlineAt, requester }: Dispatch): Promise<Permit> {
    const { scheduler, knownUsers: known, instrumentation } = this.parts;
    const { endpoint } = policy;
    const priority = reducesRisk ? "cancel" : policy.priority;
    const { counter, rate } = counterOf(endpoint, account, known);
    // A write that reduces risk is sent even if its client has disconnected.
    const slotRequester = priority === "cancel" ? evenIfGone(requester) : requester;
    try {
      return await scheduler.acquire(endpoint.name, counter, rate, priority, deadlineAt, slotRequester);
    } catch (error) {
      instrumentation.upstreamCall.publish({ endpoint: endpoint.name, outcome: unsentBecause(error) });
      throw error;
    }
  }

  async #writeDown(dispatch: Dispatch, permit: Permit): Promise<JournalEntry> {
    const { client, journal, unjournaled, cancelWithoutJournal, limits, usage, instrumentation } = this.parts;
    const { account, user, author, mutation, trace, plan, key, digest } = dispatch;
    const { policy, values } = plan;
    const sentAt = client.exchangeClock.now();
    const clientOid: unknown = policy.clientOid === undefined ? undefined : values[policy.clientOid];
    const entry: NewEntry = {
      user,
      account: account.name,
      who: author?.who ?? null,
      mutation,
      endpoint: policy.endpoint.name,
      key,
      digest,
      clientOid: typeof clientOid === "string" ? clientOid : null,
      values,
      charge: usage.charge(addressOf(user, key)),
      sentAt,
      validUntil: sentAt + policy.validForMs(values) + SHOWS_WITHIN_MS,
      traceparent: trace.recording?.newWrite() ?? null,
    };
    try {
      return await journal.record(entry, usage.dayLimits(addressOf(user, key)));
    } catch (error) {
      if (error instanceof DayLimitBroken) {
        permit.giveBack();
        throw limits.dayBroken(error);
      }
      if (!(error instanceof KeyTaken) && plan.reducesRisk && cancelWithoutJournal) {
        const unwritten = unjournaled.record(entry);
        instrumentation.writeFailure.publish({ write: unwritten, error });
        return unwritten;
      }
      permit.giveBack();
      throw error;
    }
  }
}

/** Doubts about a successful answer: it may come from a proxy, or be about something else. */
function doubtAbout({ policy, values }: Plan<unknown>, { data, status }: Answer<unknown>): WriteProblem | undefined {
  const { name } = policy.endpoint;
  const bad = (why: string): WriteProblem => ({ code: "EXCHANGE_BAD_RESPONSE", message: `${name}: ${why}`, retryable: false });
  if (!isCertain(status)) return bad(`the answer says success with HTTP ${status}`);
  return policy.isAnswerTo(data, values) ? undefined : bad("the answer is about something else");
}

/** The write itself shows whether its time is accepted. */
function ifFault(error: unknown): void {
  if (!(error instanceof Fault)) throw error;
}

/** Problem of a write whose answer an internal error hides. */
const INTERNAL_PROBLEM = {
  code: "INTERNAL_SERVER_ERROR",
  message: "an internal error hides the exchange's answer",
  retryable: false,
};
