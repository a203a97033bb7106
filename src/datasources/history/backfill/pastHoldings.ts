import { type DecimalText, type Exact, exact, isZero, plain } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../calls/index.js";
import { isInverse, profitAt } from "../../reads/index.js";
import type { MoneyChange } from "../change.js";
import type { CurveGap, Point } from "../point.js";
import { type HeldCoin, type Pool, totalsOf } from "../sample.js";
import type { Holdings, PastPosition, PositionKey } from "./progress.js";

/**
 * What an account held at a time, and what it held before that: each change of a balance and each execution is taken back. Balances are
 * exact, since they are sums of exact amounts.
 */

const ZERO = exact("0");

/** Interest is added to a debt without a record: a rest of less than this share of what was borrowed is its interest. */
const INTEREST_SHARE = exact("0.02");

/** The debt before coins were borrowed, or repaid (below zero). */
function beforeLoan(debt: Exact, borrowed: Exact): Exact {
  const rest = debt.minus(borrowed);
  return rest.lt(borrowed.times(INTEREST_SHARE)) ? ZERO : rest;
}

/** Balance and debt of a coin in a purse. */
interface Purse {
  readonly pool: Pool;
  readonly coin: string;
  balance: Exact;
  debt: Exact;
}

/** Prices at a time: of coins in USDT (null without a market), and mark prices of contracts; undefined if not known. */
export interface PastPrices {
  coin(coin: string): DecimalText | null | undefined;
  mark(category: FuturesCategory, symbol: string): DecimalText | undefined;
}

/** The coin that a contract is settled in. The symbol of a coin contract begins with it: `BTCUSD`, `BTCUSDH26`. */
export const marginCoinOf = ({ category, symbol }: Pick<PositionKey, "category" | "symbol">): string =>
  category === "COIN-FUTURES" ? symbol.slice(0, symbol.indexOf("USD")) : category === "USDT-FUTURES" ? "USDT" : "USDC";

export const positionKey = ({ category, symbol, side }: PositionKey): string => `${category} ${symbol} ${side}`;
const purseKey = ({ pool, coin }: Pick<Purse, "pool" | "coin">): string => `${pool} ${coin}`;

/** Goes back in time from what an account held: the latest change is taken back first. */
export class Past {
  readonly #purses = new Map<string, Purse>();
  readonly #positions = new Map<string, PositionKey & { qty: Exact; cost: Exact }>();

  constructor({ purses, exposures }: Holdings) {
    for (const purse of purses)
      this.#purses.set(purseKey(purse), { ...purse, balance: exact(purse.balance), debt: exact(purse.debt) });
    for (const one of exposures) this.#positions.set(positionKey(one), { ...one, qty: exact(one.qty), cost: exact(one.cost) });
  }

  /**
   * Takes a change of a balance back. A borrowed amount was added to the debt, and paid interest had been part of the debt before.
   */
  undo({ pool, coin, amount, fee, kind }: MoneyChange): void {
    const key = purseKey({ pool, coin });
    const purse = this.#purses.get(key) ?? { pool, coin, balance: ZERO, debt: ZERO };
    this.#purses.set(key, purse);
    purse.balance = purse.balance.minus(amount).plus(fee);
    if (kind === "borrowing") purse.debt = beforeLoan(purse.debt, exact(amount));
    else if (kind === "interest" && exact(amount).lt(ZERO)) purse.debt = purse.debt.minus(amount);
  }

  /** Takes executions in one position back. What is left of the cost without a position is rounding. */
  undoTrades({ qty, cost, ...key }: PastPosition): void {
    const name = positionKey(key);
    const before = this.#positions.get(name) ?? { ...key, qty: ZERO, cost: ZERO };
    const rest = { ...key, qty: before.qty.minus(qty), cost: before.cost.minus(cost) };
    if (rest.qty.eq(ZERO)) this.#positions.delete(name);
    else this.#positions.set(name, rest);
  }

  get isEmpty(): boolean {
    return (
      this.#positions.size === 0 && [...this.#purses.values()].every(({ balance, debt }) => balance.eq(ZERO) && debt.eq(ZERO))
    );
  }

  get holdings(): Holdings {
    return {
      purses: [...this.#purses.values()]
        .filter(({ balance, debt }) => !balance.eq(ZERO) || !debt.eq(ZERO))
        .map(({ balance, debt, ...purse }) => ({ ...purse, balance: plain(balance), debt: plain(debt) })),
      exposures: [...this.#positions.values()].map(({ qty, cost, ...one }) => ({ ...one, qty: plain(qty), cost: plain(cost) })),
    };
  }
}

/** What an account that held this was worth at the end of an hour; a gap if a price is not known. */
export function reconstructed(
  at: number,
  mode: AccountMode,
  { purses, exposures }: Holdings,
  prices: PastPrices,
): Point | CurveGap {
  const profits = new Map<string, { readonly pool: Pool; readonly coin: string; profit: Exact }>();
  for (const one of exposures) {
    const mark = prices.mark(one.category, one.symbol);
    if (mark === undefined || isZero(mark)) return { at, gap: "NO_PRICE" };
    const coin = marginCoinOf(one);
    const pool = mode === "UNIFIED" ? mode : one.category;
    const sum = profits.get(purseKey({ pool, coin })) ?? { pool, coin, profit: ZERO };
    sum.profit = sum.profit.plus(unrealised(one, exact(mark)));
    profits.set(purseKey(sum), sum);
  }
  const held = new Map([
    ...[...profits.values()].map(
      ({ pool, coin }) => [purseKey({ pool, coin }), { pool, coin, balance: "0", debt: "0" }] as const,
    ),
    ...purses.map((purse) => [purseKey(purse), purse] as const),
  ]);
  const coins: HeldCoin[] = [];
  for (const [key, purse] of held) {
    const price = prices.coin(purse.coin);
    if (price === undefined) return { at, gap: "NO_PRICE" };
    coins.push({ ...purse, unrealisedPnl: plain(profits.get(key)?.profit ?? ZERO), price });
  }
  const totals = totalsOf(coins);
  const range = { low: totals.equity, high: totals.equity, count: 1 };
  return { ...totals, ...range, at, time: at, source: "RECONSTRUCTED", comparedAt: null, mode, marginInUse: null, coins };
}

function unrealised({ category, qty, cost }: PastPosition, mark: Exact): Exact {
  const [size, paid] = [exact(qty), exact(cost)];
  return size.lt(ZERO)
    ? profitAt({ category, posSide: "short" }, paid.neg(), size.neg(), mark)
    : profitAt({ category, posSide: "long" }, paid, size, mark);
}

/** What an execution has added to the quantity and the cost of its position. */
export function tradedBy(
  key: PositionKey,
  {
    side,
    price,
    qty,
    realisedPnl,
  }: { readonly side: "buy" | "sell"; readonly price: Exact; readonly qty: Exact; readonly realisedPnl: Exact },
): { readonly qty: Exact; readonly cost: Exact } {
  const signed = side === "buy" ? qty : qty.neg();
  const profit = isInverse(key) ? realisedPnl.times(price) : realisedPnl;
  return { qty: signed, cost: signed.times(price).plus(profit) };
}
