import { accountSettings } from "@exchange-graph/contract/account";
import type { Clock } from "@exchange-graph/contract/clock";
import { classicFuturesAccount } from "@exchange-graph/contract/futuresAccount";
import type { FuturesProductType } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../calls/index.js";
import { Fault, growingLru } from "../errors/index.js";
import type { Reads } from "../reads/index.js";

/** Position mode and margin mode of an account for a symbol. */
interface PositionMode {
  readonly isHedged: boolean;
  /** Margin mode of orders without one; undefined on a unified account. */
  readonly marginMode: "crossed" | "isolated" | undefined;
}

/** The futures market of an order. */
export interface OrderMarket {
  readonly account: ExchangeAccount;
  readonly category: FuturesProductType;
  readonly symbol: string;
  /** Classic has a futures account per margin coin; undefined on a unified account. */
  readonly marginCoin: string | undefined;
}

/** The modes can be changed elsewhere; then the exchange refuses an order for the old one. */
const CACHED_FOR_MS = 5_000;
const MAX_KNOWN = 2_000;

/**
 * Position and margin modes of the exchange's users. An order has a different meaning in each, so they are read before the first
 * one. They are cached for some seconds, separately from the answer cache: every order invalidates that, but none changes the
 * modes. Exemptions from limits and halts never use the cache: `isStillHedged` asks the exchange.
 */
export class PositionModes {
  readonly #modes = growingLru<{ readonly mode: PositionMode; readonly at: number }>(MAX_KNOWN);
  /** Number of drops so far: a mode whose read was sent before the last drop may be outdated. */
  #drops = 0;

  constructor(
    private readonly clock: Clock,
    private readonly userOf: (account: ExchangeAccount) => string,
  ) {}

  async of(reads: Reads, market: OrderMarket): Promise<PositionMode> {
    const cached = this.#modes.get(this.#keyOf(market));
    if (cached !== undefined && this.clock.now() - cached.at < CACHED_FOR_MS) return cached.mode;
    return this.#read(reads, market);
  }

  /** Whether positions are held in hedge mode now, as the exchange answers to this call. Throws `Fault`. */
  async isStillHedged(reads: Reads, market: OrderMarket): Promise<boolean> {
    return (await this.#read({ read: (...args) => reads.readAlone(...args) }, market)).isHedged;
  }

  /** Drops the modes of this user: one has changed, or an answer contradicts it. */
  forget(user: string): void {
    this.#drops++;
    for (const key of [...this.#modes.keys()]) if (key.startsWith(`${user}/`)) this.#modes.delete(key);
  }

  async #read(reads: Pick<Reads, "read">, market: OrderMarket): Promise<PositionMode> {
    const key = this.#keyOf(market);
    const drops = this.#drops;
    const mode = await modeOf(reads, market);
    if (drops === this.#drops) this.#modes.set(key, { mode, at: this.clock.now() });
    return mode;
  }

  /** Users and their placeholders contain no slash. */
  #keyOf({ account, category, symbol }: OrderMarket): string {
    return `${this.userOf(account)}/${category}/${symbol}`;
  }
}

async function modeOf(reads: Pick<Reads, "read">, { account, category, symbol, marginCoin }: OrderMarket): Promise<PositionMode> {
  if (marginCoin === undefined) {
    const { holdMode } = await reads.read(accountSettings, {}, account);
    return { isHedged: isHedged(holdMode), marginMode: undefined };
  }
  const values = { symbol, productType: category, marginCoin };
  const { holdMode, marginMode } = await reads.read(classicFuturesAccount, values, account);
  return { isHedged: isHedged(holdMode), marginMode: marginMode === "UNKNOWN" ? undefined : (marginMode ?? undefined) };
}

/** An order is refused in an unknown mode. */
function isHedged(holdMode: "one_way_mode" | "hedge_mode" | "UNKNOWN" | null): boolean {
  if (holdMode === "one_way_mode" || holdMode === "hedge_mode") return holdMode === "hedge_mode";
  throw new Fault("EXCHANGE_BAD_RESPONSE", "the exchange sent an unknown position mode; nothing was sent");
}
