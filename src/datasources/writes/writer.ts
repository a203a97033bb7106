import { type ExchangeAccount, SharedRequester } from "../calls/index.js";
import { Fault, type FaultCode, inTime } from "../errors/index.js";
import { BatchAssembly, type BatchSlot, refusedFor } from "./batchAssembly.js";
import { dryRun } from "./dryRun.js";
import { addressOf, type JournalEntry } from "./journal/journalEntry.js";
import { KeyTaken } from "./journal/writeJournal.js";
import { OutcomeRecorder, Unjournaled } from "./journaling.js";
import { type LostAnswer, OutcomeReconciler } from "./outcomeReconciler.js";
import {
  allPlanned,
  EarlierWrites,
  isOpen,
  lostAnswerOf,
  ownerNow,
  ownerOf,
  Preparation,
  passLimits,
  refusalsIn,
} from "./preparation.js";
import { Recovery } from "./recovery.js";
import { Sender } from "./sender.js";
import {
  alone,
  type Identified,
  isGivenUp,
  orThrow,
  outcomeOfRunning,
  type RunningWrite,
  type SharedWrite,
  Unreadable,
  type WriteEnd,
  type WriteEndOrFailure,
} from "./writeBatch.js";
import type { WriteParts } from "./writeParts.js";
import {
  digestOf,
  isClientFault,
  problemsOf,
  rejected,
  resultOf,
  reused,
  type WriteRequest,
  type WriteResult,
} from "./writePlan.js";

/** Maximum number of attempts if another process withdraws an entry with the same key. */
const KEY_TRIES = 3;

/** Codes with which a client is refused that may not send a write, or not any more. */
const REFUSALS: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "FORBIDDEN"] satisfies FaultCode[]);

/**
 * Executes writes. A write is sent at most once: checked, journaled, sent, and if its answer is lost, looked up until its outcome
 * is known. Repetitions with the same key get that outcome.
 */
export class Writer {
  readonly #running = new Map<string, SharedWrite>();
  readonly #earlier: EarlierWrites;
  readonly #outcomes: OutcomeRecorder;
  readonly #sender: Sender;
  readonly #reconciler: OutcomeReconciler;
  readonly #recovery: Recovery;
  readonly #preparation: Preparation;

  constructor(private readonly parts: WriteParts) {
    const unjournaled = new Unjournaled();
    this.#earlier = new EarlierWrites({ ...parts, unjournaled });
    this.#outcomes = new OutcomeRecorder({ ...parts, unjournaled });
    this.#sender = new Sender({ ...parts, unjournaled, outcomes: this.#outcomes });
    this.#reconciler = new OutcomeReconciler({
      ...parts,
      settle: (entry, verdict) => this.#outcomes.note(entry, verdict),
      onError: (entry, error) => parts.instrumentation.writeFailure.publish({ write: entry, error }),
    });
    this.#recovery = new Recovery({
      ...parts,
      isProvable: isOpen,
      follow: (account, entry) => this.#reconciler.follow(account, lostAnswerOf(entry)),
    });
    this.#preparation = new Preparation({ ...parts, recovery: this.#recovery, open: () => this.#reconciler.size });
  }

  /** Executes a write. Throws `Fault` if nothing was sent and the client cannot fix the cause. */
  async write<R>(request: WriteRequest<R>): Promise<WriteResult<R>> {
    return request.dryRun === true ? alone(await this.#rehearsed([request])) : this.#write(request);
  }

  async #write<R>(request: WriteRequest<R>, slot?: BatchSlot<Identified, WriteEndOrFailure>): Promise<WriteResult<R>> {
    const write = await this.#identified(request);
    const shared = this.#running.get(write.address);
    shared?.requester.join(request.requester);
    const { running } = shared ?? this.#join(write, slot);
    const { digest: first, end } = await running;
    slot?.leave(first !== write.digest);
    if (first !== write.digest) return reused(request.key);
    try {
      const ended = await end;
      if (!("outcome" in ended))
        return { ...resultOf(ended.ended, request.reply), isReplay: ended.isReplay || shared !== undefined };
      if (!ended.problems.some(({ code }) => REFUSALS.has(code))) return ended;
      const own = await request.requester.refusal();
      if (own !== undefined) return this.#refused(own);
      if (shared === undefined) return ended;
    } catch (error) {
      if (shared === undefined || !isGivenUp(error) || (await request.requester.refusal()) !== undefined) throw error;
    }
    // Nothing was sent, because its former clients may not send it any more or have gone.
    return this.#write(request);
  }

  /** The result for a client that may not send a write, whatever refused those that it shares it with. */
  #refused(why: Fault): WriteResult<never> {
    if (isClientFault(why)) return rejected(problemsOf(why));
    throw why;
  }

  /**
   * Executes writes of one account in one batch, with as few calls as the exchange takes, each with its own entry and
   * outcome. If one is refused before the first call is sent, none is sent. Throws `Fault` if nothing was sent and the client
   * cannot fix the cause.
   */
  async writeTogether<R>(requests: readonly WriteRequest<R>[]): Promise<readonly WriteResult<R>[]> {
    if (requests.some(({ dryRun }) => dryRun === true)) return this.#rehearsed(requests);
    const batch = new BatchAssembly<Identified, WriteEndOrFailure>(requests.length, async (writes, refused) =>
      refused.length === 0 ? this.#sendBatch(writes) : writes.map(() => rejected(problemsOf(refusedFor(refused)))),
    );
    const ends = await Promise.allSettled(
      requests.map((request, at) => {
        const slot = batch.slots[at];
        return this.#write(request, slot).finally(() => slot?.leave(false));
      }),
    );
    const failures = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
    const unexpected = failures.find((error) => !(error instanceof Fault));
    if (unexpected !== undefined || failures.length === ends.length) throw unexpected ?? failures[0];
    return ends.map((end) => (end.status === "fulfilled" ? end.value : rejected(problemsOf(end.reason))));
  }

  /** Starts to settle writes that ended processes have left open. Rejects while the journal cannot be used. */
  async resume(): Promise<void> {
    await this.#recovery.start();
  }

  /** Number of writes that are being looked up. */
  get open(): number {
    return this.#reconciler.size;
  }

  /** Waits for running writes, at most this long (ms). */
  async finish(withinMs: number): Promise<void> {
    const underWay = [...this.#running.values()].map(({ running }) => outcomeOfRunning(running));
    if (withinMs > 0 && underWay.length > 0) await inTime(this.parts.clock, Promise.allSettled(underWay), withinMs);
    this.#recovery.stop();
    this.#reconciler.stop();
  }

  /**
   * Resolves when every write of this account that is running now has an answer or has failed, including those of other processes
   * that share the journal, as long as that can be read.
   */
  async quiet(account: ExchangeAccount): Promise<void> {
    const { journal, deadlineMs } = this.parts;
    const { user } = await ownerOf(this.parts.users, account);
    const running = [...this.#running].filter(([address]) => address.startsWith(addressOf(user, "")));
    const [open] = await Promise.allSettled([journal.open(), ...running.map(([, write]) => outcomeOfRunning(write.running))]);
    const others = open.status === "rejected" ? [] : open.value.filter((entry) => entry.user === user && entry.state === "SENT");
    const left = others.filter((entry) => !this.#reconciler.follows(entry));
    await Promise.allSettled(left.map((entry) => journal.ended(entry, deadlineMs)));
  }

  /** Stops looking up and closes the journal: open writes are settled after the next start. */
  async close(): Promise<void> {
    this.#recovery.stop();
    this.#reconciler.stop();
    await this.parts.journal.close();
  }

  /** The identity of a write: its owner, key and digest. */
  async #identified(request: WriteRequest<unknown>): Promise<Identified> {
    const key = request.key?.text ?? this.parts.newName();
    const owner = await ownerOf(this.parts.users, request.account);
    return { request, owner, key, digest: digestOf(request.mutation, request.input), address: addressOf(owner.user, key) };
  }

  /** The results of a dry run of writes that would be sent in one batch. */
  async #rehearsed(requests: readonly WriteRequest<unknown>[]): Promise<readonly WriteResult<never>[]> {
    const writes = await Promise.all(requests.map((request) => this.#identified(request)));
    return dryRun(writes, this.parts.newName, async ({ request, owner, digest, address }) => {
      const shared = this.#running.get(address);
      const found = shared === undefined ? await this.#earlier.find(request.key, owner) : await shared.running;
      if (found !== undefined && !(found instanceof Unreadable) && found.digest !== digest) return reused(request.key);
      return this.#preparation.plan(request);
    });
  }

  /** Calls with the same key share a running write. */
  #join(write: Identified, slot: BatchSlot<Identified, WriteEndOrFailure> | undefined): SharedWrite {
    const { request, address } = write;
    const requester = new SharedRequester(request.requester);
    const running = this.#start({ ...write, request: { ...request, requester } }, slot);
    const shared = { requester, running };
    this.#running.set(address, shared);
    const leave = () => this.#running.delete(address);
    outcomeOfRunning(running).then(leave, leave);
    return shared;
  }

  async #start(write: Identified, slot: BatchSlot<Identified, WriteEndOrFailure> | undefined): Promise<RunningWrite> {
    const { request, owner, digest } = write;
    const past = await this.#earlier.find(request.key, owner);
    if (past !== undefined && !(past instanceof Unreadable)) return { digest: past.digest, end: this.#again(write, past) };
    const unsent = { ...write, unreadable: past ?? owner.unknown };
    const sent = slot === undefined ? this.#sentAlone(unsent) : slot.ready(unsent).then(orThrow);
    return { digest, end: request.key === undefined ? sent : this.#unlessSentElsewhere(write, sent) };
  }

  /**
   * If it was not sent here: the outcome of the same key at another process, if that has sent it meanwhile. That write may even be
   * the reason, because it has used up a limit. A refusal is an outcome of the key: it is not given unless the key is known to be
   * unused.
   */
  async #unlessSentElsewhere(
    write: Identified,
    sent: Promise<WriteEnd | WriteResult<never>>,
  ): Promise<WriteEnd | WriteResult<never>> {
    const [end] = await Promise.allSettled([sent]);
    if (end.status === "fulfilled" ? "ended" in end.value : !(end.reason instanceof Fault)) return sent;
    const { request, digest } = write;
    const owner = await ownerNow(this.parts.users, request.account, write.owner);
    const found = await this.#earlier.find(request.key, owner).catch((error: unknown) => new Unreadable(error));
    const unreadable = found instanceof Unreadable ? found : owner.unknown;
    if (unreadable !== undefined && end.status === "fulfilled") throw unreadable.why;
    if (found === undefined || found instanceof Unreadable) return sent;
    return found.digest === digest ? this.#again(write, found) : reused(request.key);
  }

  /**
   * The outcome of an earlier write with this key. The process that sent it knows its outcome first, so that is awaited before a
   * look-up at the exchange. A write that was not sent after all is sent now.
   */
  async #again(write: Identified, past: JournalEntry): Promise<WriteEnd | WriteResult<never>> {
    if (!isOpen(past)) return { ended: this.#outcomes.again(past), isReplay: true };
    const ended = this.#reconciler.follows(past) ? undefined : await this.#earlier.endedElsewhere(past);
    if (ended?.state === "UNSENT") return this.#sentAlone({ ...write, digest: past.digest, unreadable: write.owner.unknown });
    return ended === undefined
      ? this.#lookedUp(write.request.account, lostAnswerOf(past), true)
      : { ended: this.#outcomes.again(ended), isReplay: true };
  }

  async #sentAlone(write: Identified, tries = KEY_TRIES): Promise<WriteEnd | WriteResult<never>> {
    return orThrow(alone(await this.#sendBatch([write], tries)));
  }

  /** Sends a batch of writes of one account, and returns an outcome for each. Throws if nothing was sent. */
  async #sendBatch(identified: readonly Identified[], tries = KEY_TRIES): Promise<readonly WriteEndOrFailure[]> {
    const [first] = identified;
    if (first === undefined) return [];
    const { account, author, trace } = first.request;
    const { clock, deadlineMs, usage, limits, users } = this.parts;
    const deadlineAt = clock.now() + deadlineMs;
    const prepared = allPlanned(
      await Promise.all(
        identified.map(({ request, owner, unreadable }) => this.#preparation.ready(request, owner.user, deadlineAt, unreadable)),
      ),
    );
    if ("refused" in prepared) return prepared.refused;
    const { plans } = prepared;
    // Other processes know these keys by the user.
    const owner = await ownerNow(users, account, first.owner);
    const { user } = owner;
    const writes = identified.map((write) => ({ ...write, owner }));
    const passed = limits.inForce.version;
    const release = ({ key }: Identified) => usage.release(addressOf(user, key));
    try {
      await passLimits(writes, plans, { reserve: true, isAgain: false });
      const sent = await this.#sender.send({
        ...{ account, user, author, trace, deadlineAt },
        writes: writes.flatMap(({ request: { mutation, requester }, key, digest }, at) => {
          const plan = plans[at];
          return plan === undefined ? [] : [{ mutation, requester, plan, key, digest }];
        }),
        limits: {
          passed,
          passLimits: (keys) => {
            const isOne = (at: number): boolean => keys.has(writes[at]?.key ?? "");
            const [some, theirs] = [writes.filter((_, at) => isOne(at)), plans.filter((_, at) => isOne(at))];
            return passLimits(some, theirs, { reserve: true, isAgain: true });
          },
        },
      });
      return Promise.all(
        writes.map(async (write, at): Promise<WriteEndOrFailure> => {
          const end = sent[at];
          if (end === undefined) throw new TypeError("each write has an end");
          if ("ended" in end) return { ended: end.ended, isReplay: false };
          if ("lost" in end) return this.#lookedUp(account, end.lost, false);
          release(write);
          return end.unsent instanceof KeyTaken ? this.#taken(write, end.unsent, tries) : { failed: end.unsent };
        }),
      );
    } catch (error) {
      writes.forEach(release);
      return refusalsIn(error, writes.length);
    }
  }

  /** The outcome of a write whose key another process has used since the look-up. */
  async #taken(write: Identified, taken: KeyTaken, tries: number): Promise<WriteEndOrFailure> {
    const { request, owner, key, digest } = write;
    const others = await this.parts.journal.find(owner.user, key);
    // The entry with this key was withdrawn before it was sent: the key is free again.
    if (others === undefined && tries > 1) return this.#sentAlone(write, tries - 1);
    if (others === undefined) return { failed: taken };
    return others.digest === digest ? this.#again(write, others) : reused(request.key);
  }

  async #lookedUp(account: ExchangeAccount, loss: LostAnswer, isReplay: boolean): Promise<WriteEnd> {
    return { ended: await this.#reconciler.found(account, loss, this.parts.deadlineMs), isReplay };
  }
}
