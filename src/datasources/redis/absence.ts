import { LEASE_MS } from "./engineScripts.js";
import type { Replicas, Seen } from "./seen.js";

/** That the engine is gone holds for so long after it was found out, ms: until then its leases cannot have been given to others. */
const HOLDS_MS = LEASE_MS;
/**
 * Attempts that fail no further apart than that are one absence: an engine that was back in between has granted nothing new, for it learns
 * for a lease and a rest.
 */
const APART_MS = LEASE_MS + 1_000;

/** An attempt without an answer for so long shows that an engine that was gone is gone still. */
export const STILL_MS = 250;

/** What shows that the engine is gone, and not that this process did not run. Times are of the monotonic clock. */
export interface Gone {
  /** When the engine had last answered. */
  readonly heardAt: number;
  /** It has granted nothing since: when the first of the attempts began that have failed one after the other. */
  readonly since: number;
  readonly replicas: Replicas;
}

/**
 * How long the engine has been gone. That it is, is known when an attempt to reach it has failed in no more time than attempts take: a
 * process that was stopped meanwhile cannot say. It counts once this replica's leases have ended, and has to be found out again and
 * again: a process that was stopped in between does not know what the engine has done meanwhile.
 */
export class Absence {
  #heardAt = Number.NEGATIVE_INFINITY;
  #failed: (Gone & { readonly at: number }) | undefined;

  constructor(
    private readonly monotonic: () => number,
    /** An attempt takes no longer than that: several steps, of which a server that is gone lets none but the first begin. */
    private readonly attemptMs: number,
    private readonly seen: Pick<Seen, "replicasAt">,
  ) {}

  /** How it was found out that the engine is gone; nothing where that is not known now. */
  get gone(): Gone | undefined {
    const now = this.monotonic();
    return this.#failed !== undefined && now >= this.#failed.heardAt + LEASE_MS && now <= this.#failed.at + HOLDS_MS
      ? this.#failed
      : undefined;
  }

  /** Has this replica gone on without the engine since it last reached it? */
  get wasAlone(): boolean {
    return this.#failed !== undefined && this.monotonic() >= this.#failed.heardAt + LEASE_MS;
  }

  /** It has answered; `at` by the monotonic clock. */
  heard(at: number): void {
    this.#heardAt = at;
  }

  /** A connection to it was opened. */
  ended(): void {
    this.#failed = undefined;
  }

  /** An attempt to reach it has had no answer for a while: that it has failed by then need not be waited for. */
  unanswered(startedAt: number): void {
    if (this.gone !== undefined) this.failed(startedAt);
  }

  /** An attempt to reach it has failed. Where it was never reached nothing is known. */
  failed(startedAt: number): void {
    const at = this.monotonic();
    const before = this.#failed;
    const heardAt = before?.heardAt ?? this.#heardAt;
    const replicas = this.seen.replicasAt(heardAt);
    if (replicas === undefined || at - startedAt > this.attemptMs) return;
    const isLast = before !== undefined && at <= before.at + APART_MS;
    this.#failed = { at, heardAt, since: isLast ? before.since : startedAt, replicas };
  }
}
