import { countdownCancelAll } from "@exchange-graph/contract/bulkWrites";
import { HOUR_MS, SECOND_MS } from "@exchange-graph/contract/clock";
import { TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import { counterOf, type ExchangeAccount, GATEWAY } from "../calls/index.js";
import { Fault, ifFault, inTime } from "../errors/index.js";
import { Trace } from "../reads/index.js";
import type { JournalEntry } from "./journal/journalEntry.js";
import { REMEMBERED_MS } from "./journal/writeJournal.js";
import { countdownCancelAllPolicy } from "./policies/bulk.js";
import { done } from "./policies/replies.js";
import type { WriteParts } from "./writeParts.js";
import { plan } from "./writePlan.js";
import type { Writer } from "./writer.js";

/** An armed switch. Times are the exchange's, Unix ms. */
interface ArmedSwitch {
  readonly seconds: number;
  /** When it was armed. */
  readonly since: number;
  /** When orders are cancelled unless the gateway calls again; null if the exchange has not confirmed the switch yet. */
  readonly until: number | null;
}

/** A user's switch, as the journal shows it. */
interface Kept {
  /** The highest number of a read entry. */
  seen: number;
  /** The last write that armed or disarmed it. */
  entry: JournalEntry | undefined;
  /** When a call about it was last sent, and last confirmed. */
  sentAt: number;
  confirmedAt: number | undefined;
  /** When this process last armed it to keep it alive, the exchange's time. */
  armedAt: number;
  /** Until then a call of a former switch that fires earlier may arrive, the exchange's time. */
  shortenedUntil: number;
  /** How the last call failed: for its rate alone, or otherwise. Undefined if it succeeded. */
  failure: "RATE_LIMITED" | "OTHER" | undefined;
  /** Number of calls that were refused for good: after each the next account of the user is tried, whose key may have the right to trade. */
  refusals: number;
}

const TICK_MS = SECOND_MS;
/** Interval at which writes of other processes are read. */
const LOOK_MS = 10 * SECOND_MS;
/**
 * A call is made after each third of the countdown, so that one may be lost. The exchange takes one a second: between two of them there
 * is time for a write about the switch at a gateway that does not know of these calls.
 */
const SHARE = 3;
/**
 * A process holds the right to keep a switch alive for half of its countdown after each call. Another process tries to take the
 * right every second, so it calls in time if the first one is gone.
 */
const HELD_SHARE = 2;
/**
 * After a switch was disarmed, or armed for longer than before, an earlier call may still arrive. Until then the last call is repeated,
 * in this interval.
 */
const LATE_MS = TIMESTAMP_WINDOW_MS + 5 * SECOND_MS;
const AGAIN_MS = 2 * SECOND_MS;
/** How long the journal is waited for. After that a switch is kept alive as it was last known. */
const JOURNAL_MS = SECOND_MS / 2;
/**
 * A call waits for half of the countdown for its slot, which a process that has ended may still occupy, and is given up without an answer
 * after a fourth; after five seconds at most.
 */
const SLOT_SHARE = 2;
const ANSWER_SHARE = 4;
const LONGEST_MS = 5 * SECOND_MS;
const PAGE = 100;

export const SWITCH_FAILURE =
  "a dead man's switch could not be kept alive: open orders are cancelled unless that succeeds in time";

/**
 * Keeps the exchange's dead man's switches alive while this process runs. The journal says which are armed, so they survive a
 * restart and are known to all replicas. One of those that share it keeps a switch alive at a time, and another takes over if that
 * one is gone or cannot reach the exchange: a switch fires when none of them can.
 */
export class SwitchKeeper {
  readonly #kept = new Map<string, Kept>();
  /** Users whose switch is being looked at. */
  readonly #busy = new Set<string>();
  #cancel: (() => void) | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(
    private readonly parts: Pick<
      WriteParts,
      "accounts" | "users" | "journal" | "client" | "scheduler" | "knownUsers" | "clock" | "instrumentation"
    > & { readonly writer: Pick<Writer, "write"> },
  ) {}

  start(): void {
    this.#cancel = this.parts.clock.after(TICK_MS, () => {
      this.#tick();
      if (!this.#isStopped) this.start();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  /** The account's switch; undefined if it is not armed. Throws `Fault` if the journal, or the account's user, cannot be read. */
  async of(account: ExchangeAccount): Promise<ArmedSwitch | undefined> {
    const { entry, confirmedAt } = await this.#read(await this.parts.users.of(account));
    const seconds = secondsOf(entry);
    if (entry === undefined || seconds === 0) return undefined;
    const last = confirmedAt ?? (entry.state === "ACCEPTED" ? entry.sentAt : undefined);
    return { seconds, since: entry.sentAt, until: last === undefined ? null : last + seconds * SECOND_MS };
  }

  /** Reads at once what a write has changed. */
  async look(account: ExchangeAccount): Promise<void> {
    const user = this.parts.users.cachedUser(account);
    if (user !== undefined) await this.#read(user).catch(ifFault);
  }

  /** A call about one user's switch delays no other user's. */
  #tick(): void {
    const { accounts, users, clock, instrumentation } = this.parts;
    const looksAtAll = clock.now() - this.#lookedAt >= LOOK_MS;
    if (looksAtAll) this.#lookedAt = clock.now();
    for (const user of new Set(accounts.all.map((account) => users.cachedUser(account)))) {
      if (user === undefined || this.#busy.has(user)) continue;
      if (!looksAtAll && this.#kept.get(user)?.entry === undefined) continue;
      this.#busy.add(user);
      this.#keep(user)
        .catch(ifFault)
        .catch((error: unknown) => instrumentation.failure.publish({ error, what: SWITCH_FAILURE }))
        .finally(() => this.#busy.delete(user));
    }
  }

  async #keep(user: string): Promise<void> {
    const { clock, client } = this.parts;
    // Without an answer of the journal a switch is kept alive as it was last known.
    const kept = (await this.#inTime(this.#read(user))) ?? this.#kept.get(user);
    if (kept?.entry === undefined) return;
    const { entry } = kept;
    const seconds = secondsOf(entry);
    const now = client.exchangeClock.now();
    if (seconds === 0 && now - Math.max(entry.sentAt, kept.armedAt) > LATE_MS) return;
    const pauseMs = pauseAfter(kept, seconds, now);
    if (clock.now() - kept.sentAt < pauseMs) return;
    // After a failed call this process calls again even if another one has the right, because that one's calls may fail too. A call that
    // was one too many followed another one, which was in time.
    if (kept.failure !== "OTHER" && (await this.#isKeptElsewhere(user, kept, seconds))) return;
    const account = this.#accountFor(user, kept);
    if (account === undefined) return;
    kept.sentAt = clock.now();
    if (seconds > 0) kept.armedAt = now;
    try {
      await this.#send(account, seconds);
      kept.confirmedAt = now;
      kept.failure = undefined;
    } catch (error) {
      if (kept.failure === undefined) this.parts.instrumentation.failure.publish({ error, what: SWITCH_FAILURE });
      if (error instanceof Fault && !error.extensions.retryable) kept.refusals++;
      kept.failure = error instanceof Fault && error.code === "RATE_LIMITED" ? "RATE_LIMITED" : "OTHER";
      await this.#inTime(this.parts.journal.giveUp(rightOf(user, seconds)));
      ifFault(error);
    }
    const hour = Math.floor(now / HOUR_MS);
    if (seconds > 0 && hour > Math.floor(entry.sentAt / HOUR_MS)) await this.#inTime(this.#renew(account, seconds, hour));
  }

  /** The account that has armed the switch, or after refusals another one of the user; undefined if all were removed. */
  #accountFor(user: string, { entry, refusals }: Kept): ExchangeAccount | undefined {
    const accounts = this.parts.knownUsers.accountsOf(user);
    const first = Math.max(
      0,
      accounts.findIndex(({ name }) => name === entry?.account),
    );
    return accounts[(first + refusals) % accounts.length];
  }

  /** What the journal answers; undefined if it cannot, or not in time. */
  #inTime<T>(answer: Promise<T>): Promise<T | undefined> {
    return inTime(this.parts.clock, answer, JOURNAL_MS).catch((error: unknown) => {
      ifFault(error);
      return undefined;
    });
  }

  /** Takes the right to keep a switch alive. Without an answer of the journal it is kept alive here. */
  async #isKeptElsewhere(user: string, kept: Kept, seconds: number): Promise<boolean> {
    const { journal, client } = this.parts;
    const forMs = seconds === 0 ? 2 * AGAIN_MS : (seconds * SECOND_MS) / HELD_SHARE;
    const leftMs = (await this.#inTime(journal.hold(rightOf(user, seconds), forMs))) ?? 0;
    if (leftMs <= 0) return false;
    kept.confirmedAt = Math.max(kept.confirmedAt ?? 0, client.exchangeClock.now() - Math.max(0, forMs - leftMs));
    return true;
  }

  /** Records again that it is armed, because the journal forgets old writes. All replicas do that under one key. */
  #renew(account: ExchangeAccount, countdown: number, hour: number): Promise<unknown> {
    return this.parts.writer.write({
      ...{ account, trace: new Trace(), requester: GATEWAY, mutation: "armDeadMansSwitch", reply: done },
      input: { seconds: countdown },
      key: { text: `dead man's switch, hour ${hour}`, field: "idempotencyKey" },
      // During a halt too: it changes nothing.
      plan: async () => plan(countdownCancelAllPolicy, { countdown }, {}, () => [], { reducesRisk: true }),
      passLimits: async () => undefined,
    });
  }

  /** Sends the call once; after a failure the next call makes up for it. */
  async #send(account: ExchangeAccount, countdown: number): Promise<void> {
    const { client, scheduler, knownUsers, clock } = this.parts;
    const { counter, rate } = counterOf(countdownCancelAll, account, knownUsers);
    const within = (share: number) =>
      clock.now() + (countdown === 0 ? AGAIN_MS : Math.min(LONGEST_MS, (countdown * SECOND_MS) / share));
    const permit = await scheduler.acquire(countdownCancelAll.name, counter, rate, "cancel", within(SLOT_SHARE), GATEWAY);
    try {
      const { remaining } = await client.call(countdownCancelAll, { countdown }, account, within(ANSWER_SHARE));
      permit.settle({ remaining });
    } catch (error) {
      permit.settle();
      throw error;
    }
  }

  /** The switch by the current journal: from its latest entries, or from all of them if those do not decide. */
  async #read(user: string): Promise<Kept> {
    const { journal, client, clock } = this.parts;
    const latest = await journal.page(user, undefined, PAGE);
    const existing = this.#kept.get(user);
    const kept = existing ?? {
      seen: 0,
      entry: undefined,
      sentAt: Number.NEGATIVE_INFINITY,
      confirmedAt: undefined,
      armedAt: Number.NEGATIVE_INFINITY,
      shortenedUntil: Number.NEGATIVE_INFINITY,
      failure: undefined,
      refusals: 0,
    };
    this.#kept.set(user, kept);
    const [newest, oldest] = [latest[0]?.seq ?? 0, latest.at(-1)?.seq ?? 0];
    const isComplete = existing !== undefined && (latest.length < PAGE || oldest <= existing.seen);
    // The write that was the last one may have had no effect after all.
    const isGone = kept.entry !== undefined && kept.entry.seq >= oldest;
    const found = lastOf(latest) ?? (isComplete && !isGone ? kept.entry : undefined);
    const moment = { seq: undefined, user, endpoint: countdownCancelAll.name, sentAt: client.exchangeClock.now() };
    const entry = found ?? (isComplete && !isGone ? undefined : lastOf(await journal.around(moment, REMEMBERED_MS)));
    if (entry?.seq !== kept.entry?.seq) {
      const former = kept.entry ?? lastOf(latest.filter(({ seq }) => entry !== undefined && seq < entry.seq));
      if (entry !== undefined && former !== undefined && secondsOf(former) < secondsOf(entry))
        kept.shortenedUntil = entry.sentAt + LATE_MS;
      kept.confirmedAt = undefined;
      // After a start, and after a lost answer, it is not known how much of the time has passed.
      kept.sentAt = existing !== undefined && entry?.state === "ACCEPTED" ? clock.now() : Number.NEGATIVE_INFINITY;
    }
    kept.entry = entry;
    kept.seen = Math.max(kept.seen, newest);
    return kept;
  }
}

/** Minimum time between two calls. */
const pauseAfter = ({ shortenedUntil }: Kept, seconds: number, now: number): number => {
  const usual = (seconds * SECOND_MS) / SHARE - TICK_MS / 2;
  if (seconds === 0) return AGAIN_MS;
  return now < shortenedUntil ? Math.min(AGAIN_MS, usual) : usual;
};

/** The last write about a switch that may have had an effect. */
const lastOf = (entries: readonly JournalEntry[]): JournalEntry | undefined =>
  entries
    .filter(({ endpoint, state }) => endpoint === countdownCancelAll.name && state !== "REJECTED" && state !== "UNSENT")
    .toSorted((one, other) => one.seq - other.seq)
    .at(-1);

/** The countdown is part of the name: the right to a switch with another countdown is a different right. */
const rightOf = (user: string, seconds: number): string => `dead man's switch of ${user}, ${seconds} s`;

const secondsOf = (entry: JournalEntry | undefined): number => {
  const { countdown } = entry?.values ?? {};
  return typeof countdown === "number" ? countdown : 0;
};
