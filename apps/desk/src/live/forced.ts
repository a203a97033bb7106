import { amount, signed, words } from "../format/format.js";
import { graphql, type ResultOf } from "../graph/document.js";
import { useLive } from "../graph/useLive.js";
import { announce } from "../graph/writes.js";
import { forcedBy } from "../panels/forced.js";
import { t } from "../text/text.js";

/** Orders of the exchange itself are part of the order stream. */
const WatchForced = graphql(`
  subscription WatchForced($account: String) {
    orders(account: $account) {
      orders {
        id
        symbol
        side
        status
        execType
        tradeSide
        cumExecQty
        avgPrice
        realisedPnl
      }
    }
  }
`);

type Order = NonNullable<ResultOf<typeof WatchForced>["orders"]["orders"]>[number];

/** Announces when the exchange ends a position of an account: by liquidation, delivery or auto-deleveraging. */
export function useForced(account: string): void {
  useLive(WatchForced, { account }, ({ orders: { orders } }) => {
    for (const order of orders ?? []) {
      const reason = forcedBy(order);
      if (reason !== undefined && order.status === "FILLED") announce(order.id, titleOf(order, reason, account), wordsOf(order));
    }
  });
}

const titleOf = ({ symbol, side }: Order, reason: string, account: string): string =>
  `${reason}, ${symbol} ${side === "SELL" ? "long" : "short"}, ${account}`;

const wordsOf = ({ cumExecQty, avgPrice, realisedPnl, side }: Order): string =>
  [
    `${words(side)} ${amount(cumExecQty)} @ ${amount(avgPrice)}.`,
    ...(realisedPnl === null ? [] : [t("Realised {realisedPnl}.", { realisedPnl: signed(realisedPnl) })]),
    t("Order history has it."),
  ].join(" ");
