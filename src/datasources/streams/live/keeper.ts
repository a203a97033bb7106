import type { Clock } from "@exchange-graph/contract/clock";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { growingLru } from "../../cache/lru.js";
import type { LiveKind } from "./liveEndpoints.js";

/** Which accounts are kept live. `auto`: those that are read often; `none`: only as long as somebody listens. */
export type LivePolicy = "auto" | "all" | "none";

/** Asks within this time count as one: a page asks for many things at once. */
const ONE_LOOK_MS = 400;
/** So many looks within so long are often. */
const OFTEN = 3;
const OFTEN_WITHIN_MS = 15_000;
/** What nobody has asked for is let go after this long. */
const IDLE_MS = 60_000;
/** What could not be kept is tried again after this long. */
const RETRY_MS = 60_000;
/** How many accounts are kept at once: each takes a connection, of which the exchange allows a number to one address. */
const MAX_ACCOUNTS = 60;
/** Accounts and kinds whose interest is remembered. */
const MAX_WATCHED = 20_000;

interface Interest {
  readonly account: ExchangeAccount;
  readonly kind: LiveKind;
  looks: number;
  firstLookAt: number;
  lastLookAt: number;
  retryAt: number;
  unlisten: (() => void) | undefined;
}

interface KeeperOptions {
  readonly policy: LivePolicy;
  readonly clock: Clock;
  /** Keeps a stream open; `failed` is called once it is over. */
  readonly listen: (kind: LiveKind, account: ExchangeAccount, failed: () => void) => () => void;
}

/** Keeps open what is read often, and lets go of what nobody has asked for in a while. */
export class Keeper {
  readonly #interests = growingLru<Interest>(MAX_WATCHED);
  readonly #kept = new Set<Interest>();
  #cancelSweep: (() => void) | undefined;

  constructor(private readonly options: KeeperOptions) {}

  /** What is kept open, by account. */
  get kept(): readonly { readonly account: string; readonly kind: LiveKind }[] {
    return [...this.#kept].map(({ account, kind }) => ({ account: account.name, kind }));
  }

  /** Somebody has asked. */
  asked(account: ExchangeAccount, kind: LiveKind): void {
    if (this.options.policy === "none") return;
    const now = this.options.clock.now();
    const interest = this.#interestIn(account, kind, now);
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

  /** The account is there no more. */
  forget(account: string): void {
    for (const interest of [...this.#kept]) if (interest.account.name === account) this.#letGo(interest);
  }

  close(): void {
    this.#cancelSweep?.();
    for (const interest of [...this.#kept]) this.#letGo(interest);
  }

  #interestIn(account: ExchangeAccount, kind: LiveKind, now: number): Interest {
    const key = `${kind} ${account.name}`;
    const known = this.#interests.get(key);
    if (known !== undefined && known.account === account) return known;
    if (known !== undefined) this.#letGo(known);
    const interest: Interest = {
      account,
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

  #keep(interest: Interest): void {
    const names = new Set([...this.#kept].map(({ account }) => account.name));
    if (!names.has(interest.account.name) && names.size >= MAX_ACCOUNTS && !this.#makeRoom(interest.lastLookAt)) return;
    this.#kept.add(interest);
    interest.unlisten = this.options.listen(interest.kind, interest.account, () => {
      this.#letGo(interest);
      interest.retryAt = this.options.clock.now() + RETRY_MS;
    });
    this.#cancelSweep ??= this.options.clock.after(IDLE_MS / 2, () => this.#sweep());
  }

  /** Lets go of the account that was asked for longest ago, if that is not now. */
  #makeRoom(now: number): boolean {
    const lastLooks = new Map<string, number>();
    for (const { account, lastLookAt } of this.#kept)
      lastLooks.set(account.name, Math.max(lastLookAt, lastLooks.get(account.name) ?? 0));
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

  #letGo(interest: Interest): void {
    this.#kept.delete(interest);
    interest.looks = 0;
    interest.unlisten?.();
    interest.unlisten = undefined;
  }
}
