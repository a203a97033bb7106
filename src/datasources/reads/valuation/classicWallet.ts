import { type DecimalText, type Exact, exact, isZero, plain, truncated } from "@exchange-graph/contract/decimal";
import type { FuturesAccount } from "@exchange-graph/contract/futuresAccount";
import type { Position } from "@exchange-graph/contract/position";
import type { MarginRules, Prices } from "./marginRules.js";
import {
  every,
  figuresOf,
  liquidationPriceIn,
  PLACES,
  type PositionFigures,
  positionAt,
  total,
  written,
  writtenQuotient,
  ZERO,
} from "./positionFigures.js";

/** A futures account of a Classic account at other prices, by the exchange's formulas. */

/** Totals of a futures account that its cross positions depend on. */
interface AccountTotals {
  readonly crossedEquity: Exact;
  readonly crossedMargin: Exact;
  readonly crossedUnrealised: Exact;
  readonly crossedMaintenance: Exact;
  readonly isolatedUnrealised: Exact;
}

function accountTotals({ available, locked }: FuturesAccount, figures: readonly PositionFigures[]): AccountTotals | undefined {
  if (available === null || locked === null) return undefined;
  const crossed = figures.filter(({ position }) => position.marginMode === "crossed");
  const isolated = figures.filter(({ position }) => position.marginMode !== "crossed");
  const crossedUnrealised = total(crossed, ({ unrealised }) => unrealised);
  return {
    crossedEquity: exact(available).plus(exact(locked)).plus(crossedUnrealised),
    crossedMargin: total(crossed, ({ initial }) => initial),
    crossedUnrealised,
    crossedMaintenance: total(crossed, ({ maintenance }) => maintenance),
    isolatedUnrealised: total(isolated, ({ unrealised }) => unrealised),
  };
}

const ratioOf = ({ crossedEquity, crossedMaintenance }: AccountTotals): DecimalText =>
  crossedEquity.eq(ZERO) ? "0" : writtenQuotient(crossedMaintenance, crossedEquity);

/** A futures account with its own `positions` at these prices; undefined where something is not known that a figure depends on. */
export function walletAt<W extends FuturesAccount>(
  wallet: W,
  positions: readonly Position[],
  rules: MarginRules,
  prices: Prices,
): { readonly wallet: W | undefined; readonly positions: readonly (Position | undefined)[] } {
  const figures = every(figuresOf(positions, rules, prices));
  const totals = figures && accountTotals(wallet, figures);
  if (figures === undefined || totals === undefined) return { wallet: undefined, positions: positions.map(() => undefined) };
  const free = totals.crossedEquity.minus(totals.crossedMaintenance);
  const marginRatio = ratioOf(totals);
  return {
    wallet: worthAt(wallet, totals, { marginRatio, hasPositions: figures.length > 0 }, prices),
    positions: figures.map((one) =>
      positionAt(one, { liquidationPrice: liquidationPriceIn(one, free), marginRatio, ratePlaces: [] }),
    ),
  };
}

function worthAt<W extends FuturesAccount>(
  wallet: W,
  totals: AccountTotals,
  { marginRatio, hasPositions }: { readonly marginRatio: DecimalText; readonly hasPositions: boolean },
  prices: Prices,
): W | undefined {
  const { crossedEquity, crossedMargin, crossedUnrealised, isolatedUnrealised } = totals;
  const [price, btcPrice] = [prices.coin(wallet.marginCoin), prices.coin("BTC")];
  const { available, isolatedMargin } = wallet;
  if (price === undefined || btcPrice === undefined || available === null || isolatedMargin === null) return undefined;
  const equity = crossedEquity.plus(exact(isolatedMargin)).plus(isolatedUnrealised);
  const lossOf = crossedUnrealised.lt(ZERO) ? crossedUnrealised : ZERO;
  const left = exact(available).minus(crossedMargin).plus(lossOf);
  const free = written(left.lt(ZERO) ? ZERO : left);
  const usdt = truncated(equity.times(price), PLACES);
  return {
    ...wallet,
    crossedMaxAvailable: free,
    isolatedMaxAvailable: free,
    maxTransferOut: free,
    equityUsdt: plain(usdt),
    equityBtc: writtenQuotient(usdt, btcPrice),
    // The exchange leaves it empty without a position.
    unrealisedPnl: hasPositions || !isZero(isolatedMargin) ? written(crossedUnrealised.plus(isolatedUnrealised)) : null,
    equity: written(equity),
    crossedMarginRatio: marginRatio,
    isolatedMargin: written(exact(isolatedMargin)),
    crossedMargin: written(crossedMargin),
    crossedUnrealisedPnl: written(crossedUnrealised),
    isolatedUnrealisedPnl: written(isolatedUnrealised),
  };
}
