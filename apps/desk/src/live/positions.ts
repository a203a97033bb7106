import { multiplyDecimals } from "@exchange-graph/client";
import { totalOf, whole } from "../format/total.js";
import { graphql, type ResultOf } from "../graph/document.js";
import { Latest } from "../graph/latest.js";
import { useAccount } from "./accounts.js";
import { useRows } from "./rows.js";

/** Open positions of an account, all of them with each event. */
const WatchPositions = graphql(`
  subscription WatchPositions($account: String, $everyMs: Int!) {
    positions(account: $account, pace: { mode: LATEST, everyMs: $everyMs }) {
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

type Profitable = Pick<Position, "category" | "symbol" | "unrealisedPnl" | "markPrice">;

/**
 * Profit of open positions, in USDT; USDC counts as USDT, coins at their mark price. Null if that of one of them, or the list, is
 * missing.
 */
export const profitOf = (positions: readonly (Profitable | null)[] | null | undefined): string | null =>
  whole(
    totalOf(
      positions?.map((position) => ({ name: position?.symbol ?? "", value: position === null ? null : profitInUsdt(position) })),
    ),
  );

function profitInUsdt({ category, unrealisedPnl, markPrice }: Profitable): string | null {
  if (unrealisedPnl === null || category !== "COIN_FUTURES") return unrealisedPnl;
  return markPrice === null ? null : multiplyDecimals(unrealisedPnl, markPrice);
}

/** Whether the exchange lists a position that is not closed. */
export const isOpen = ({ qty }: Pick<Position, "qty">): boolean => qty !== null && !/^0(?:\.0+)?$/.test(qty);

const positions = new Latest(WatchPositions, ({ positions: { positions } }) => positions?.filter(isOpen));

/** Least times between two events of an account, ms: whoever works with another account sees its totals alone. */
const [SELECTED_EVERY_MS, OTHER_EVERY_MS] = [500, 2_000];

export function usePositions(account: string) {
  const everyMs = account === useAccount() ? SELECTED_EVERY_MS : OTHER_EVERY_MS;
  return useRows(positions, account, { everyMs });
}
