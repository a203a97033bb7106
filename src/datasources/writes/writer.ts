import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import {
  type Accounts,
  type ExchangeAccount,
  type ExchangeClient,
  type KnownUsers,
  type Scheduler,
  SharedRequester,
} from "../calls/index.js";
import { Fault, inTime } from "../errors/index.js";
import type { AccountModes, Reader, Users } from "../reads/index.js";
import { EarlierWrites, isOpen, lossOf, ownerOf } from "./earlierWrites.js";
import { arrivalOf, isGivenUp, type Owner, type RunningWrite, type SharedWrite, Unreadable, type WriteEnd } from "./flight.js";
import type { Halts } from "./halts/halts.js";
import { addressOf, type JournalEntry } from "./journal/entry.js";
import { KeyTaken, type WriteJournal } from "./journal/writeJournal.js";
import type { LimitGate } from "./limits/limitGate.js";
import type { Usage } from "./limits/usage.js";
import { OutcomeRecorder } from "./outcomeRecorder.js";
import type { PositionModes } from "./positionModes.js";
import { Preparation } from "./preparation.js";
import { type Loss, Reconciler, SHOWS_WITHIN_MS } from "./reconciler.js";
import { Recovery } from "./recovery.js";
import { Sender } from "./sender.js";
import { Unjournaled } from "./unjournaled.js";
import {
  digestOf,
  dryRunResult,
  isClientFault,
  problemsOf,
  rejected,
  resultOf,
  reused,
  type WriteRequest,
  type WriteResult,
} from "./write.js";

interface WriterParts {
  readonly client: ExchangeClient;
  readonly reader: Reader;
  readonly scheduler: Scheduler;
  readonly modes: AccountModes;
  readonly positionModes: PositionModes;
  readonly clock: Clock;
  readonly journal: WriteJournal;
  readonly users: Users;
  readonly knownUsers: Pick<KnownUsers, "idOf" | "accountsOf">;
  readonly halts: Halts;
  readonly usage: Usage;
  readonly limits: Pick<LimitGate, "dayBroken" | "applyTo" | "inForce">;
  /** Whether writes that only reduce risk are sent when the journal cannot be written. */
  readonly cancelWithoutJournal: boolean;
  readonly accounts: Accounts;
  /** Returns a unique text. */
  readonly newName: () => string;
  /** Timeout of the exchange's answer; after a lost one, half of it for a look-up. */
  readonly deadlineMs: number;
  readonly instrumentation: Instrumentation;
}

/** Additional time for looking up a refusal that the write itself may have caused. */
const ECHO_LOOK_UP_MS = 2_000;
/** Writes with equal content further apart than this cannot be mistaken for each other. */
const NEIGHBOURHOOD_MS = 60_000;

/** Maximum number of attempts if another process withdraws an entry with the same key. */
const KEY_TRIES = 3;

/**
 * Executes writes. A write is sent at most once: checked, journaled, sent, and if its answer is lost, looked up until its outcome
 * is known. Repetitions with the same key get that outcome.
 */
export class Writer {
  readonly #flights = new Map<string, SharedWrite>();
  readonly #earlier: EarlierWrites;
  readonly #outcomes: OutcomeRecorder;
  readonly #sender: Sender;
  readonly #reconciler: Reconciler;
  readonly #recovery: Recovery;
  readonly #preparation: Preparation;

  constructor(private readonly parts: WriterParts) {
    const { client, journal, instrumentation } = parts;
    const { exchangeClock } = client;
    const unjournaled = new Unjournaled();
    this.#earlier = new EarlierWrites({ ...parts, unjournaled });
    this.#outcomes = new OutcomeRecorder({ ...parts, unjournaled, exchangeClock });
    this.#sender = new Sender({ ...parts, unjournaled, outcomes: this.#outcomes });
    this.#reconciler = new Reconciler({
      ...parts,
      exchangeClock,
      neighbours: (entry) => journal.around(entry, NEIGHBOURHOOD_MS),
      since: (entry) => journal.since(entry),
      settle: (entry, verdict) => this.#outcomes.note(entry, verdict),
      onError: (entry, error) => instrumentation.writeFailure.publish({ write: entry, error }),
    });
    this.#recovery = new Recovery({
      ...parts,
      isProvable: isOpen,
      follow: (account, entry) => this.#reconciler.follow(account, lossOf(entry)),
    });
    this.#preparation = new Preparation({ ...parts, recovery: this.#recovery, open: () => this.#reconciler.size });
  }

  /** Executes a write. Throws `Fault` if nothing was sent and the client cannot fix the cause. */
  async write<R>(request: WriteRequest<R>): Promise<WriteResult<R>> {
    const { account, mutation, input, reply } = request;
    const key = request.key?.text ?? this.parts.newName();
    const digest = digestOf(mutation, input);
    const owner = await ownerOf(this.parts.users, account);
    const address = addressOf(owner.user, key);
    const flying = this.#flights.get(address);
    if (request.dryRun === true) {
      const found = flying === undefined ? await this.#earlier.find(request.key, owner) : await flying.flight;
      if (found !== undefined && !(found instanceof Unreadable) && found.digest !== digest) return reused(request.key);
      const planned = await this.#preparation.plan(request);
      if ("outcome" in planned) return planned;
      return (
        (await this.#preparation.refusedByLimits(request, owner.user, planned)) ??
        dryRunResult(planned, await planned.estimate?.())
      );
    }
    flying?.requester.join(request.requester);
    const { flight } = flying ?? this.#join(address, request, owner, key, digest);
    const { digest: first, arrival } = await flight;
    if (first !== digest) return reused(request.key);
    try {
      const arrived = await arrival;
      if ("outcome" in arrived) return arrived;
      return { ...resultOf(arrived.ended, reply), isReplay: arrived.isReplay || flying !== undefined };
    } catch (error) {
      // It was cancelled because its former clients have gone, and nothing was sent.
      if (flying === undefined || !isGivenUp(error) || request.requester.refusal() !== undefined) throw error;
      return this.write(request);
    }
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
    const underWay = [...this.#flights.values()].map(({ flight }) => arrivalOf(flight));
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
    const flights = [...this.#flights].filter(([address]) => address.startsWith(addressOf(user, "")));
    const [open] = await Promise.allSettled([journal.open(), ...flights.map(([, { flight }]) => arrivalOf(flight))]);
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

  /** Calls with the same key share a running write. */
  #join<R>(address: string, request: WriteRequest<R>, owner: Owner, key: string, digest: string): SharedWrite {
    const requester = new SharedRequester(request.requester);
    const flight = this.#start({ ...request, requester }, owner, key, digest);
    const shared = { requester, flight };
    this.#flights.set(address, shared);
    const leave = () => this.#flights.delete(address);
    arrivalOf(flight).then(leave, leave);
    return shared;
  }

  async #start<R>(request: WriteRequest<R>, owner: Owner, key: string, digest: string): Promise<RunningWrite> {
    const past = await this.#earlier.find(request.key, owner);
    if (past === undefined || past instanceof Unreadable)
      return { digest, arrival: this.#dispatch(request, owner, key, digest, past ?? owner.unknown) };
    return { digest: past.digest, arrival: this.#again(request, owner, key, past) };
  }

  /**
   * The outcome of an earlier write with this key. The process that sent it knows first, so it is awaited before the exchange is
   * asked. A write that was not sent after all is sent now.
   */
  async #again<R>(
    request: WriteRequest<R>,
    owner: Owner,
    key: string,
    past: JournalEntry,
  ): Promise<WriteEnd | WriteResult<never>> {
    if (!isOpen(past)) return { ended: past, isReplay: true };
    const ended = this.#reconciler.follows(past) ? undefined : await this.#earlier.endedElsewhere(past);
    if (ended?.state === "UNSENT") return this.#dispatch(request, owner, key, past.digest, owner.unknown);
    return ended === undefined ? this.#looked(request.account, lossOf(past), true) : { ended, isReplay: true };
  }

  async #dispatch<R>(
    request: WriteRequest<R>,
    owner: Owner,
    key: string,
    digest: string,
    past?: Unreadable,
    tries = KEY_TRIES,
  ): Promise<WriteEnd | WriteResult<never>> {
    const { user } = owner;
    const { account, author, mutation, trace, requester } = request;
    const { clock, deadlineMs } = this.parts;
    const deadlineAt = clock.now() + deadlineMs;
    const plan = await this.#preparation.ready(request, user, deadlineAt, past);
    if ("outcome" in plan) return plan;
    const passed = this.parts.limits.inForce.version;
    const refused = await this.#preparation.refusedByLimits(request, user, plan, key);
    if (refused !== undefined) return refused;
    const passLimits = () => this.#preparation.passLimits(request, user, plan, key, true);
    try {
      const limits = { passed, passLimits };
      const dispatch = { account, user, author, mutation, trace, requester, plan, key, digest, limits, deadlineAt };
      const sent = await this.#sender.send(dispatch);
      return "ended" in sent ? { ended: sent.ended, isReplay: false } : this.#looked(account, sent.lost, false);
    } catch (error) {
      this.parts.usage.release(addressOf(user, key));
      if (error instanceof Fault && isClientFault(error)) return rejected(problemsOf(error));
      if (!(error instanceof KeyTaken)) throw error;
      const others = await this.parts.journal.find(user, key);
      // The entry with this key was withdrawn before it was sent: the key is free again.
      if (others === undefined && tries > 1) return this.#dispatch(request, owner, key, digest, past, tries - 1);
      if (others === undefined) throw error;
      return others.digest === digest ? this.#again(request, owner, key, others) : reused(request.key);
    }
  }

  /** The outcome of a write that has to be looked up. */
  async #looked(account: ExchangeAccount, loss: Loss, isReplay: boolean): Promise<WriteEnd> {
    return { ended: await this.#found(account, loss), isReplay };
  }

  /** Waits for the look-up of a lost write for a limited time; then the client gets the outcome UNKNOWN. */
  async #found(account: ExchangeAccount, loss: Loss): Promise<JournalEntry> {
    const settled = this.#reconciler.follow(account, loss);
    const half = this.parts.deadlineMs / 2;
    // A refusal that the write may have caused is decided shortly after all effects are visible.
    const withinMs = loss.refusedAt === undefined ? half : Math.max(half, SHOWS_WITHIN_MS + ECHO_LOOK_UP_MS);
    return (
      (await inTime(this.parts.clock, settled, withinMs)) ??
      this.#outcomes.note(loss.entry, { state: "UNKNOWN", problem: loss.problem })
    );
  }
}
