import { classicSpotTriggerOrdersChannel } from "@exchange-graph/contract/channels/order";
import { classicPlanOrdersChannel, strategyOrderChannel } from "@exchange-graph/contract/channels/plan";
import type { Plan } from "../../world/plans/plan.js";
import type { State } from "../../world/state.js";
import { classicPlan, classicSpotPlan, isClassicPlan, unifiedPlan } from "../wire/plan.js";
import { classicFuturesFeed, classicSpotFeed, Happenings, unifiedFeed } from "./accountFeed.js";
import type { Feed, MarketSource } from "./feed.js";

/** Trigger orders, whole, at each of their changes. */
export const planFeeds = (state: State): readonly Feed[] => [
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
