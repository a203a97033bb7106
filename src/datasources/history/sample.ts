import { type DecimalText, exact, isZero, plain } from "@exchange-graph/contract/decimal";
import { isRead } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../calls/index.js";
import { sumOf, valueAt } from "../reads/index.js";
import type { LiveWorth } from "../streams/index.js";

/** The purses that a coin can be in: the unified account, or Classic spot and the futures account of a category. */
export const POOLS = ["UNIFIED", "SPOT", ...FUTURES_CATEGORIES] as const;
export type Pool = (typeof POOLS)[number];

/** Coins of one kind in one purse. Equity is balance plus unrealised profit less debt. */
export interface HeldCoin {
  readonly pool: Pool;
  readonly coin: string;
  readonly balance: DecimalText;
  readonly unrealisedPnl: DecimalText;
  readonly debt: DecimalText;
  /** Of one coin, in USDT; null if it has no market with USDT: it then counts as worthless. */
  readonly price: DecimalText | null;
}

/** What an account was worth at a time. Amounts without a coin are in USDT, exact sums of coins at their prices. */
export interface Sample {
  /** The exchange's time, Unix ms. */
  readonly time: number;
  /** `STREAM`: proven live state. `RECONSTRUCTED`: computed backwards from the money history. */
  readonly source: "STREAM" | "RECONSTRUCTED";
  /** When its lists were last compared with the exchange, the earliest of them, Unix ms; null if they never were. */
  readonly comparedAt: number | null;
  readonly mode: AccountMode;
  readonly equity: DecimalText;
  readonly unrealisedPnl: DecimalText;
  readonly debt: DecimalText;
  /** Null if the exchange does not say it. */
  readonly marginInUse: DecimalText | null;
  readonly coins: readonly HeldCoin[];
}

export const netOf = ({ balance, unrealisedPnl, debt }: HeldCoin): DecimalText =>
  plain(exact(balance).plus(unrealisedPnl).minus(debt));

/** The price of a Classic spot coin in USDT; null if it has no market, undefined if it is not known now. */
type SpotPrice = (coin: string) => DecimalText | null | undefined;

const price = ({ prices }: LiveWorth, coin: string): DecimalText | undefined => {
  const found = prices.coin(coin);
  return found && plain(found);
};

/** The sample of an account's worth; undefined if something of it is not known. */
export function sampleOf(worth: LiveWorth, spotPrice: SpotPrice): Sample | undefined {
  const { mode, holdings, time, comparedAt = null } = worth;
  const coins = mode === "UNIFIED" ? unifiedCoins(worth) : classicCoins(worth, spotPrice);
  if (coins === undefined) return undefined;
  const inUse = holdings.unified === null ? classicMargin(worth) : holdings.unified.initialMarginUsd;
  return { ...totalsOf(coins), time, source: "STREAM", comparedAt, mode, marginInUse: inUse, coins };
}

/** The totals of these coins, in USDT. */
export const totalsOf = (coins: readonly HeldCoin[]) => ({
  equity: sumOf(coins.map((coin) => valueAt(netOf(coin), coin.price))),
  unrealisedPnl: sumOf(coins.map((coin) => valueAt(coin.unrealisedPnl, coin.price))),
  debt: sumOf(coins.map((coin) => valueAt(coin.debt, coin.price))),
});

function unifiedCoins(worth: LiveWorth): readonly HeldCoin[] | undefined {
  const coins = (worth.holdings.unified?.assets ?? []).map((asset): HeldCoin | undefined => {
    if (!isRead(asset)) return undefined;
    const { coin, equity, balance, debt } = asset;
    const at = price(worth, coin);
    if (equity === null || balance === null || debt === null || at === undefined) return undefined;
    const unrealisedPnl = plain(exact(equity).minus(balance).plus(debt));
    return { pool: "UNIFIED", coin, balance, unrealisedPnl, debt, price: at };
  });
  return whole(coins);
}

function classicCoins(worth: LiveWorth, spotPrice: SpotPrice): readonly HeldCoin[] | undefined {
  const { spot, futures } = worth.holdings;
  const spotCoins = spot.map(({ coin, available, frozen, locked }): HeldCoin | undefined => {
    const at = spotPrice(coin);
    if (available === null || at === undefined) return undefined;
    return { pool: "SPOT", coin, balance: sumOf([available, frozen, locked]), unrealisedPnl: "0", debt: "0", price: at };
  });
  const futuresCoins = futures.map((account): HeldCoin | undefined => {
    const { marginCoin: coin, categoryRaw, available, locked, isolatedMargin, unrealisedPnl } = account;
    const pool = FUTURES_CATEGORIES.find((category) => category === categoryRaw);
    const at = price(worth, coin);
    if (pool === undefined || available === null || locked === null || isolatedMargin === null || at === undefined)
      return undefined;
    const balance = sumOf([available, locked, isolatedMargin]);
    return { pool, coin, balance, unrealisedPnl: unrealisedPnl ?? "0", debt: "0", price: at };
  });
  return whole([...spotCoins, ...futuresCoins]);
}

/** Coins without any amount are left out. */
function whole(coins: readonly (HeldCoin | undefined)[]): readonly HeldCoin[] | undefined {
  const held = coins.filter((coin) => coin !== undefined);
  if (held.length < coins.length) return undefined;
  return held.filter(({ balance, unrealisedPnl, debt }) => ![balance, unrealisedPnl, debt].every(isZero));
}

function classicMargin(worth: LiveWorth): DecimalText | null {
  const margins = worth.holdings.futures.map(({ marginCoin, crossedMargin, isolatedMargin }) =>
    crossedMargin === null || isolatedMargin === null
      ? null
      : valueAt(sumOf([crossedMargin, isolatedMargin]), price(worth, marginCoin) ?? null),
  );
  return margins.includes(null) ? null : sumOf(margins);
}
