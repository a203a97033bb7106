import { type Exact, exact, isZero, truncated } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { rowsRead } from "@exchange-graph/contract/rows";
import type { AccountFacts } from "./accountFacts.js";
import type { Prices } from "./marginRules.js";
import { costOf, isInverse, profitAt } from "./markToMarket.js";
import { every, PLACES, total, written, writtenQuotient, ZERO } from "./positionFigures.js";

/** A value of a coin that the exchange sent, from which the price that it used follows. */
interface SentValue {
  readonly coin: string;
  gives(price: Exact): boolean;
}

const value = (coin: string, amount: string | null, worth: string | null): readonly SentValue[] =>
  amount === null || worth === null || isZero(amount)
    ? []
    : [{ coin, gives: (price) => written(exact(amount).times(price)) === worth }];

const inBtc = (usdt: string | null, btc: string | null): readonly SentValue[] =>
  usdt === null || btc === null || isZero(btc)
    ? []
    : [{ coin: "BTC", gives: (price) => writtenQuotient(exact(usdt), price) === btc }];

export function sentValues({ unified, wallets }: AccountFacts): readonly SentValue[] {
  if (unified === null)
    return wallets.flatMap(({ marginCoin, equity, equityUsdt, equityBtc }) => [
      ...value(marginCoin, equity, equityUsdt),
      ...inBtc(equityUsdt, equityBtc),
    ]);
  return [
    ...rowsRead(unified.assets).flatMap(({ coin, equity, valueUsd }) => value(coin, equity, valueUsd)),
    ...inBtc(unified.equityUsdt, unified.equityBtc),
  ];
}

/**
 * Whether these mark prices give the positions the profits that are part of the equity of a unified account's coins. It costs a
 * fraction of all figures, and most prices do not.
 */
export function sentProfits({ unified, positions }: AccountFacts): (prices: Prices) => boolean {
  const coins = (unified?.assets ?? []).map(({ coin, equity, balance, debt }) => ({
    equity,
    rest: balance === null || debt === null ? undefined : exact(balance).minus(debt),
    own: positions.filter(({ marginCoin }) => marginCoin === coin),
  }));
  const profit = (position: Position, prices: Prices): Exact | undefined => {
    const [cost, mark] = [costOf(position), prices.mark(position.categoryRaw, position.symbol)];
    if (cost === undefined || mark === undefined || mark.eq(ZERO) || position.qty === null) return undefined;
    return profitAt(position, cost, exact(position.qty).abs(), mark);
  };
  return (prices) =>
    coins.every(({ equity, rest, own }) => {
      const profits = every(own.map((position) => profit(position, prices)));
      return profits !== undefined && rest !== undefined && written(total(profits, (one) => one).plus(rest)) === equity;
    });
}

/** Decimals of a price. */
const MAX_PLACES = 8;
const ROUND_HALF_UP = 1;

/** The price with the fewest decimals near an estimate that gives the exchange's figure; undefined without any. */
function shortest(estimate: Exact, gives: (price: Exact) => boolean): Exact | undefined {
  for (let places = 0; places <= MAX_PLACES; places++) {
    const price = estimate.round(places, ROUND_HALF_UP);
    if (price.gt(ZERO) && gives(price)) return price;
  }
  return undefined;
}

/** The profit of the only position that a coin of the account has, in that coin; undefined if it has none or several. */
function profitOf(position: Position, { unified, wallets: [wallet], positions }: AccountFacts): Exact | undefined {
  const isBeside = (one: Position) => one !== position && one.marginCoin === position.marginCoin;
  if (unified !== null) {
    const asset = unified.assets.find(({ coin }) => coin === position.marginCoin);
    if (asset?.equity == null || asset.balance === null || positions.some(isBeside)) return undefined;
    // The equity is cut at eight decimals, and a profit has no more.
    return exact(asset.equity).minus(truncated(exact(asset.balance).minus(asset.debt ?? "0"), PLACES));
  }
  if (positions.some((one) => isBeside(one) && one.marginMode === position.marginMode)) return undefined;
  const profit = position.marginMode === "crossed" ? wallet?.crossedUnrealisedPnl : wallet?.isolatedUnrealisedPnl;
  return profit == null ? undefined : exact(profit);
}

/** The mark price at which a position has this profit. */
function markOf(position: Position, profit: Exact): Exact | undefined {
  const cost = costOf(position);
  if (cost === undefined || position.qty === null) return undefined;
  const size = exact(position.qty).abs();
  const gain = position.posSide === "short" ? ZERO.minus(profit) : profit;
  const divisor = isInverse(position) ? size.minus(gain) : size;
  const dividend = isInverse(position) ? cost : cost.plus(gain);
  if (divisor.lte(ZERO)) return undefined;
  return shortest(dividend.div(divisor), (mark) => profitAt(position, cost, size, mark).eq(profit));
}

/**
 * The prices that the account's own figures were computed at, as far as they follow from them; `others` for the rest. A price that
 * changed between two pushes is not known otherwise.
 */
export function solvedPrices(facts: AccountFacts): ((others: Prices) => Prices) | undefined {
  const marks = new Map<string, Exact>();
  for (const position of facts.positions) {
    const profit = profitOf(position, facts);
    const mark = profit && markOf(position, profit);
    if (mark !== undefined) marks.set(`${position.categoryRaw} ${position.symbol}`, mark);
  }
  const coins = new Map<string, Exact>();
  for (const { coin, equity, valueUsd } of facts.unified?.assets ?? []) {
    const [sent] = value(coin, equity, valueUsd);
    const price =
      sent && equity !== null && valueUsd !== null ? shortest(exact(valueUsd).div(exact(equity)), sent.gives) : undefined;
    if (price !== undefined) coins.set(coin, price);
  }
  if (marks.size === 0) return undefined;
  return (others) => ({
    mark: (category, symbol) => marks.get(`${category} ${symbol}`) ?? others.mark(category, symbol),
    coin: (coin) => (coin === "USDT" ? undefined : coins.get(coin)) ?? others.coin(coin),
  });
}
