import { accountSettings } from "@exchange-graph/contract/account";
import { unifiedAssets } from "@exchange-graph/contract/asset";
import { type DecimalText, type Exact, exact, plain, roundedUp, truncated } from "@exchange-graph/contract/decimal";
import { classicFuturesAccount } from "@exchange-graph/contract/futuresAccount";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { rowsRead } from "@exchange-graph/contract/rows";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../../calls/index.js";
import {
  isFuturesCategory,
  marginCoinOf,
  readBalances,
  readFuturesAccounts,
  readPositions,
  type SymbolRules,
} from "../../../reads/index.js";
import { stepBelow } from "../../rules/orderRules.js";
import type { OrderEstimate, OrdersAhead } from "../../writePlan.js";
import type { Planning } from "../mutation.js";
import { isClose, type PlaceOrder, quantityOf } from "./placeOrderInput.js";
import { heldQty } from "./presentRules.js";

const PLACES = 8;
const ZERO = exact("0");

export interface Estimated {
  readonly planning: Planning;
  readonly order: PlaceOrder;
  readonly mode: AccountMode;
  readonly rules: SymbolRules | undefined;
  readonly isHedged: boolean;
  /** Funds that the order has already reserved, in the required coin. Default: none. */
  readonly setAside?: DecimalText | undefined;
  /** The orders that are placed before it, if it counts after them. */
  readonly ahead?: OrdersAhead | undefined;
}

interface OrderFunds {
  readonly funds: string;
  readonly coin: string;
  /** In `coin`; null if not known. */
  readonly available: Exact | null;
  /** Factor by which the funds can be exceeded; null if not known. */
  readonly leverage: Exact | null;
}

/**
 * Estimated cost of an order, and the account's funds for it. Null without a price, or without a list of symbols. Throws `Fault`
 * if the account cannot be read.
 */
export async function estimateOrder(estimated: Estimated): Promise<OrderEstimate | null> {
  const { planning, order, rules } = estimated;
  const { loaders } = planning.reads;
  const setAside = setAsideBy(estimated);
  const [ticker, instrument] = await Promise.all([
    loaders.marketTicker(order.category, order.symbol),
    loaders.instrument(order.category, order.symbol),
  ]);
  const last = ticker?.lastPrice ?? null;
  const price = order.price ?? order.triggerPrice ?? last;
  const { baseCoin = null, quoteCoin = null } = rules ?? {};
  if (rules === undefined || baseCoin === null || quoteCoin === null || price === null || exact(price).eq("0")) return null;
  const unit = exact(price);
  const cost = order.quoteQty === undefined ? exact(order.qty ?? "0").times(unit) : exact(order.quoteQty);
  const feeRate = instrument?.takerFeeRate ?? (await loaders.spotSymbol(order.symbol))?.takerFeeRate ?? null;
  const rate = exact(feeRate ?? "0");
  const common = {
    price,
    cost: shown(cost),
    costCoin: quoteCoin,
    feeRate,
    fee: feeRate === null ? null : up(cost.times(rate)),
    field: quantityOf(order).field,
  };
  if (isFuturesCategory(order.category)) {
    const coin = marginCoinOf(order.category, rules);
    const means = await futuresMeans(estimated, order.category, coin);
    // A coin that is its own margin is valued in itself.
    const worth = coin === baseCoin.toUpperCase() ? exact("1") : unit;
    const parts = await partsOf(estimated, order.category);
    const opening = parts.opening.times(worth);
    const perUnit = means.leverage === null ? null : worth.div(means.leverage).plus(worth.times(rate));
    const margin = means.leverage === null ? null : opening.div(means.leverage);
    const required = margin === null ? null : margin.plus(opening.times(rate));
    return {
      ...common,
      ...ofMeans(means, required, margin, setAside),
      ...most(means, setAside, perUnit, rules, parts),
      isProportional: isProportional(parts),
    };
  }
  const isBuy = order.side === "buy";
  const coin = isBuy ? quoteCoin : baseCoin;
  const needed = isBuy ? cost : exact(order.qty ?? "0");
  const own = await ownCoins(estimated, coin);
  const perUnit = isBuy ? unit : exact("1");
  const isMargin = order.category === "MARGIN";
  const funds = `${order.category} ${coin}`;
  const means = isMargin ? await marginMeans(estimated, coin, own) : { funds, coin, available: own, leverage: null };
  return {
    ...common,
    ...ofMeans(means, needed, isMargin ? needed : null, setAside),
    ...most(means, setAside, perUnit, rules, { spendsQuote: isBuy }),
    isProportional: true,
  };
}

const setAsideBy = ({ setAside = "0" }: Estimated): Exact => exact(setAside);
const up = (value: Exact): DecimalText => plain(roundedUp(value, PLACES));
const shown = (value: Exact): DecimalText => plain(truncated(value, PLACES));

function ofMeans({ funds, coin, available, leverage }: OrderFunds, needed: Exact | null, margin: Exact | null, setAside: Exact) {
  const required = needed === null ? null : needed.gt(setAside) ? needed.minus(setAside) : ZERO;
  return {
    funds,
    leverage: leverage === null ? null : shown(leverage),
    margin: margin === null ? null : up(margin),
    required: required === null ? null : up(required),
    requiredCoin: coin,
    available: available === null ? null : shown(available),
    isAffordable: required === null || available === null ? null : required.lte(available),
  };
}

/**
 * Maximum quantity by the account's funds and by the symbol's rules for one order. `closing`: the part that needs no funds;
 * `isClose`: the order has no other.
 */
function most(
  { available: free }: OrderFunds,
  setAside: Exact,
  perUnit: Exact | null,
  { qtyStep, maxQty, quoteStep }: SymbolRules,
  { closing = ZERO, isClose = false, spendsQuote = false }: Partial<Parts> & { readonly spendsQuote?: boolean },
) {
  if (free === null || perUnit === null || perUnit.eq("0")) return { maxQty: null, maxQuoteQty: null };
  const available = isClose ? ZERO : free.plus(setAside);
  const affordable = (available.gt(ZERO) ? available.div(perUnit) : ZERO).plus(closing);
  const bounded = maxQty !== null && affordable.gt(exact(maxQty)) ? exact(maxQty) : affordable;
  const floor = (value: Exact, step: DecimalText | null) =>
    step === null ? truncated(value, PLACES) : stepBelow(value, exact(step));
  const quote = available.gt(ZERO) ? available : ZERO;
  return { maxQty: plain(floor(bounded, qtyStep)), maxQuoteQty: spendsQuote ? plain(floor(quote, quoteStep)) : null };
}

interface Parts {
  /** The part of the order that adds to positions. */
  readonly opening: Exact;
  /** The most of it that can close a position. */
  readonly closing: Exact;
  /** Whether it can only close one. */
  readonly isClose: boolean;
}

/** Whether the required funds grow in proportion to the quantity. */
const isProportional = ({ closing, isClose }: Parts): boolean => isClose || closing.eq(ZERO);

/** The parts of an order, in base coin: in one-way mode it first closes the opposite position. */
async function partsOf({ planning, order, isHedged, ahead }: Estimated, category: FuturesCategory): Promise<Parts> {
  const qty = exact(order.qty ?? "0");
  const closes = isClose(order, isHedged);
  if (isHedged && !closes) return { opening: qty, closing: ZERO, isClose: false };
  const against = order.side === "buy" ? "short" : "long";
  const held = await heldQty(planning, { category, symbol: order.symbol }, against);
  if (closes) return { opening: ZERO, closing: held, isClose: true };
  const position = [category, inCapitals(order.symbol), against].join(" ");
  const closedBefore = ahead?.get(position) ?? ZERO;
  ahead?.set(position, closedBefore.plus(qty));
  const closing = held.gt(closedBefore) ? held.minus(closedBefore) : ZERO;
  return { opening: qty.gt(closing) ? qty.minus(closing) : ZERO, closing, isClose: false };
}

async function ownCoins({ planning: { reads, account } }: Estimated, coin: string): Promise<Exact> {
  const held = rowsRead(await readBalances(reads, account)).find((balance) => balance.coin.toUpperCase() === coin.toUpperCase());
  return exact(held?.available ?? "0");
}

async function futuresMeans(estimated: Estimated, category: FuturesCategory, coin: string): Promise<OrderFunds> {
  const { planning, order, mode, rules } = estimated;
  const { reads, account } = planning;
  const symbol = rules?.symbol ?? order.symbol;
  if (mode === "UNIFIED") {
    const { symbolSettings } = await reads.read(accountSettings, {}, account);
    const isIt = (one: { readonly category: string; readonly symbol: string }) =>
      one.category === category && one.symbol === symbol;
    const leverage = rowsRead(symbolSettings).find(isIt)?.leverage ?? (await leverageOfPosition(estimated, category, symbol));
    return {
      ...{ funds: "equity", coin, available: await freeEquity(estimated, coin) },
      leverage: leverage === null ? null : exact(leverage),
    };
  }
  const one = await reads.read(classicFuturesAccount, { symbol, productType: category, marginCoin: coin }, account);
  const isolated = (order.marginMode ?? one.marginMode) === "isolated";
  const isLong = (order.posSide ?? (order.side === "buy" ? "long" : "short")) === "long";
  const leverage = isolated ? (isLong ? one.isolatedLongLeverage : one.isolatedShortLeverage) : one.crossedMarginLeverage;
  const wallets = await readFuturesAccounts(reads, account, category);
  const wallet = rowsRead(wallets).find(({ marginCoin }) => marginCoin.toUpperCase() === coin);
  const available = (isolated ? wallet?.isolatedMaxAvailable : wallet?.crossedMaxAvailable) ?? wallet?.available ?? null;
  return {
    funds: `${category} ${coin}`,
    coin,
    available: available === null ? null : exact(available),
    leverage: leverage === null || exact(leverage).eq("0") ? null : exact(leverage),
  };
}

/** The settings do not contain a leverage that was never set; then only a position shows it. */
async function leverageOfPosition(
  { planning: { reads, account }, order }: Estimated,
  category: FuturesCategory,
  symbol: string,
): Promise<DecimalText | null> {
  const held = rowsRead(await readPositions(reads, account, { category, symbol }));
  const alike = held.filter(({ marginMode }) => order.marginMode === undefined || marginMode === order.marginMode);
  const leverages = new Set(alike.map(({ leverage }) => leverage));
  const [leverage = null] = leverages;
  return leverages.size === 1 ? leverage : null;
}

/** Missing coins are borrowed, against the account's equity. */
async function marginMeans(estimated: Estimated, coin: string, own: Exact): Promise<OrderFunds> {
  const { reads, account } = estimated.planning;
  const { coinSettings } = await reads.read(accountSettings, {}, account);
  const setting = rowsRead(coinSettings).find((row) => row.coin.toUpperCase() === coin.toUpperCase());
  const free = await freeEquity(estimated, coin);
  const funds = `MARGIN ${coin}`;
  if (setting?.leverage === undefined || setting.leverage === null || free === null)
    return { funds, coin, available: null, leverage: null };
  const leverage = exact(setting.leverage);
  return { funds, coin, available: own.plus(free.times(leverage)), leverage };
}

/** A unified account's equity that orders and positions do not use, in a coin at its last price. */
async function freeEquity({ planning: { reads, account } }: Estimated, coin: string): Promise<Exact | null> {
  const { effectiveEquityUsd, initialMarginUsd } = await reads.read(unifiedAssets, {}, account);
  const price = await reads.loaders.usdtPrice(coin);
  if (effectiveEquityUsd === null || price === null) return null;
  const free = exact(effectiveEquityUsd).minus(exact(initialMarginUsd ?? "0"));
  return free.gt(ZERO) ? free.div(exact(price)) : ZERO;
}
