import type { Clock } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { ExchangeClock } from "../exchange/exchangeClock.js";
import { Fault } from "../fault.js";
import type { Reader } from "../reads/reader.js";
import type { JournalEntry, Verdict, WriteProblem } from "./journal/entry.js";
import { policyOf } from "./policies/index.js";
import type { Finding, LookUp } from "./policies/policy.js";
import { Semaphore } from "./semaphore.js";

/** Pauses between look-ups, from the loss on and again from the last moment on; the last one stands for all that follow. */
const PAUSES_MS = [250, 1_000, 3_000, 8_000, 15_000, 30_000];
/** Look-ups of one account at a time: they share its read budget with everybody else. Who asked for the writes take turns. */
const LOOK_UPS_AT_ONCE = 4;
/** What the exchange has carried out shows in its reads at the latest after this. */
export const SHOWS_WITHIN_MS = 5_000;

interface ReconcilerParts {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly exchangeClock: ExchangeClock;
  /** Other writes of the account to the same endpoint, around the same time. */
  readonly neighbours: (entry: JournalEntry) => Promise<readonly JournalEntry[]>;
  /** Those that may have taken effect after it. */
  readonly since: (entry: JournalEntry) => Promise<readonly JournalEntry[]>;
  /** Called with how a lost write has ended. */
  readonly settle: (entry: JournalEntry, verdict: Verdict) => JournalEntry;
  /** Called with an error that is none of the exchange's. The look-up is repeated. */
  readonly onError: (entry: JournalEntry, error: unknown) => void;
}

/** A write whose answer was lost. */
export interface Loss {
  readonly entry: JournalEntry;
  /** How it was lost. */
  readonly problem: WriteProblem;
  /**
   * When the exchange has refused, for a reason that the write itself may be (its time, Unix ms). If it was not, there is
   * no trace of it once everything shows that was carried out by then.
   */
  readonly refusedAt: number | undefined;
}

interface Reading {
  readonly lookUp: LookUp;
  /** Could a row of what it read not be read? Then what it has not found may be there. */
  readonly isPartial: () => boolean;
}

/**
 * Finds out what became of writes whose answer was lost, by reading alone: nothing is ever sent again.
 *
 * That a write took effect is known as soon as a look-up finds it. That it did not is known only when a look-up which was
 * asked after its request had expired still finds nothing: until then the request may be on its way. So a lost write is
 * looked up at growing intervals, and once more right after its last moment; while the exchange does not answer, for as
 * long as that takes.
 */
export class Reconciler {
  readonly #following = new Map<number, Promise<JournalEntry>>();
  /** By the names of accounts, who looks up now. */
  readonly #semaphores = new Map<string, Semaphore>();
  #stopped = false;

  constructor(private readonly parts: ReconcilerParts) {}

  /** Lost writes that are being looked up. */
  get size(): number {
    return this.#following.size;
  }

  /** Is this one being looked up? */
  follows({ seq }: Pick<JournalEntry, "seq">): boolean {
    return this.#following.has(seq);
  }

  /** Follows a lost write until its end is known, or it is known that it never will be. Never rejects. */
  follow(account: ExchangeAccount, lost: Loss): Promise<JournalEntry> {
    const { seq } = lost.entry;
    const known = this.#following.get(seq);
    if (known !== undefined) return known;
    const settled = this.#pursue(account, lost).finally(() => this.#following.delete(seq));
    this.#following.set(seq, settled);
    return settled;
  }

  /** Leaves everything as it is: what is open now is settled by the next process. */
  stop(): void {
    this.#stopped = true;
  }

  async #pursue(account: ExchangeAccount, lost: Loss): Promise<JournalEntry> {
    const { settle, exchangeClock } = this.parts;
    const { entry } = lost;
    for (let attempt = 0, wasOver = false; ; attempt++) {
      const verdict = await this.#ask(account, lost);
      if (verdict !== undefined && !this.#stopped) return settle(entry, verdict);
      const leftMs = lastMoment(lost) - exchangeClock.earliest();
      if (leftMs <= 0 && !wasOver) [attempt, wasOver] = [0, true];
      const pauseMs = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0;
      // The first look-up that can prove an absence comes right after the last moment.
      await this.#pause(leftMs > 0 ? Math.min(pauseMs, leftMs + 1) : pauseMs);
    }
  }

  /** One look-up: the end of the write, or nothing yet. */
  async #ask(account: ExchangeAccount, lost: Loss): Promise<Verdict | undefined> {
    const { entry, problem } = lost;
    const { exchangeClock, neighbours, since, onError } = this.parts;
    const proof = policyOf(entry.endpoint)?.proof;
    if (proof === undefined) return { state: "UNKNOWN", problem };
    const leave = await this.#semaphoreOf(account).enter(entry.who ?? "");
    const { lookUp, isPartial } = this.#reading(account);
    // By a clock that the exchange has not set, nothing can be said to have expired.
    const hasExpired = exchangeClock.isKnown && exchangeClock.earliest() > lastMoment(lost);
    try {
      const finding = await proof.look(lookUp, {
        values: entry.values,
        entry,
        refusedAt: lost.refusedAt,
        others: () => neighbours(entry),
        since: () => since(entry),
      });
      return verdictOf(finding === "no trace" && isPartial() ? "undecidable" : finding, hasExpired, lost);
    } catch (error) {
      if (!(error instanceof Fault)) onError(entry, error);
      return undefined;
    } finally {
      leave();
    }
  }

  /** Once stopped, nothing goes on. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.parts.clock.after(ms, () => {
        if (!this.#stopped) resolve();
      });
    });
  }

  #semaphoreOf({ name }: ExchangeAccount): Semaphore {
    const semaphore = this.#semaphores.get(name) ?? new Semaphore(LOOK_UPS_AT_ONCE);
    this.#semaphores.set(name, semaphore);
    return semaphore;
  }

  #reading(account: ExchangeAccount): Reading {
    const { reader } = this.parts;
    let isPartial = false;
    return {
      isPartial: () => isPartial,
      lookUp: {
        read<P extends ParameterSet, D>(endpoint: Endpoint<P, D>, values: Values<P>): Promise<D> {
          const call = reader.prepare(endpoint, values, account);
          if (endpoint.cache !== undefined) reader.drop(call.owner, [endpoint.name]);
          const onPartial = () => {
            isPartial = true;
          };
          return reader.read(call, { priority: "write", onPartial });
        },
      },
    };
  }
}

/** After this nothing more comes of a lost write, and what came shows. */
const lastMoment = ({ entry, refusedAt }: Loss): number =>
  refusedAt === undefined ? entry.validUntil : Math.min(entry.validUntil, refusedAt + SHOWS_WITHIN_MS);

const EXPIRED: WriteProblem = {
  code: "EXCHANGE_TIMEOUT",
  message: "the request was lost and has had no effect: its last moment has passed and the exchange knows nothing of it",
  retryable: true,
};

/** A write without effect: by a refusal that was in doubt, if there was one, and otherwise it got lost. */
const withoutEffect = ({ problem, refusedAt }: Loss): Verdict => {
  const isRefused = refusedAt !== undefined || (problem.code === "EXCHANGE_REJECTED" && problem.exchange !== undefined);
  return { state: "REJECTED", problem: isRefused ? problem : EXPIRED };
};

function verdictOf(finding: Finding<unknown>, hasExpired: boolean, lost: Loss): Verdict | undefined {
  if (finding === "undecidable") return hasExpired ? { state: "UNKNOWN", problem: lost.problem } : undefined;
  if (finding === "another's" && lost.refusedAt !== undefined) return withoutEffect(lost);
  if (finding === "no trace" || finding === "another's") return hasExpired ? withoutEffect(lost) : undefined;
  if ("accepted" in finding) return { state: "ACCEPTED", reply: finding.accepted };
  if (lost.refusedAt !== undefined) return withoutEffect(lost);
  return { state: "REJECTED", problem: { code: finding.rejected, message: finding.why, retryable: false } };
}
