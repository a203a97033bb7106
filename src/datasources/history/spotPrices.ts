import { type DecimalText, isZero } from "@exchange-graph/contract/decimal";
import type { MarketStreams, Unlisten } from "../streams/index.js";

const MAX_COINS = 500;
/** A price that was not confirmed for this long does not count. */
const MAX_AGE_MS = 5_000;

const marketOf = (coin: string) => ({ category: "SPOT", symbol: `${coin}USDT` }) as const;

interface Followed {
  unlisten: Unlisten;
  /** Null if there is no such market. */
  price: DecimalText | null | undefined;
}

/** Prices of coins in USDT, from ticker streams: those of Classic spot balances, which no figure of the account depends on. */
export class SpotPrices {
  readonly #followed = new Map<string, Followed>();

  constructor(
    private readonly market: Pick<MarketStreams, "ticker" | "tickerKnownUntil">,
    /** The exchange's time, Unix ms. */
    private readonly now: () => number,
  ) {}

  want(coins: ReadonlySet<string>): void {
    for (const [coin, { unlisten }] of this.#followed)
      if (!coins.has(coin)) {
        this.#followed.delete(coin);
        unlisten();
      }
    for (const coin of coins)
      if (coin !== "USDT" && !this.#followed.has(coin) && this.#followed.size < MAX_COINS) this.#follow(coin);
  }

  /** The price; null if the coin has no market with USDT, undefined if its price is not known now. */
  of(coin: string): DecimalText | null | undefined {
    if (coin === "USDT") return "1";
    const price = this.#followed.get(coin)?.price;
    if (price === undefined || price === null) return price;
    const knownUntil = this.market.tickerKnownUntil(marketOf(coin)) ?? 0;
    return this.now() - knownUntil <= MAX_AGE_MS ? price : undefined;
  }

  close(): void {
    this.want(new Set());
  }

  #follow(coin: string): void {
    const followed: Followed = { unlisten: () => undefined, price: undefined };
    this.#followed.set(coin, followed);
    followed.unlisten = this.market.ticker(marketOf(coin), {
      next: ({ value: { lastPrice }, stale }) => {
        followed.price = stale || lastPrice === null || isZero(lastPrice) ? undefined : lastPrice;
      },
      failed: ({ code }) => {
        if (code === "EXCHANGE_REJECTED") followed.price = null;
        else if (this.#followed.get(coin) === followed) this.#followed.delete(coin);
      },
    });
  }
}
