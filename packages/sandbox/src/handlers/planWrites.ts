import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { isNamed } from "@exchange-graph/contract/letterCase";
import {
  cancelStrategyOrder,
  classicCancelPlanOrders,
  placeStrategyOrder,
  placeTpslOrder,
} from "@exchange-graph/contract/planWrites";
import { CLASSIC_TPSL_PLANS } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import type { PositionSide } from "../world/accounts.js";
import type { Plan } from "../world/plans/plan.js";
import type { PlanService } from "../world/plans/planService.js";
import type { PlanStore } from "../world/plans/planStore.js";
import type { TpslRequest } from "../world/plans/requests.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { categoryOf, contractIn } from "./symbols.js";
import { maybeExact, priceOrNone, tpslTerms } from "./tpsl.js";

/** Trigger orders: take-profit and stop-loss of positions. */
export function planWriteHandlers({ accounts, markets }: State, service: PlanService, store: PlanStore): readonly Handler[] {
  return [
    signed(placeStrategyOrder, ({ values, uid }) => {
      const plan = service.placeTpsl({
        uid,
        category: values.category,
        symbol: values.symbol,
        side: values.posSide,
        kind: "tpsl",
        tpsl: strategyTpsl(values),
        quantity: values.tpslMode === "partial" ? maybeExact(values.qty) : undefined,
        clientOid: values.clientOid,
      });
      return { orderId: plan.planId, clientOid: plan.clientOid };
    }),

    signed(cancelStrategyOrder, ({ values, uid }) => {
      service.cancel(service.waitingPlan(uid, { planId: values.orderId, clientOid: values.clientOid }, isOnFutures));
      return null;
    }),

    signed(placeTpslOrder, ({ values, uid }) => {
      const { category, symbol } = contractIn(markets, categoryOf(values.productType), values);
      const isHedged = accounts.of(uid).holdMode(category) === "hedge_mode";
      if (isHedged !== (values.holdSide === SIDE[values.holdSide])) throw new Refused(REFUSAL.positionModeMismatch);
      const isTrailing = values.planType === "moving_plan";
      const isWhole = values.planType === "pos_profit" || values.planType === "pos_loss";
      const tpsl = tpslTerms({
        trigger: values.triggerPrice,
        by: values.triggerType === "mark_price" ? "mark" : "market",
        limit: values.executePrice,
      });
      const role = values.planType === "profit_plan" || values.planType === "pos_profit" ? "takeProfit" : "stopLoss";
      const plan = service.placeTpsl({
        uid,
        category,
        symbol,
        side: SIDE[values.holdSide],
        kind: values.planType,
        tpsl: tpsl === undefined ? [] : [{ role, ...tpsl }],
        quantity: isWhole ? undefined : priceOrNone(values.size),
        callbackPercent: isTrailing ? maybeExact(values.rangeRate) : undefined,
        clientOid: values.clientOid,
        stpMode: values.stpMode,
      });
      return { orderId: plan.planId, clientOid: plan.clientOid };
    }),

    // Each trigger order succeeds or fails by itself, inside a successful answer.
    signed(classicCancelPlanOrders, ({ values, uid }) => {
      const successList: unknown[] = [];
      const failureList: unknown[] = [];
      const isListed = (plan: Plan): boolean => isOnFutures(plan) && isOf(plan, values);
      for (const { orderId = "", clientOid = "" } of values.orderIdList ?? meant(store.waiting(uid), values)) {
        try {
          const plan = service.waitingPlan(uid, orderId === "" ? { clientOid } : { planId: orderId }, isListed);
          service.cancel(plan);
          successList.push({ orderId: plan.planId, clientOid: plan.clientOid });
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          failureList.push({ orderId, clientOid, errorMsg: error.message });
        }
      }
      return { successList, failureList };
    }),
  ];
}

/** In hedge mode a position is named by its own side, in one-way mode by the side that opened it. */
const SIDE: Readonly<Record<"long" | "short" | "buy" | "sell", PositionSide>> = {
  long: "long",
  short: "short",
  buy: "long",
  sell: "short",
};

function strategyTpsl(values: ParametersOf<typeof placeStrategyOrder>): readonly TpslRequest[] {
  const profit = tpslTerms({
    trigger: values.takeProfit,
    by: values.tpTriggerBy,
    limit: values.tpOrderType === "market" ? undefined : values.tpLimitPrice,
  });
  const loss = tpslTerms({
    trigger: values.stopLoss,
    by: values.slTriggerBy,
    limit: values.slOrderType === "market" ? undefined : values.slLimitPrice,
  });
  return [
    ...(profit === undefined ? [] : [{ role: "takeProfit" as const, ...profit }]),
    ...(loss === undefined ? [] : [{ role: "stopLoss" as const, ...loss }]),
  ];
}

const TPSL_KINDS: readonly string[] = CLASSIC_TPSL_PLANS;

/** Spot has trigger orders of its own, with endpoints of their own. */
const isOnFutures = ({ kind }: Plan): boolean => kind !== "spot";

type Cancellation = ParametersOf<typeof classicCancelPlanOrders>;

/** Whether the trigger order belongs to the product type, and to the symbol if one is named. */
const isOf = (plan: Plan, { productType, symbol }: Cancellation): boolean =>
  plan.category === categoryOf(productType) && isNamed(plan.symbol, symbol);

/** The trigger orders selected by a call without a list of ids. */
const meant = (waiting: readonly Plan[], asked: Cancellation) =>
  waiting
    .filter(
      (plan) =>
        isOf(plan, asked) && (asked.planType === "profit_loss" ? TPSL_KINDS.includes(plan.kind) : plan.kind === asked.planType),
    )
    .map(({ planId, clientOid }) => ({ orderId: planId, clientOid }));
