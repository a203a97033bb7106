import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { type ExchangeAccount, FairQueue } from "../calls/index.js";
import { Fault, inTime } from "../errors/index.js";
import type { JournalEntry, Verdict, WriteProblem } from "./journal/journalEntry.js";
import { policyOf } from "./policies/index.js";
import { type LookUp, type LookUpResult, SHOWS_WITHIN_MS } from "./policies/policy.js";
import type { WriteParts } from "./writeParts.js";

/** Pauses between look-ups, from the loss on and again from the end of validity on; the last one repeats. */
const PAUSES_MS = [250, 1_000, 3_000, 8_000, 15_000, 30_000];
/** Concurrent look-ups of one account, which share its read budget with other clients. The clients of the writes take turns. */
const LOOK_UPS_AT_ONCE = 4;
/** Additional time for looking up a refusal that the write itself may have caused. */
const ECHO_LOOK_UP_MS = 2_000;
/** Writes with equal content further apart than this cannot be mistaken for each other. */
const NEIGHBOURHOOD_MS = 60_000;

interface ReconcilerParts extends Pick<WriteParts, "reader" | "knownUsers" | "clock" | "exchangeClock" | "journal"> {
  /** Called with the outcome of a lost write. */
  readonly settle: (entry: JournalEntry, verdict: Verdict) => JournalEntry;
  /** Called with an error that is not the exchange's. The look-up is repeated. */
  readonly onError: (entry: JournalEntry, error: unknown) => void;
}

/** A write whose answer was lost. */
export interface LostAnswer {
  readonly entry: JournalEntry;
  readonly problem: WriteProblem;
  /**
   * Time (Unix ms) of a refusal that the write itself may have caused. If it did not, there is no trace of it once everything
   * executed by then is visible.
   */
  readonly refusedAt: number | undefined;
}

/**
 * Determines the outcomes of writes whose answer was lost, by reads only: nothing is ever sent again.
 *
 * A look-up that finds the write proves that it took effect. Only a look-up after the end of its validity that finds nothing proves
 * that it did not, because until then its request may still arrive. So a lost write is looked up at growing intervals, and right
 * after the end of its validity; if the exchange does not answer, until it does.
 */
export class OutcomeReconciler {
  readonly #following = new Map<number, Promise<JournalEntry>>();
  readonly #semaphores = new WeakMap<ExchangeAccount, Semaphore>();
  #stopped = false;

  constructor(private readonly parts: ReconcilerParts) {}

  /** Number of lost writes that are being looked up. */
  get size(): number {
    return this.#following.size;
  }

  /** Whether this one is being looked up. */
  follows({ seq }: Pick<JournalEntry, "seq">): boolean {
    return this.#following.has(seq);
  }

  /** Looks a lost write up until its outcome is known, or known to be undecidable. Never rejects. */
  follow(account: ExchangeAccount, lost: LostAnswer): Promise<JournalEntry> {
    const { seq } = lost.entry;
    const existing = this.#following.get(seq);
    if (existing !== undefined) return existing;
    const settled = this.#pursue(account, lost).finally(() => this.#following.delete(seq));
    this.#following.set(seq, settled);
    return settled;
  }

  /** The same, within a part of the client's `deadlineMs`. After that it returns the outcome UNKNOWN, and the look-up continues. */
  async found(account: ExchangeAccount, lost: LostAnswer, deadlineMs: number): Promise<JournalEntry> {
    const half = deadlineMs / 2;
    // A refusal that the write may have caused is decided shortly after all effects are visible.
    const withinMs = lost.refusedAt === undefined ? half : Math.max(half, SHOWS_WITHIN_MS + ECHO_LOOK_UP_MS);
    const found = await inTime(this.parts.clock, this.follow(account, lost), withinMs);
    return found ?? this.parts.settle(lost.entry, { state: "UNKNOWN", problem: lost.problem });
  }

  /** Stops without changes: open writes are settled by the next process. */
  stop(): void {
    this.#stopped = true;
  }

  async #pursue(account: ExchangeAccount, lost: LostAnswer): Promise<JournalEntry> {
    const { settle } = this.parts;
    const { entry } = lost;
    for (let attempt = 0, wasOver = false; ; attempt++) {
      const verdict = await this.#ask(account, lost);
      if (verdict !== undefined && !this.#stopped) return settle(entry, verdict);
      const leftMs = this.#leftMs(lost);
      if (leftMs <= 0 && !wasOver) [attempt, wasOver] = [0, true];
      const pauseMs = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0;
      // The first look-up that can prove absence comes right after the end of validity.
      await this.#pause(leftMs > 0 ? Math.min(pauseMs, leftMs + 1) : pauseMs);
    }
  }

  /**
   * Time until a lost write can no longer take effect, and any effect is visible; negative after it. After a jump of the exchange's
   * clock the whole validity has to pass once more.
   */
  #leftMs({ entry: { sentAt, validUntil }, refusedAt }: LostAnswer): number {
    const { exchangeClock } = this.parts;
    const last = refusedAt === undefined ? validUntil : Math.min(validUntil, refusedAt + SHOWS_WITHIN_MS);
    return Math.max(last - exchangeClock.earliest(), validUntil - sentAt - exchangeClock.sinceStepMs);
  }

  /** One look-up: the outcome, or undefined. */
  async #ask(account: ExchangeAccount, lost: LostAnswer): Promise<Verdict | undefined> {
    const { entry, problem } = lost;
    const { exchangeClock, journal, onError } = this.parts;
    const proof = policyOf(entry.endpoint)?.proof;
    if (proof === undefined) return { state: "UNKNOWN", problem };
    const leave = await this.#semaphoreOf(account).enter(entry.who ?? "");
    const of = this.#presentOf(account, entry);
    if (of === undefined) {
      leave();
      return undefined;
    }
    let isPartial = false;
    const lookUp = this.#lookUp(of, () => {
      isPartial = true;
    });
    // Before the clock was synchronised with the exchange, nothing counts as expired.
    const hasExpired = exchangeClock.isKnown && this.#leftMs(lost) < 0;
    try {
      const finding = await proof.look(lookUp, {
        values: entry.values,
        entry,
        refusedAt: lost.refusedAt,
        others: () => journal.around(entry, NEIGHBOURHOOD_MS),
        since: () => journal.since(entry),
      });
      // The account's user may have changed during the look-up; another user has no trace of the write.
      if (this.#presentOf(of, entry) !== of) return undefined;
      return verdictOf(finding === "no trace" && isPartial ? "undecidable" : finding, hasExpired, lost);
    } catch (error) {
      if (!(error instanceof Fault)) onError(entry, error);
      // The account has another mode than at the time of the write, in which nothing shows its traces.
      else if (hasExpired && error.code === "ACCOUNT_MODE_MISMATCH" && !error.extensions.retryable)
        return { state: "UNKNOWN", problem };
      return undefined;
    } finally {
      leave();
    }
  }

  /** The current account of the entry's user: the account that sent it may have been renamed, or may be another user's now. */
  #presentOf(account: ExchangeAccount, { user }: JournalEntry): ExchangeAccount | undefined {
    const accounts = this.parts.knownUsers.accountsOf(user);
    return accounts.includes(account) ? account : accounts[0];
  }

  /** Never resolves once stopped. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.parts.clock.after(ms, () => {
        if (!this.#stopped) resolve();
      });
    });
  }

  #semaphoreOf(account: ExchangeAccount): Semaphore {
    const semaphore = this.#semaphores.get(account) ?? new Semaphore(LOOK_UPS_AT_ONCE);
    this.#semaphores.set(account, semaphore);
    return semaphore;
  }

  /** Reads for one account. `onPartial` is called if a row could not be decoded: then a missing record may exist. */
  #lookUp(account: ExchangeAccount, onPartial: () => void): LookUp {
    const { reader } = this.parts;
    return {
      read<P extends ParameterSet, D>(endpoint: Endpoint<P, D>, values: Values<P>): Promise<D> {
        const call = reader.prepare(endpoint, values, account);
        if (endpoint.cache !== undefined) reader.drop(call.account?.name, [endpoint.name]);
        return reader.read(call, { priority: "write", onPartial });
      },
    };
  }
}

const EXPIRED: WriteProblem = {
  code: "EXCHANGE_TIMEOUT",
  message: "the request was lost and had no effect: its validity has ended and the exchange has no trace of it",
  retryable: true,
};

/** The verdict on a write without effect: the refusal, if the exchange sent one; otherwise that its request was lost. */
const withoutEffect = ({ problem, refusedAt }: LostAnswer): Verdict => {
  const isRefused = refusedAt !== undefined || (problem.code === "EXCHANGE_REJECTED" && problem.exchange !== undefined);
  return { state: "REJECTED", problem: isRefused ? problem : EXPIRED };
};

function verdictOf(finding: LookUpResult<unknown>, hasExpired: boolean, lost: LostAnswer): Verdict | undefined {
  if (finding === "undecidable") return hasExpired ? { state: "UNKNOWN", problem: lost.problem } : undefined;
  if (finding === "another's" && lost.refusedAt !== undefined) return withoutEffect(lost);
  if (finding === "no trace" || finding === "another's") return hasExpired ? withoutEffect(lost) : undefined;
  if ("accepted" in finding) return { state: "ACCEPTED", reply: finding.accepted };
  if (lost.refusedAt !== undefined) return withoutEffect(lost);
  return { state: "REJECTED", problem: { code: finding.rejected, message: finding.why, retryable: false } };
}

/** A semaphore with a fixed number of permits; waiting clients take turns. */
export class Semaphore {
  #free: number;
  readonly #waiting = new FairQueue<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Waits for a permit; call the result once to release it. */
  async enter(client: string): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.add(client, resolve));
    return () => {
      const next = this.#waiting.next();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}
