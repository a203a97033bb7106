import type { Clock } from "@exchange-graph/contract/clock";
import { type Fault, growingLru } from "../../errors/index.js";

/** Accounts whose streams stay open. `auto`: those that are read often; `none`: only those with listeners. */
export type LivePolicy = "auto" | "all" | "none";

/** Reads within this time count as one: a page reads many things at once. */
const ONE_LOOK_MS = 400;
/** Number of reads within a period that counts as often. */
const OFTEN = 3;
const OFTEN_WITHIN_MS = 15_000;
/** A stream without reads for this long is closed. */
const IDLE_MS = 60_000;
/** Pause after a failure. */
const RETRY_MS = 60_000;
/** Maximum number of subjects and kinds whose reads are counted. */
const MAX_WATCHED = 20_000;

/** A subject: an account, or market data of a symbol. */
interface Subject {
  readonly name: string;
}

interface Interest<S, K> {
  readonly subject: S;
  readonly kind: K;
  looks: number;
  firstLookAt: number;
  lastLookAt: number;
  retryAt: number;
  unlisten: (() => void) | undefined;
}

interface KeeperOptions<S, K> {
  readonly policy: LivePolicy;
  readonly clock: Clock;
  /** Opens a stream; `failed` is called when it has ended. */
  readonly listen: (kind: K, subject: S, failed: (why: Fault) => void) => () => void;
  /** Called when a stream fails; it is tried again later. */
  readonly onFailed: (kind: K, subject: S, why: Fault) => void;
  /** Maximum number of subjects at the same time. */
  readonly max: number;
  /** Whether two subjects with one name are the same; if not, the streams of the former are closed. */
  readonly isSame?: (one: S, other: S) => boolean;
}

/** Keeps streams open for data that is read often, and closes those without reads for a while. */
export class Keeper<S extends Subject, K extends string> {
  readonly #interests = growingLru<Interest<S, K>>(MAX_WATCHED);
  readonly #kept = new Set<Interest<S, K>>();
  #cancelSweep: (() => void) | undefined;

  constructor(private readonly options: KeeperOptions<S, K>) {}

  /** The open streams, by the name of their subject. */
  get kept(): readonly { readonly name: string; readonly kind: K }[] {
    return [...this.#kept].map(({ subject, kind }) => ({ name: subject.name, kind }));
  }

  used(subject: S, kind: K): void {
    if (this.options.policy === "none") return;
    const now = this.options.clock.now();
    const interest = this.#interestIn(subject, kind, now);
    if (now - interest.lastLookAt >= ONE_LOOK_MS || interest.looks === 0) {
      if (now - interest.firstLookAt > OFTEN_WITHIN_MS && interest.unlisten === undefined) {
        interest.looks = 0;
        interest.firstLookAt = now;
      }
      interest.looks++;
      interest.lastLookAt = now;
    }
    const isOften = this.options.policy === "all" || interest.looks >= OFTEN;
    if (isOften && interest.unlisten === undefined && now >= interest.retryAt) this.#keep(interest);
  }

  forget(name: string): void {
    for (const interest of [...this.#kept]) if (interest.subject.name === name) this.#letGo(interest);
  }

  close(): void {
    this.#cancelSweep?.();
    for (const interest of [...this.#kept]) this.#letGo(interest);
  }

  #interestIn(subject: S, kind: K, now: number): Interest<S, K> {
    const { isSame = Object.is } = this.options;
    const key = `${kind} ${subject.name}`;
    const existing = this.#interests.get(key);
    if (existing !== undefined && isSame(existing.subject, subject)) return existing;
    if (existing !== undefined) this.#letGo(existing);
    const interest: Interest<S, K> = {
      subject,
      kind,
      looks: 0,
      firstLookAt: now,
      lastLookAt: now,
      retryAt: 0,
      unlisten: undefined,
    };
    this.#interests.set(key, interest);
    return interest;
  }

  #keep(interest: Interest<S, K>): void {
    const names = new Set([...this.#kept].map(({ subject }) => subject.name));
    if (!names.has(interest.subject.name) && names.size >= this.options.max && !this.#makeRoom(interest.lastLookAt)) return;
    this.#kept.add(interest);
    interest.unlisten = this.options.listen(interest.kind, interest.subject, (why) => {
      this.#letGo(interest);
      interest.retryAt = this.options.clock.now() + RETRY_MS;
      this.options.onFailed(interest.kind, interest.subject, why);
    });
    this.#cancelSweep ??= this.options.clock.after(IDLE_MS / 2, () => this.#sweep());
  }

  /** Closes the streams of the least recently read subject, unless it was read just now. */
  #makeRoom(now: number): boolean {
    const lastLooks = new Map<string, number>();
    for (const { subject, lastLookAt } of this.#kept)
      lastLooks.set(subject.name, Math.max(lastLookAt, lastLooks.get(subject.name) ?? 0));
    const [oldest] = [...lastLooks].sort(([, one], [, other]) => one - other);
    if (oldest === undefined || now - oldest[1] < OFTEN_WITHIN_MS) return false;
    this.forget(oldest[0]);
    return true;
  }

  #sweep(): void {
    this.#cancelSweep = undefined;
    const now = this.options.clock.now();
    if (this.options.policy === "auto")
      for (const interest of [...this.#kept]) if (now - interest.lastLookAt >= IDLE_MS) this.#letGo(interest);
    if (this.#kept.size > 0) this.#cancelSweep = this.options.clock.after(IDLE_MS / 2, () => this.#sweep());
  }

  #letGo(interest: Interest<S, K>): void {
    this.#kept.delete(interest);
    interest.looks = 0;
    interest.unlisten?.();
    interest.unlisten = undefined;
  }
}
