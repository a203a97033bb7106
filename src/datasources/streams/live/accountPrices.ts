import { type Exact, exact, isZero } from "@exchange-graph/contract/decimal";
import type { FuturesCategory, MarketCategory } from "@exchange-graph/contract/vocabulary";
import type { Prices, PricesAt } from "../../reads/index.js";
import type { MarketStreams, Unlisten } from "../listening.js";

/** Number of kept prices per symbol: those of some seconds. */
const MAX_RECENT = 20;
/** Maximum number of symbols followed for one account. */
const MAX_SYMBOLS = 50;
/** A dead connection is detected late: a price without an update for this long does not count as current. */
const MAX_AGE_MS = 5_000;

/** Prices that an account's figures depend on: mark prices of contracts, and prices of coins. */
interface WantedPrices {
  readonly contracts: readonly { readonly category: FuturesCategory; readonly symbol: string }[];
  readonly coins: readonly string[];
}

interface Followed {
  readonly market: { readonly category: MarketCategory; readonly symbol: string };
  unlisten: Unlisten;
  price: Exact | undefined;
  /** The last prices, the newest one last. */
  readonly recent: { readonly price: Exact; readonly time: number }[];
  /** Time of the data at the exchange, Unix ms. */
  time: number;
}

const ONE = exact("1");
const keyOf = (category: string, symbol: string): string => `${category} ${symbol}`;
const spotOf = (coin: string) => ({ category: "SPOT", symbol: `${coin}USDT` }) as const;

/** All wanted prices at one time. */
class PriceSet implements PricesAt {
  constructor(
    private readonly prices: ReadonlyMap<string, Exact>,
    readonly time: number,
  ) {}

  mark(category: string, symbol: string): Exact | undefined {
    return this.prices.get(keyOf(category, symbol));
  }

  coin(coin: string): Exact | undefined {
    if (coin === "USDT") return ONE;
    const { category, symbol } = spotOf(coin);
    return this.prices.get(keyOf(category, symbol));
  }
}

/** Follows the prices that an account's figures depend on, by ticker streams. */
export class AccountPrices {
  readonly #followed = new Map<string, Followed>();
  #present: Prices | undefined;
  /** The markets whose prices were too old at that time. */
  #old = "";
  #isTooMuch = false;

  constructor(
    private readonly market: Pick<MarketStreams, "ticker" | "tickerKnownUntil">,
    /** The exchange's time, Unix ms. */
    private readonly now: () => number,
    private readonly changed: () => void,
  ) {}

  want({ contracts, coins }: WantedPrices): void {
    const markets = [...contracts, ...coins.filter((coin) => coin !== "USDT").map(spotOf)];
    const wanted = new Map(markets.map((market) => [keyOf(market.category, market.symbol), market]));
    this.#isTooMuch = wanted.size > MAX_SYMBOLS;
    for (const [key, { unlisten }] of this.#followed) {
      if (wanted.has(key) && !this.#isTooMuch) continue;
      this.#followed.delete(key);
      unlisten();
      this.#present = undefined;
    }
    if (this.#isTooMuch) return;
    for (const [key, market] of wanted) if (!this.#followed.has(key)) this.#follow(key, market);
  }

  /** The prices that are known and not too old; undefined if there are too many. The same object until one changes. */
  get present(): Prices | undefined {
    if (this.#isTooMuch) return undefined;
    const old = this.#oldKeys();
    if (this.#present !== undefined && old === this.#old) return this.#present;
    const prices = new Map<string, Exact>();
    for (const [key, followed] of this.#followed)
      if (followed.price !== undefined && !this.#isOld(followed)) prices.set(key, followed.price);
    this.#old = old;
    this.#present = new PriceSet(prices, this.now());
    return this.#present;
  }

  #oldKeys(): string {
    let old = "";
    for (const [key, followed] of this.#followed) if (this.#isOld(followed)) old += `${key},`;
    return old;
  }

  #isOld({ time }: Followed): boolean {
    return this.now() - time > MAX_AGE_MS;
  }

  /** The prices of the last seconds, at each time at which one was pushed. */
  moments(): readonly PricesAt[] {
    const all = [...this.#followed].map(([key, { recent }]) => ({ key, recent }));
    const times = new Set(all.flatMap(({ recent }) => recent.map(({ time }) => time)));
    const latest = [...times].sort((one, other) => one - other).slice(-MAX_RECENT);
    const moments = latest.map((time) => ({ time, prices: new Map<string, Exact>() }));
    for (const { key, recent } of all) {
      let last = -1;
      for (const { time, prices } of moments) {
        while ((recent[last + 1]?.time ?? Number.POSITIVE_INFINITY) <= time) last++;
        const price = recent[last]?.price;
        if (price !== undefined) prices.set(key, price);
      }
    }
    return moments.map(({ time, prices }) => new PriceSet(prices, time));
  }

  /** Age of the oldest price that is not too old, ms. */
  get ageMs(): number {
    const now = this.now();
    let age = 0;
    for (const followed of this.#followed.values())
      if (!this.#isOld(followed)) age = Math.max(age, now - (this.market.tickerKnownUntil(followed.market) ?? followed.time));
    return age;
  }

  close(): void {
    this.want({ contracts: [], coins: [] });
  }

  #follow(key: string, market: Followed["market"]): void {
    const followed: Followed = { market, unlisten: () => undefined, price: undefined, recent: [], time: 0 };
    this.#followed.set(key, followed);
    this.#present = undefined;
    const isSpot = market.category === "SPOT";
    const unlisten = this.market.ticker(market, {
      next: ({ value: { markPrice, lastPrice }, stale, time }) => {
        if (this.#followed.get(key) !== followed) return;
        const price = isSpot ? lastPrice : markPrice;
        followed.time = time;
        this.#take(followed, stale || price === null || isZero(price) ? undefined : exact(price));
      },
      // A coin without a market has no price. A failed ticker is followed again after the account's next event.
      failed: () => {
        if (this.#followed.get(key) !== followed) return;
        this.#followed.delete(key);
        this.#present = undefined;
        this.changed();
      },
    });
    followed.unlisten = unlisten;
    if (this.#followed.get(key) !== followed) unlisten();
  }

  #take(followed: Followed, price: Exact | undefined): void {
    const { price: last } = followed;
    if (price === undefined ? last === undefined : last !== undefined && price.eq(last)) return;
    followed.price = price;
    if (price !== undefined) followed.recent.push({ price, time: followed.time });
    if (followed.recent.length > MAX_RECENT) followed.recent.shift();
    this.#present = undefined;
    this.changed();
  }
}
