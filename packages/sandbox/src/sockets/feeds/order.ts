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
import { classicFuturesFeed, classicSpotFeed, happenings, isIn } from "./accountFeed.js";
import { type MarketSource, type TopicFeed, wholeFeed } from "./topicFeed.js";

/** Orders and trigger orders, whole, at each of their changes; and executions. */
export function orderFeeds(state: State): readonly TopicFeed[] {
  const lastFill = ({ uid, orderId, filledQuantity }: Order): Fill | undefined =>
    filledQuantity.eq(ZERO) ? undefined : state.orders.fills(uid).find((fill) => fill.orderId === orderId);
  const classicSpot = (order: Order) => classicSpotOrder(order, lastFill(order));
  const classicFutures = (order: Order) => classicFuturesOrder(order, lastFill(order));
  return [
    wholeFeed(orderChannel, (uid) => orders(isOf(uid), unifiedOrder)),
    wholeFeed(fillChannel, (uid) => fills(isOf(uid), unifiedFill)),
    wholeFeed(fastFillChannel, (uid) => fills(isOf(uid), unifiedFastFill)),
    wholeFeed(strategyOrderChannel, (uid) => plans(isOf(uid), unifiedPlan)),
    classicSpotFeed(state, classicSpotOrdersChannel, (scope) => orders(isIn(scope), classicSpot)),
    classicSpotFeed(state, classicSpotFillChannel, (scope) => fills(isIn(scope), classicSpotFill)),
    classicSpotFeed(state, classicSpotTriggerOrdersChannel, (scope) => plans(isIn(scope), classicSpotPlan)),
    classicFuturesFeed(state, classicFuturesOrdersChannel, (scope) => orders(isIn(scope), classicFutures)),
    classicFuturesFeed(state, classicFuturesFillChannel, (scope) => fills(isIn(scope), classicFuturesFill)),
    classicFuturesFeed(state, classicPlanOrdersChannel, (scope) =>
      plans(
        (plan) => isClassicPlan(plan) && isIn(scope)(plan),
        (plan) => classicPlan(state, plan),
      ),
    ),
  ];
}

const isOf =
  (uid: string) =>
  (row: { readonly uid: string }): boolean =>
    row.uid === uid;

const orders = (isMeant: (order: Order) => boolean, render: (order: Order) => unknown): MarketSource =>
  happenings((event) => (event.kind === "order" && isMeant(event.order) ? render(event.order) : undefined));

const fills = (isMeant: (fill: Fill) => boolean, render: (fill: Fill) => unknown): MarketSource =>
  happenings((event) => (event.kind === "fill" && isMeant(event.fill) ? render(event.fill) : undefined));

const plans = (isMeant: (plan: Plan) => boolean, render: (plan: Plan) => unknown): MarketSource =>
  happenings((event) => (event.kind === "plan" && isMeant(event.plan) ? render(event.plan) : undefined));
