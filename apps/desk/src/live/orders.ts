import { useState } from "react";
import { graphql, type ResultOf } from "../graph/document.js";
import type { Feed } from "../graph/feed.js";
import { useLive } from "../graph/useLive.js";
import { Store, useStore } from "../state/store.js";

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
        orderType
        orderStatus
        timeInForce
        price
        qty
        quoteQty
        cumExecQty
        avgPrice
        reduceOnly
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
        category
        symbol
        side
        posSide
        planType
        planStatus
        triggerPrice
        triggerBy
        executePrice
        callbackRate
        qty
        takeProfit {
          triggerPrice
        }
        stopLoss {
          triggerPrice
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

interface Rows<Row> {
  readonly of: string;
  readonly rows: readonly Row[];
}

const OPEN = new Set<unknown>(["NEW", "PARTIALLY_FILLED", "UNKNOWN", null]);

/** Open orders, while the component is mounted. */
export function useOrders(account: string): { readonly orders: readonly Order[]; readonly feed: Feed } {
  const [store] = useState(() => new Store<Rows<Order>>({ of: account, rows: [] }));
  const feed = useLive(WatchOrders, { account }, ({ orders: { orders } }) =>
    store.set({ of: account, rows: (orders ?? []).filter(({ orderStatus }) => OPEN.has(orderStatus)) }),
  );
  const { of, rows } = useStore(store);
  return { orders: of === account ? rows : [], feed };
}

/** Waiting trigger orders. */
export function usePlanOrders(account: string): { readonly plans: readonly PlanOrder[]; readonly feed: Feed } {
  const [store] = useState(() => new Store<Rows<PlanOrder>>({ of: account, rows: [] }));
  const feed = useLive(WatchPlanOrders, { account }, ({ planOrders: { planOrders } }) =>
    store.set({
      of: account,
      rows: (planOrders ?? []).filter(({ planStatus }) => planStatus === "LIVE" || planStatus === null),
    }),
  );
  const { of, rows } = useStore(store);
  return { plans: of === account ? rows : [], feed };
}
