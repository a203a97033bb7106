import {
  classicFuturesFillChannel,
  classicSpotFillChannel,
  fastFillChannel,
  fillChannel,
} from "@exchange-graph/contract/channels/fill";
import {
  classicFuturesOrdersChannel,
  classicSpotOrdersChannel,
  classicSpotTriggerOrdersChannel,
  orderChannel,
} from "@exchange-graph/contract/channels/order";
import { classicPlanOrdersChannel, strategyOrderChannel } from "@exchange-graph/contract/channels/plan";
import { ZERO } from "../../world/ledger.js";
import type { Fill, Order } from "../../world/orders/order.js";
import type { Plan } from "../../world/plans/plan.js";
import type { State } from "../../world/state.js";
import {
  classicFuturesFill,
  classicFuturesOrder,
  classicSpotFill,
  classicSpotOrder,
  unifiedFastFill,
  unifiedFill,
  unifiedOrder,
} from "../wire/order.js";
import { classicPlan, classicSpotPlan, isClassicPlan, unifiedPlan } from "../wire/plan.js";
import { classicFuturesFeed, classicSpotFeed, Happenings, unifiedFeed } from "./accountFeed.js";
import type { MarketSource, TopicFeed } from "./topicFeed.js";

/** Orders, whole, at each of their changes; and their executions. */
export function orderFeeds(state: State): readonly TopicFeed[] {
  const lastFill = ({ uid, orderId, filledQuantity }: Order): Fill | undefined =>
    filledQuantity.eq(ZERO) ? undefined : state.orders.fills(uid).find((fill) => fill.orderId === orderId);

  return [
    unifiedFeed(orderChannel, (uid) => orders(uid, () => true, unifiedOrder)),
    unifiedFeed(fillChannel, (uid) => fills(uid, () => true, unifiedFill)),
    unifiedFeed(fastFillChannel, (uid) => fills(uid, () => true, unifiedFastFill)),
    classicSpotFeed(state, classicSpotOrdersChannel, ({ uid, covers }) =>
      orders(
        uid,
        ({ category, symbol }) => category === "SPOT" && covers(symbol),
        (order) => classicSpotOrder(order, lastFill(order)),
      ),
    ),
    classicSpotFeed(state, classicSpotFillChannel, ({ uid, covers }) =>
      fills(uid, ({ category, symbol }) => category === "SPOT" && covers(symbol), classicSpotFill),
    ),
    classicFuturesFeed(state, classicFuturesOrdersChannel, ({ uid, covers, category }) =>
      orders(
        uid,
        (order) => order.category === category && covers(order.symbol),
        (order) => classicFuturesOrder(order, lastFill(order)),
      ),
    ),
    classicFuturesFeed(state, classicFuturesFillChannel, ({ uid, covers, category }) =>
      fills(uid, (fill) => fill.category === category && covers(fill.symbol), classicFuturesFill),
    ),
  ];
}

const orders = (uid: string, isMeant: (order: Order) => boolean, render: (order: Order) => unknown): MarketSource =>
  new Happenings((event) =>
    event.kind === "order" && event.order.uid === uid && isMeant(event.order) ? render(event.order) : undefined,
  );

const fills = (uid: string, isMeant: (fill: Fill) => boolean, render: (fill: Fill) => unknown): MarketSource =>
  new Happenings((event) =>
    event.kind === "fill" && event.fill.uid === uid && isMeant(event.fill) ? render(event.fill) : undefined,
  );

/** Trigger orders, whole, at each of their changes. */
export const planFeeds = (state: State): readonly TopicFeed[] => [
  unifiedFeed(strategyOrderChannel, (uid) => plans(uid, () => true, unifiedPlan)),
  classicSpotFeed(state, classicSpotTriggerOrdersChannel, ({ uid, covers }) =>
    plans(uid, ({ category, symbol }) => category === "SPOT" && covers(symbol), classicSpotPlan),
  ),
  classicFuturesFeed(state, classicPlanOrdersChannel, ({ uid, covers, category }) =>
    plans(
      uid,
      (plan) => plan.category === category && isClassicPlan(plan) && covers(plan.symbol),
      (plan) => classicPlan(state, plan),
    ),
  ),
];

const plans = (uid: string, isMeant: (plan: Plan) => boolean, render: (plan: Plan) => unknown): MarketSource =>
  new Happenings((event) =>
    event.kind === "plan" && event.plan.uid === uid && isMeant(event.plan) ? render(event.plan) : undefined,
  );
