import { graphql, type ResultOf } from "../graph/document.js";
import { Latest } from "../graph/latest.js";
import { currentOf, useRows } from "./rows.js";

/** Open orders of an account, all of them with each event. */
const WatchOrders = graphql(`
  subscription WatchOrders($account: String) {
    orders(account: $account, pace: { mode: LATEST, everyMs: 250 }) {
      orders {
        id
        orderId
        clientOid
        category
        symbol
        side
        posSide
        tradeSide
        orderType
        status
        timeInForce
        price
        qty
        quoteQty
        cumExecQty
        cumExecValue
        avgPrice
        isReduceOnly
        tpslType
        triggerPrice
        takeProfit {
          triggerPrice
        }
        stopLoss {
          triggerPrice
        }
        createdTime
        instrument {
          baseCoin
          quoteCoin
          precision {
            price
            quantity
          }
        }
      }
    }
  }
`);

/** Waiting trigger orders of an account, all of them with each event. */
const WatchPlanOrders = graphql(`
  subscription WatchPlanOrders($account: String) {
    planOrders(account: $account, pace: { mode: LATEST, everyMs: 250 }) {
      planOrders {
        id
        orderId
        clientOid
        category
        symbol
        side
        posSide
        tradeSide
        planType
        status
        triggerPrice
        triggerBy
        executePrice
        callbackRate
        terms {
          ... on OcoTerms {
            limitPrice
            triggerPrice
          }
          ... on TrailingStopTerms {
            activationPrice
            callbackRate
            callbackSpread
          }
          ... on IcebergTerms {
            parts
            partQty
          }
          ... on TwapTerms {
            durationMinutes
            intervalSeconds
          }
        }
        qty
        takeProfit {
          triggerPrice
          triggerBy
          limitPrice
        }
        stopLoss {
          triggerPrice
          triggerBy
          limitPrice
        }
        createdTime
        instrument {
          precision {
            price
            quantity
          }
        }
      }
    }
  }
`);

export type Order = NonNullable<ResultOf<typeof WatchOrders>["orders"]["orders"]>[number];
export type PlanOrder = NonNullable<ResultOf<typeof WatchPlanOrders>["planOrders"]["planOrders"]>[number];

const OPEN = new Set<unknown>(["NEW", "PARTIALLY_FILLED", "UNRECOGNIZED", null]);

const orders = new Latest(WatchOrders, ({ orders: { orders } }) => orders?.filter(({ status }) => OPEN.has(status)));
/** It waits for its trigger, or runs. */
const PENDING = new Set<unknown>(["LIVE", "EXECUTING", null]);

const planOrders = new Latest(WatchPlanOrders, ({ planOrders: { planOrders } }) =>
  planOrders?.filter(({ status }) => PENDING.has(status)),
);

export const useOrders = (account: string) => useRows(orders, account, {});

/** Waiting trigger orders. */
export const usePlanOrders = (account: string) => useRows(planOrders, account, {});

/** An open order as it is now; null once it is no longer open, undefined while that is not known. */
export const useOpenOrder = (account: string, id: string): Order | null | undefined =>
  currentOf(useRows(orders, account, {}).rows, id);
