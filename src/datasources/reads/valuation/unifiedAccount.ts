import type { UnifiedAsset, UnifiedAssets } from "@exchange-graph/contract/asset";
import { type DecimalText, type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import type { ReadAssets } from "./accountFacts.js";
import { discounted, type MarginRules, type Prices } from "./marginRules.js";
import { type Charges, inUsd } from "./orderCharges.js";
import {
  every,
  figuresOf,
  liquidationPriceIn,
  PLACES,
  type PositionFigures,
  positionAt,
  sharedRatePlaces,
  total,
  written,
  writtenQuotient,
  ZERO,
} from "./positionFigures.js";

/** A unified account at other prices, by the exchange's formulas: one pool of margin, in USD. */

/** A coin of the account: its balance with the profit of positions, minus debt. */
interface HeldCoin {
  readonly asset: UnifiedAsset;
  readonly gain: Exact;
  readonly due: Exact;
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
  /** Maintenance margin of the cross positions. */
  readonly maintenance: Exact;
  readonly debt: Exact;
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
  if (price === undefined || balance === null || locked === null || debt === null) return undefined;
  const own = figures.filter(({ position }) => position.marginCoin === coin);
  const gain = total(own, ({ unrealised }) => unrealised);
  const due = exact(debt);
  const equity = exact(balance).plus(gain).minus(due);
  const isolated = total(
    own.filter((one) => !isCrossed(one)),
    ({ initial, unrealised }) => initial.plus(unrealised),
  );
  const effective = discounted(equity.minus(isolated), rules.discount(coin)).times(price);
  return { asset, gain, due, equity, price, effective };
}

function poolOf(
  assets: readonly UnifiedAsset[],
  open: readonly Position[],
  figures: readonly PositionFigures[],
  rules: MarginRules,
  prices: Prices,
): Pool | undefined {
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
    debt: total(coins, ({ due, price }) => due.times(price)),
  };
}

const byName = (assets: readonly UnifiedAsset[]): readonly UnifiedAsset[] =>
  [...assets].sort(({ coin: one }, { coin: other }) => (one < other ? -1 : 1));

/** A ratio of two rounded figures; zero if the whole is zero. */
function ratio(part: Exact, whole: Exact): DecimalText {
  const divisor = truncated(whole, PLACES);
  return divisor.eq(ZERO) ? "0" : writtenQuotient(truncated(part, PLACES), divisor);
}

/** An amount of USD in USDT and in BTC; the latter is the former at the rounded price of BTC. */
function inCoins(usd: Exact, btcPrice: Exact): { readonly usdt: DecimalText; readonly btc: DecimalText } {
  const usdt = truncated(usd, PLACES);
  return { usdt: plain(usdt), btc: writtenQuotient(usdt, btcPrice) };
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

/** Margin besides that of positions. It is derived from the exchange's figures. */
export interface OtherMargin {
  /** Initial margin of open orders and debts. */
  readonly charges: Charges;
  /** Maintenance margin of debts, as a fraction of their value. */
  readonly debtRate: Exact;
}
export const NO_OTHER_MARGIN: OtherMargin = { charges: [], debtRate: ZERO };

interface UnifiedFacts {
  readonly assets: ReadAssets;
  readonly positions: readonly Position[];
  readonly other: OtherMargin;
  /** The possible numbers of decimals of the exchange's profit rates. */
  readonly ratePlaces?: readonly number[];
}

/** Amounts of the account in USD, not rounded. */
export interface UnifiedSums {
  readonly initial: Exact;
  readonly maintenance: Exact;
  readonly debt: Exact;
  readonly effective: Exact;
}

/** A unified account at other prices. Figures are computed when they are read: a comparison often needs one of them. */
export interface UnifiedFigures {
  /** The equity of the assets, in USD. */
  readonly equityUsd: DecimalText | undefined;
  readonly assets: UnifiedAssets | undefined;
  readonly sums: UnifiedSums | undefined;
  readonly positions: readonly (Position | undefined)[];
}

/** The account with its positions at these prices; undefined where something is not known that a figure depends on. */
export function unifiedAt(
  { assets, positions, other, ratePlaces = sharedRatePlaces(positions) }: UnifiedFacts,
  rules: MarginRules,
  prices: Prices,
): UnifiedFigures {
  const figures = figuresOf(positions, rules, prices);
  const [all, btcPrice] = [every(figures), prices.coin("BTC")];
  const pool = all && poolOf(assets.assets, positions, all, rules, prices);
  const sums = pool && sumsOf(pool, other, prices);
  const isComplete = pool !== undefined && sums !== undefined && btcPrice !== undefined;
  return {
    get equityUsd() {
      return isComplete ? written(equityOf(pool)) : undefined;
    },
    get assets() {
      return isComplete ? accountAt(assets, pool, sums, btcPrice) : undefined;
    },
    sums: isComplete ? sums : undefined,
    get positions() {
      return figures.map((one) => one && positionIn(one, sums, ratePlaces, prices));
    },
  };
}

/** A cross position depends on the whole account, an isolated one on nothing else. */
function positionIn(
  one: PositionFigures,
  sums: UnifiedSums | undefined,
  ratePlaces: readonly number[],
  prices: Prices,
): Position | undefined {
  const price = prices.coin(one.position.marginCoin);
  if (!isCrossed(one)) return positionAt(one, { liquidationPrice: liquidationPriceIn(one, ZERO), ratePlaces });
  if (sums === undefined || price === undefined) return undefined;
  const free = sums.effective.minus(sums.maintenance).div(price);
  return positionAt(one, { liquidationPrice: liquidationPriceIn(one, free), ratePlaces });
}

function sumsOf({ positions, effective, maintenance, debt }: Pool, other: OtherMargin, prices: Prices): UnifiedSums | undefined {
  const charged = inUsd(other.charges, prices);
  if (charged === undefined) return undefined;
  const initial = total(positions.filter(isCrossed), (one) => one.initial.times(one.price)).plus(charged);
  return { initial, maintenance: maintenance.plus(debt.times(other.debtRate)), debt, effective };
}

const equityOf = ({ coins }: Pool): Exact => total(coins, (one) => one.equity.times(one.price));

/** The ratio of an account with these sums. */
export const marginRatioOf = (maintenance: Exact, effective: Exact): DecimalText => ratio(maintenance, effective);

function accountAt(assets: ReadAssets, pool: Pool, sums: UnifiedSums, btcPrice: Exact): UnifiedAssets {
  const { coins, positions, effective } = pool;
  const inUsd = (amount: (figures: PositionFigures) => Exact) => total(positions, (one) => amount(one).times(one.price));
  const equity = inCoins(equityOf(pool), btcPrice);
  const gain = inUsd(({ unrealised }) => unrealised);
  const unrealised = inCoins(gain, btcPrice);
  const value = inUsd((one) => one.value);
  return {
    ...assets,
    equityUsd: equity.usdt,
    equityUsdt: equity.usdt,
    equityBtc: equity.btc,
    unrealisedPnlUsd: written(gain),
    unrealisedPnlUsdt: unrealised.usdt,
    unrealisedPnlBtc: unrealised.btc,
    effectiveEquityUsd: written(effective),
    maintenanceMarginUsd: written(sums.maintenance),
    initialMarginUsd: written(sums.initial),
    marginRatio: ratio(sums.maintenance, effective),
    positionMarginRatio: ratio(
      inUsd((one) => one.maintenance),
      effective,
    ),
    positionValueUsd: written(value),
    leverage: ratio(value, effective),
    assets: coins.filter(({ equity: held, due }) => !held.eq(ZERO) || !due.eq(ZERO)).map(assetAt),
  };
}
