import { accountSettings } from "@exchange-graph/contract/account";
import type { RateLimit } from "@exchange-graph/contract/endpoint";
import { serverTime } from "@exchange-graph/contract/market";
import { TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import type { Outcome } from "../../instrumentation/events.js";
import { type Answer, counterOf, type ExchangeAccount, evenIfGone, GATEWAY, type Permit } from "../calls/index.js";
import { callFault, Fault, faultIn, ifFault, inTime } from "../errors/index.js";
import { type Ending, endingOf, isUnderWay, outcomeOf, unsentBecause } from "../reads/index.js";
import { BatchRefused } from "./batchAssembly.js";
import { addressOf } from "./journal/journalEntry.js";
import { type Entries, EntryWriter, type OutcomeRecorder, type Unjournaled } from "./journaling.js";
import { ANONYMOUS } from "./limits/usage.js";
import { ModeChanges } from "./modeChanges.js";
import { CLOCK_TOLERANCE_MS } from "./policies/policy.js";
import { type Carried, Verdicts } from "./verdicts.js";
import { type BatchCall, callsFor, type SendOutcome, type WriteBatch } from "./writeBatch.js";
import type { WriteParts } from "./writeParts.js";
import type { WriteAuthor } from "./writePlan.js";

/**
 * Waits for slots, records the writes in the journal, sends them once, and returns what the answers prove. Until the first call
 * leaves, what refuses one write keeps all of them from being sent. Calls beyond half of a rate limit follow the others, each by
 * itself.
 *
 * A request is signed for the time in its entry, whenever it is sent. So the journal knows exactly until when the exchange may
 * execute it, and a process that was suspended in between sends only an expired request.
 */
export class Sender {
  readonly #entries: EntryWriter;
  readonly #verdicts: Verdicts;
  readonly #modeChanges: ModeChanges;

  constructor(
    private readonly parts: Pick<
      WriteParts,
      "client" | "exchangeClock" | "reader" | "users" | "knownUsers" | "scheduler" | "clock" | "journal" | "halts" | "limits"
    > &
      Pick<WriteParts, "cancelWithoutJournal" | "usage" | "instrumentation"> & {
        readonly unjournaled: Unjournaled;
        readonly outcomes: OutcomeRecorder;
      },
  ) {
    this.#entries = new EntryWriter(parts);
    this.#verdicts = new Verdicts(parts);
    this.#modeChanges = new ModeChanges(parts);
  }

  /** Returns an outcome for each write. Throws `BatchRefused`, or another error, if certainly nothing was sent. */
  async send(batch: WriteBatch): Promise<readonly SendOutcome[]> {
    const { writes } = batch;
    await this.#learnTime(batch);
    const [first = [], ...later] = this.#departures(batch);
    const ends: SendOutcome[] = writes.map(() => ({ unsent: undefined }));
    const note = (places: readonly number[], outcomes: readonly SendOutcome[]): void => {
      places.forEach((place, at) => {
        ends[place] = outcomes[at] ?? { unsent: undefined };
      });
    };
    const leave = await this.#ready(partOf(batch, first)).catch((error: unknown) => {
      if (!(error instanceof BatchRefused)) throw error;
      throw new BatchRefused(writes.map((_, place) => error.faults[first.indexOf(place)]));
    });
    await Promise.all([
      leave().then((outcomes) => note(first, outcomes)),
      ...later.map(async (places) => {
        const leave = await this.#ready(partOf(batch, places)).catch(
          (error: unknown) => async () => unsentFor(error, places.length),
        );
        note(places, await leave());
      }),
    ]);
    return ends;
  }

  /**
   * The places of the writes that leave together: first those of the calls for which there are slots at once, then those of each
   * further call, which leaves when it gets a slot.
   */
  #departures({ account, writes }: WriteBatch): readonly (readonly number[])[] {
    const counts = new Map<string, number>();
    const first: number[] = [];
    const later: (readonly number[])[] = [];
    for (const { request, places } of callsFor(writes.map(({ plan }) => plan))) {
      const { endpoint } = request;
      const count = counts.get(endpoint.name) ?? 0;
      counts.set(endpoint.name, count + 1);
      if (count < slotsAtOnce(counterOf(endpoint, account, this.parts.knownUsers).rate)) first.push(...places);
      else later.push(places);
    }
    return [first.toSorted((one, other) => one - other), ...later];
  }

  /** Waits for slots, and records the writes. Returns what sends them; throws if none of them is sent. */
  async #ready(batch: WriteBatch): Promise<() => Promise<readonly SendOutcome[]>> {
    const { writes } = batch;
    const calls = callsFor(writes.map(({ plan }) => plan));
    const permits = await this.#permits(batch, calls);
    const giveBack = (error: unknown): never => {
      for (const permit of permits) permit.giveBack();
      throw error;
    };
    // What a change adds depends on the filled quantity of its order, which may have grown while the change waited.
    const isOld =
      permits.some(({ waitedMs }) => waitedMs > 0) && writes.some(({ plan }) => plan.exposure?.changes?.isReplaced === true);
    const passed = await this.#passAgain(batch, isOld ? undefined : batch.limits.passed).catch(giveBack);
    const { entries, taken } = await this.#entries.writeDown(batch).catch(giveBack);
    const recorded = entries.filter((entry) => entry !== undefined);
    for (const write of recorded) this.parts.instrumentation.writeStart.publish({ operation: batch.trace, write });
    try {
      await this.#recheck(batch, entries, passed);
    } catch (error) {
      this.#entries.withdraw(entries, error);
      giveBack(error);
    }
    return async () => {
      const ends: SendOutcome[] = entries.map((_, at) => ({ unsent: taken[at] }));
      await Promise.all(
        calls.map(async (call, index) => {
          const permit = permits[index];
          const places = call.places.filter((at) => entries[at] !== undefined);
          if (places.length === 0 || permit === undefined) return permit?.giveBack();
          const carried = places.flatMap((at) => {
            const [entry, write] = [entries[at], writes[at]];
            return entry === undefined || write === undefined ? [] : [{ at, entry, plan: write.plan }];
          });
          for (const [at, end] of await this.#call(batch, call, carried, permit)) ends[at] = end;
        }),
      );
      return ends;
    };
  }

  /** Makes one call, and returns the outcomes of the writes that it carries. */
  async #call(
    { account, trace, deadlineAt }: WriteBatch,
    { batch, request }: BatchCall,
    carried: readonly Carried[],
    permit: Permit,
  ): Promise<readonly (readonly [at: number, end: SendOutcome])[]> {
    const { client, clock, instrumentation } = this.parts;
    const [first] = carried;
    if (first === undefined) return [];
    // A write that another process has sent leaves its batch.
    const values = batch?.carrying(carried.map(({ plan }) => plan.values)) ?? request.values;
    const sentAt = clock.now();
    const endpoint = request.endpoint.name;
    const recorded = trace.recording?.calling(endpoint, first.entry.traceparent);
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
      answer = await client.call(request.endpoint, values, account, deadlineAt, { signedAt: first.entry.sentAt });
      permit.settle({ remaining: answer.remaining });
      observe("ok", { status: answer.status });
    } catch (error) {
      const outcome = outcomeOf(error);
      // The call keeps its slot while its signature is valid, except for a cancel, so that other cancels do not wait for it.
      if (isUnderWay(error) && carried.some(({ plan }) => plan.policy.priority !== "cancel"))
        clock.after(sentAt + TIMESTAMP_WINDOW_MS - clock.now(), () => permit.settle());
      else permit.settle({ refused: outcome === "throttled" });
      observe(outcome, endingOf(error));
      return carried.map((write) => [write.at, this.#verdicts.failed(write, error)]);
    }
    return carried.map((write) => [write.at, this.#verdicts.answered(write, batch, answer)]);
  }

  /**
   * Checks again before sending: while the writes waited, trading may have been halted, limits and accounts replaced, or the
   * account's key by another user's; and after a suspension or a slow disk the client may not wait any more.
   */
  async #recheck(batch: WriteBatch, entries: Entries, passed: number): Promise<void> {
    const { clock, halts } = this.parts;
    const { account, user, author, deadlineAt } = batch;
    await this.#passAgain(batch, passed);
    const isExempt = this.#isExempt(account, user, author);
    const isByMode = batch.writes.map(({ plan }) => plan.stillReducesRisk !== undefined && isExempt);
    // In this order: a change that has ended meanwhile is in the exchange's answer.
    const mayChange = isByMode.includes(true) ? await this.#modeChanges.underWay(user, entries) : () => false;
    const writes = await Promise.all(
      batch.writes.map(async ({ plan }, at) => {
        const isModeChanging = isByMode[at] === true && mayChange(plan.values);
        const mayAddRisk = isByMode[at] === true && !isModeChanging && (await plan.stillReducesRisk?.()) !== true;
        return { plan, entry: entries[at], isModeChanging, mayAddRisk, addsRisk: !plan.reducesRisk || mayAddRisk };
      }),
    );
    for (const { plan } of writes)
      if (plan.policy.changes === "positionMode")
        await this.#modeChanges.ordersEnded(user, entries, plan.values, deadlineAt - clock.now());
    if (writes.some(({ addsRisk }) => addsRisk) && halts.mayApplyTo(account))
      await inTime(clock, halts.learnUsers(account), deadlineAt - clock.now());
    // Last, because the key can be replaced during the checks before it.
    const isStillOf = await this.#isStillOf(batch);
    const each = (check: (write: (typeof writes)[number]) => void): void =>
      refuseTogether(writes.map((write) => () => check(write)));
    each(({ plan: { policy }, isModeChanging, mayAddRisk, addsRisk }) => {
      const { name } = policy.endpoint;
      if (!isStillOf) throw new Fault("FORBIDDEN", `${account.name} has the key of another user now; nothing was sent`);
      if (addsRisk) halts.refuseHalted(account);
      if (mayAddRisk) throw callFault("EXCHANGE_UNAVAILABLE", name, "the position mode has changed; nothing was sent");
      if (isModeChanging) throw callFault("EXCHANGE_UNAVAILABLE", name, "the position mode is being changed; nothing was sent");
      if (clock.now() >= deadlineAt)
        throw callFault("EXCHANGE_UNAVAILABLE", name, "the deadline passed before it could be sent; nothing was sent");
    });
    each(({ plan, entry }) => {
      if (entry !== undefined) author?.leaving(entry, plan.reducesRisk);
    });
  }

  /** Checks writes against limits that were replaced since they have passed the former ones, or (`undefined`) again. Returns the version that they have passed. */
  async #passAgain({ user, writes, limits: { passLimits } }: WriteBatch, passed: number | undefined): Promise<number> {
    const { limits, usage } = this.parts;
    let last = passed;
    while (last === undefined || last !== limits.inForce.version) {
      last = limits.inForce.version;
      const keys = writes.map(({ key }) => key);
      for (const key of keys) usage.release(addressOf(user, key));
      await passLimits(new Set(keys));
    }
    return last;
  }

  /** Whether a halt or a limit applies, or may apply, to a write that adds risk. */
  #isExempt(account: ExchangeAccount, user: string, author: WriteAuthor | undefined): boolean {
    const { halts, limits } = this.parts;
    return halts.mayApplyTo(account) || limits.applyTo({ user, account: account.name, client: author?.who ?? ANONYMOUS });
  }

  async #isStillOf({ account, user, writes }: WriteBatch): Promise<boolean> {
    const { users } = this.parts;
    if (user === users.known.standInOf(account)) return true;
    return (reduceRisk(writes) ? (users.cachedUser(account) ?? user) : await users.of(account, "write")) === user;
  }

  /** A request signed by a wrong clock may be refused, or executed and not be recognised by its time. */
  async #learnTime({ account, writes }: WriteBatch): Promise<void> {
    const { client, reader } = this.parts;
    const { isKnown, isInDoubt, errorMs } = client.exchangeClock;
    const priority = reduceRisk(writes) ? "cancel" : "write";
    // Only a signed call shows which of two times signatures are accepted for; unlike a write, a read is sent again.
    // The write itself shows whether its time is accepted.
    if (isInDoubt) await reader.read(reader.prepare(accountSettings, {}, account), { priority, alone: true }).catch(ifFault);
    else if (!isKnown || (errorMs > CLOCK_TOLERANCE_MS && priority === "write"))
      await reader.read(reader.prepare(serverTime, {}), { priority });
  }

  async #permits({ account, writes, deadlineAt }: WriteBatch, calls: readonly BatchCall[]): Promise<readonly Permit[]> {
    const { scheduler, knownUsers, instrumentation } = this.parts;
    const slots = await Promise.allSettled(
      calls.map(async ({ request: { endpoint }, places }) => {
        const carried = writes.filter((_, at) => places.includes(at));
        const isCancel = carried.every(({ plan }) => plan.reducesRisk || plan.policy.priority === "cancel");
        const { counter, rate } = counterOf(endpoint, account, knownUsers);
        const requesterOf = carried[0]?.requester ?? GATEWAY;
        // A write that reduces risk is sent even if its client has disconnected.
        const requester = isCancel ? evenIfGone(requesterOf) : requesterOf;
        try {
          return await scheduler.acquire(endpoint.name, counter, rate, isCancel ? "cancel" : "write", deadlineAt, requester);
        } catch (error) {
          instrumentation.upstreamCall.publish({ endpoint: endpoint.name, outcome: unsentBecause(error) });
          throw error;
        }
      }),
    );
    const refused = slots.find((slot) => slot.status === "rejected");
    if (refused === undefined) return slots.flatMap((slot) => (slot.status === "fulfilled" ? [slot.value] : []));
    for (const slot of slots) if (slot.status === "fulfilled") slot.value.giveBack();
    throw refused.reason;
  }
}

/** Calls whose answers were lost, other replicas and other programs may hold slots for long: half of them are free again soon. */
const slotsAtOnce = ({ limit }: Pick<RateLimit, "limit">): number => Math.ceil(limit / 2);

const reduceRisk = (writes: WriteBatch["writes"]): boolean => writes.every(({ plan }) => plan.reducesRisk);

const partOf = (batch: WriteBatch, places: readonly number[]): WriteBatch => ({
  ...batch,
  writes: batch.writes.filter((_, at) => places.includes(at)),
});

/** The outcomes of the writes of a later call that was not sent. */
function unsentFor(error: unknown, count: number): readonly SendOutcome[] {
  const faults = error instanceof BatchRefused ? error.faults : [];
  const [first = error] = faults.filter((fault) => fault !== undefined);
  return Array.from({ length: count }, (_, at) => ({ unsent: faults[at] ?? first }));
}

/** Makes a check for each write. Throws `BatchRefused` if one is refused. */
function refuseTogether(checks: readonly (() => void)[]): void {
  const faults = checks.map((check) => {
    try {
      check();
      return undefined;
    } catch (error) {
      return faultIn(error);
    }
  });
  if (faults.some((fault) => fault !== undefined)) throw new BatchRefused(faults);
}
