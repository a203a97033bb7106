import { multiplyDecimals } from "@exchange-graph/client";
import { sum } from "../format/format.js";
import { graphql, type ResultOf } from "../graph/document.js";

/** Open positions of an account, all of them with each event. */
export const WatchPositions = graphql(`
  subscription WatchPositions($account: String) {
    positions(account: $account, pace: { mode: LATEST, everyMs: 500 }) {
      positions {
        id
        category
        symbol
        posSide
        holdMode
        marginMode
        marginCoin
        leverage
        qty
        availableQty
        avgPrice
        breakEvenPrice
        markPrice
        liquidationPrice
        unrealisedPnl
        realisedPnl
        profitRate
        margin
        marginRatio
        notional
        takeProfit {
          triggerPrice
        }
        stopLoss {
          triggerPrice
        }
        instrument {
          baseCoin
          quoteCoin
          precision {
            price
            quantity
          }
          orderSize {
            min
            step
          }
        }
      }
    }
  }
`);

export type Position = NonNullable<ResultOf<typeof WatchPositions>["positions"]["positions"]>[number];

/** Profit of open positions, in USDT; USDC counts as USDT, coins at their mark price. */
export const profitOf = (positions: readonly Pick<Position, "category" | "unrealisedPnl" | "markPrice">[]): string =>
  sum(
    positions.flatMap(({ category, unrealisedPnl, markPrice }) => {
      if (unrealisedPnl === null) return [];
      if (category !== "COIN_FUTURES") return [unrealisedPnl];
      return markPrice === null ? [] : [multiplyDecimals(unrealisedPnl, markPrice)];
    }),
  );
