import type { UnifiedAsset, UnifiedAssets } from "@exchange-graph/contract/asset";
import { type DecimalText, type Exact, exact, isZero, plain, truncated } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { discounted, type MarginRules, type Prices } from "./marginRules.js";
import {
  figuresOf,
  liquidationPriceIn,
  PLACES,
  type PositionFigures,
  positionAt,
  total,
  written,
  ZERO,
} from "./positionFigures.js";

/** A unified account at other prices, by the exchange's formulas: one pool of margin, in USD. */

/** A coin of the account including the profit of its positions. */
interface HeldCoin {
  readonly asset: UnifiedAsset;
  readonly gain: Exact;
  readonly equity: Exact;
  readonly price: Exact;
  /** The part of it that counts as margin, in USD. */
  readonly effective: Exact;
}

/** Totals of the account, in USD. */
interface Pool {
  readonly coins: readonly HeldCoin[];
  readonly positions: readonly (PositionFigures & { readonly price: Exact })[];
  readonly effective: Exact;
  readonly maintenance: Exact;
}

const NOTHING = { equity: null, valueUsd: null, balance: "0", available: null, debt: "0", locked: "0" };

const isCrossed = ({ position }: PositionFigures): boolean => position.marginMode === "crossed";

function coinAt(
  asset: UnifiedAsset,
  figures: readonly PositionFigures[],
  rules: MarginRules,
  prices: Prices,
): HeldCoin | undefined {
  const { coin, balance, debt, locked } = asset;
  const price = prices.coin(coin);
  // Debt accrues interest over time, so the exchange is asked.
  if (price === undefined || balance === null || locked === null || debt === null || !isZero(debt)) return undefined;
  const own = figures.filter(({ position }) => position.marginCoin === coin);
  const gain = total(own, ({ unrealised }) => unrealised);
  const equity = exact(balance).plus(gain);
  const isolated = total(
    own.filter((one) => !isCrossed(one)),
    ({ initial, unrealised }) => initial.plus(unrealised),
  );
  const effective = discounted(equity.minus(isolated), rules.discount(coin)).times(price);
  return { asset, gain, equity, price, effective };
}

function poolOf(
  assets: readonly UnifiedAsset[],
  open: readonly Position[],
  rules: MarginRules,
  prices: Prices,
): Pool | undefined {
  const figures = figuresOf(open, rules, prices);
  if (figures === undefined) return undefined;
  const listed = new Set(assets.map(({ coin }) => coin));
  const settled = [...new Set(open.map(({ marginCoin }) => marginCoin))].filter((coin) => !listed.has(coin));
  const shown = settled.length === 0 ? assets : byName([...assets, ...settled.map((coin) => ({ coin, ...NOTHING }))]);
  const coins = shown.map((asset) => coinAt(asset, figures, rules, prices)).filter((coin) => coin !== undefined);
  const positions = figures.flatMap((one) => {
    const price = prices.coin(one.position.marginCoin);
    return price === undefined ? [] : [{ ...one, price }];
  });
  if (coins.length < shown.length || positions.length < figures.length) return undefined;
  return {
    coins,
    positions,
    effective: total(coins, ({ effective }) => effective),
    maintenance: total(positions.filter(isCrossed), ({ maintenance, price }) => maintenance.times(price)),
  };
}

const byName = (assets: readonly UnifiedAsset[]): readonly UnifiedAsset[] =>
  [...assets].sort(({ coin: one }, { coin: other }) => (one < other ? -1 : 1));

/** A ratio of two rounded figures; zero if the whole is zero. */
function ratio(part: Exact, whole: Exact): DecimalText {
  const divisor = truncated(whole, PLACES);
  return divisor.eq(ZERO) ? "0" : written(truncated(part, PLACES).div(divisor));
}

/** An amount of USD in USDT and in BTC; the latter is the former at the rounded price of BTC. */
function inCoins(usd: Exact, btcPrice: Exact): { readonly usdt: DecimalText; readonly btc: DecimalText } {
  const usdt = truncated(usd, PLACES);
  return { usdt: plain(usdt), btc: written(usdt.div(btcPrice)) };
}

function assetAt({ asset, gain, equity, price }: HeldCoin): UnifiedAsset {
  const { coin, balance, debt, locked } = asset;
  const available = exact(balance ?? "0")
    .minus(exact(locked ?? "0"))
    .plus(gain);
  return {
    coin,
    equity: written(equity),
    valueUsd: written(equity.times(price)),
    balance,
    available: written(available),
    debt,
    locked,
  };
}

/** State of a unified account. */
interface UnifiedFacts {
  readonly assets: UnifiedAssets & { readonly assets: readonly UnifiedAsset[] };
  readonly positions: readonly Position[];
  /** Initial margin of the open orders, in USD. */
  readonly orderMargin: Exact;
}

/** The account with its positions at these prices; undefined if something that they depend on is not known. */
export function unifiedAt(
  { assets, positions, orderMargin }: UnifiedFacts,
  rules: MarginRules,
  prices: Prices,
): { readonly assets: UnifiedAssets; readonly positions: readonly (Position | undefined)[] } | undefined {
  const [pool, btcPrice] = [poolOf(assets.assets, positions, rules, prices), prices.coin("BTC")];
  if (pool === undefined || btcPrice === undefined) return undefined;
  const { coins, effective, maintenance } = pool;
  const inUsd = (amount: (figures: PositionFigures) => Exact, rows = pool.positions) =>
    total(rows, (one) => amount(one).times(one.price));
  const equity = inCoins(
    total(coins, (one) => one.equity.times(one.price)),
    btcPrice,
  );
  const gain = inUsd(({ unrealised }) => unrealised);
  const unrealised = inCoins(gain, btcPrice);
  const value = inUsd((one) => one.value);
  const initial = inUsd((one) => one.initial, pool.positions.filter(isCrossed));
  const free = effective.minus(maintenance);
  return {
    assets: {
      ...assets,
      equityUsd: equity.usdt,
      equityUsdt: equity.usdt,
      equityBtc: equity.btc,
      unrealisedPnlUsd: written(gain),
      unrealisedPnlUsdt: unrealised.usdt,
      unrealisedPnlBtc: unrealised.btc,
      effectiveEquityUsd: written(effective),
      maintenanceMarginUsd: written(maintenance),
      initialMarginUsd: written(initial.plus(orderMargin)),
      marginRatio: ratio(maintenance, effective),
      positionMarginRatio: ratio(
        inUsd((one) => one.maintenance),
        effective,
      ),
      positionValueUsd: written(value),
      leverage: ratio(value, effective),
      assets: coins.filter(({ equity: held }) => !held.eq(ZERO)).map(assetAt),
    },
    positions: pool.positions.map((one) => positionAt(one, liquidationPriceIn(one, free.div(one.price)), undefined)),
  };
}
