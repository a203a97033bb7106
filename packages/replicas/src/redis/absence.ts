import { LEASE_MS } from "./script.js";
import type { Replicas, Seen } from "./seen.js";

/** Time in ms for which the proof that Redis is gone is valid: until then its leases cannot have been granted to others. */
const HOLDS_MS = LEASE_MS;
/**
 * Failed attempts no further apart than this count as one absence: a Redis that was back in between has granted nothing new,
 * because it only learns during a lease and a rest.
 */
const APART_MS = LEASE_MS + 1_000;

/** If a Redis that was gone does not answer an attempt within this time, it is still gone. */
export const STILL_MS = 250;

/** Proof that Redis is gone, and that it is not this process that was suspended. Times are monotonic. */
export interface AbsenceProof {
  /** Time of Redis's last answer. */
  readonly lastAnswerAt: number;
  /** Redis has granted nothing since: the start of the first of the consecutive failed attempts. */
  readonly since: number;
  readonly replicas: Replicas;
}

/**
 * Tracks how long Redis has been gone. It is known to be gone if an attempt to reach it failed within the time that attempts
 * take: a process that was suspended meanwhile cannot know. It counts once this replica's leases have ended, and has to be
 * confirmed repeatedly, because a process that was suspended in between does not know what Redis has granted meanwhile.
 */
export class Absence {
  #lastAnswerAt = Number.NEGATIVE_INFINITY;
  #failed: (AbsenceProof & { readonly at: number }) | undefined;

  constructor(
    private readonly monotonic: () => number,
    /** Maximum duration of an attempt. It has several steps; a server that is gone fails the first. */
    private readonly attemptMs: number,
    private readonly seen: Pick<Seen, "replicasAt">,
  ) {}

  /** The proof that Redis is gone; undefined if that is not known now. */
  get gone(): AbsenceProof | undefined {
    const now = this.monotonic();
    return this.#failed !== undefined && now >= this.#failed.lastAnswerAt + LEASE_MS && now <= this.#failed.at + HOLDS_MS
      ? this.#failed
      : undefined;
  }

  /** Whether this replica has continued alone since it last reached Redis. */
  get wasAlone(): boolean {
    return this.#failed !== undefined && this.monotonic() >= this.#failed.lastAnswerAt + LEASE_MS;
  }

  /** Records an answer; `at` is monotonic. */
  received(at: number): void {
    this.#lastAnswerAt = at;
  }

  /** Records that a connection was opened. */
  ended(): void {
    this.#failed = undefined;
  }

  /** Records that an attempt has had no answer for a while, which is enough to know that it will fail. */
  unanswered(startedAt: number): void {
    if (this.gone !== undefined) this.failed(startedAt);
  }

  /** Records a failed attempt. If Redis was never reached, nothing is known. */
  failed(startedAt: number): void {
    const at = this.monotonic();
    const before = this.#failed;
    const lastAnswerAt = before?.lastAnswerAt ?? this.#lastAnswerAt;
    const replicas = this.seen.replicasAt(lastAnswerAt);
    if (replicas === undefined || at - startedAt > this.attemptMs) return;
    const isLast = before !== undefined && at <= before.at + APART_MS;
    this.#failed = { at, lastAnswerAt, since: isLast ? before.since : startedAt, replicas };
  }
}
