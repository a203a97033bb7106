import { exact } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { isNamed } from "@exchange-graph/contract/letterCase";
import {
  classicCancelPlanOrders,
  classicModifyPlanOrder,
  classicModifyTpslOrder,
  classicPlacePlanOrder,
  placeTpslOrder,
} from "@exchange-graph/contract/planWrites";
import { cancelStrategyOrder, modifyStrategyOrder, placeStrategyOrder } from "@exchange-graph/contract/strategyWrites";
import { Refused } from "../refused.js";
import type { PositionSide } from "../world/accounts.js";
import type { Plan, Strategy as StrategyTerms } from "../world/plans/plan.js";
import type { PlanService } from "../world/plans/planService.js";
import type { PlanStore } from "../world/plans/planStore.js";
import type { EntryPlanRequest, TpslPlanRequest, TpslRequest } from "../world/plans/requests.js";
import type { Strategies } from "../world/plans/strategies.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { categoryOf, contractIn } from "./symbols.js";
import { maybeExact, priceOrNone, type TpslParameters, tpslTerms, triggerBy, unifiedTpsl } from "./tpsl.js";
import { picked } from "./wire/fields.js";
import { isInClassicList, planIdsOf } from "./wire/plan.js";

/** Trigger orders: take-profit and stop-loss of positions. */
export function planWriteHandlers(
  { accounts, markets }: State,
  service: PlanService,
  store: PlanStore,
  strategies: Strategies,
): readonly Handler[] {
  const placed = (uid: string, values: Strategy): Plan => {
    const terms = strategyOf(values);
    if (terms !== undefined) return strategies.place({ strategy: terms, order: wholeOrder(uid, values) });
    return values.type === "trigger"
      ? service.placeEntry(strategyEntry(uid, values))
      : service.placeTpsl(strategyClose(uid, values));
  };

  return [
    signed(placeStrategyOrder, ({ values, uid }) => planIdsOf(placed(uid, values))),

    signed(modifyStrategyOrder, ({ values, uid }) => {
      const plan = service.waitingPlan(uid, values);
      if (plan.strategy !== undefined) throw new Refused(REFUSAL.strategyNotModifiable);
      const isClose = plan.action.kind === "close";
      service.modify(plan, {
        legs: isClose ? strategyTpsl(values) : [],
        trigger:
          isClose || values.triggerPrice === undefined
            ? undefined
            : { triggerPrice: exact(values.triggerPrice), triggerBy: values.triggerBy ?? "market" },
        limitPrice: values.triggerOrderType === "limit" ? maybeExact(values.triggerOrderPrice) : undefined,
        quantity: isClose && plan.quantity === undefined ? undefined : exact(values.qty),
      });
      return planIdsOf(plan);
    }),

    signed(cancelStrategyOrder, ({ values, uid }) => {
      service.cancel(service.waitingPlan(uid, values));
      return null;
    }),

    signed(placeTpslOrder, ({ values, uid }) => {
      const { category, symbol } = contractIn(markets, categoryOf(values.productType), values);
      const isHedged = accounts.of(uid).holdMode(category) === "hedge_mode";
      if (isHedged !== (values.holdSide === SIDE[values.holdSide])) throw new Refused(REFUSAL.positionModeMismatch);
      const isTrailing = values.planType === "moving_plan";
      const isWhole = values.planType === "pos_profit" || values.planType === "pos_loss";
      const role = values.planType === "profit_plan" || values.planType === "pos_profit" ? "takeProfit" : "stopLoss";
      const plan = service.placeTpsl({
        uid,
        category,
        symbol,
        side: SIDE[values.holdSide],
        kind: values.planType,
        tpsl: requested(role, classicTpsl(values)),
        quantity: isWhole ? undefined : priceOrNone(values.size),
        callbackPercent: isTrailing ? maybeExact(values.rangeRate) : undefined,
        ...picked(values, "clientOid", "stpMode"),
      });
      return planIdsOf(plan);
    }),

    signed(classicPlacePlanOrder, ({ values, uid }) => {
      const { category, symbol } = contractIn(markets, categoryOf(values.productType), values);
      const isHedged = accounts.of(uid).holdMode(category) === "hedge_mode";
      if (isHedged !== (values.tradeSide !== undefined)) throw new Refused(REFUSAL.positionModeMismatch);
      const posSide = isHedged ? SIDE[values.side] : undefined;
      const closes = values.tradeSide === "close";
      const plan = service.placeEntry({
        kind: values.planType,
        triggerPrice: exact(values.triggerPrice),
        triggerBy: triggerBy(values.triggerType),
        callbackPercent: values.planType === "track_plan" ? maybeExact(values.callbackRatio) : undefined,
        order: {
          ...{ uid, category, symbol, posSide, clientOid: values.clientOid, marginMode: values.marginMode },
          // In hedge mode the side is the direction of the position.
          side: closes ? (values.side === "buy" ? "sell" : "buy") : values.side,
          ...picked(values, "orderType", "stpMode"),
          price: values.orderType === "limit" ? maybeExact(values.price) : undefined,
          quantity: exact(values.size),
          reduceOnly: values.reduceOnly === "yes",
        },
      });
      return planIdsOf(plan);
    }),

    signed(classicModifyPlanOrder, ({ values, uid }) => {
      const plan = service.waitingPlan(uid, values, ({ kind }) => kind === "normal_plan" || kind === "track_plan");
      const request = plan.action.kind === "order" ? plan.action.request : undefined;
      service.modify(plan, {
        legs: [],
        trigger:
          values.newTriggerPrice === undefined
            ? undefined
            : {
                triggerPrice: exact(values.newTriggerPrice),
                triggerBy: triggerBy(values.newTriggerType),
              },
        limitPrice: maybeExact(values.newPrice) ?? request?.price,
        quantity: maybeExact(values.newSize),
        callbackPercent: maybeExact(values.newCallbackRatio),
      });
      return planIdsOf(plan);
    }),

    signed(classicModifyTpslOrder, ({ values, uid }) => {
      const plan = service.waitingPlan(uid, values, (plan) => isInClassicList(plan, "profit_loss"));
      const [leg] = plan.legs;
      const role = leg?.role === "takeProfit" ? "takeProfit" : "stopLoss";
      const quantity = plan.quantity === undefined ? undefined : (maybeExact(values.size) ?? plan.quantity);
      service.modify(plan, { legs: requested(role, classicTpsl(values)), quantity });
      return planIdsOf(plan);
    }),

    // Each trigger order succeeds or fails by itself, inside a successful answer.
    signed(classicCancelPlanOrders, ({ values, uid }) => {
      const successList: unknown[] = [];
      const failureList: unknown[] = [];
      const isListed = (plan: Plan): boolean => isOnFutures(plan) && isOf(plan, values);
      for (const { orderId = "", clientOid = "" } of values.orderIdList ?? meant(store.waiting(uid), values)) {
        try {
          const plan = service.waitingPlan(uid, orderId === "" ? { clientOid } : { orderId }, isListed);
          service.cancel(plan);
          successList.push(planIdsOf(plan));
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

type Strategy = ParametersOf<typeof placeStrategyOrder>;

function strategyOf(values: Strategy): StrategyTerms | undefined {
  switch (values.type) {
    case "oco":
      return { kind: values.type, params: mandatory(values.ocoParams, "ocoParams") };
    case "trailing_stop":
      return { kind: values.type, params: mandatory(values.trailingStopParams, "trailingStopParams") };
    case "iceberg":
      return { kind: values.type, params: mandatory(values.icebergParams, "icebergParams") };
    case "twap":
      return { kind: values.type, params: mandatory(values.twapParams, "twapParams") };
    default:
      return undefined;
  }
}

const wholeOrder = (uid: string, { category, symbol, posSide, clientOid, side, qty, reduceOnly }: Strategy) => ({
  ...{ uid, category, symbol, posSide, clientOid },
  side: mandatory(side, "side"),
  orderType: "market" as const,
  quantity: exact(mandatory(qty, "qty")),
  reduceOnly: reduceOnly === "yes",
});

/** A value that the rules of the endpoint require. */
function mandatory<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Refused(REFUSAL.malformedParameter, name);
  return value;
}

/** A take-profit, a stop-loss or both on a position. */
function strategyClose(uid: string, values: Strategy): TpslPlanRequest {
  const { category, symbol, posSide, tpslMode, qty, clientOid } = values;
  if (category === "SPOT" || category === "MARGIN") throw new Refused(REFUSAL.malformedParameter, "category");
  const quantity = tpslMode === "partial" ? maybeExact(qty) : undefined;
  return {
    uid,
    category,
    symbol,
    side: mandatory(posSide, "posSide"),
    kind: "tpsl",
    tpsl: strategyTpsl(values),
    quantity,
    clientOid,
  };
}

/**
 * An order that is placed at its trigger price. A market buy on spot and margin has its quantity in base coin here; it spends what
 * that costs at the trigger price.
 */
function strategyEntry(uid: string, values: Strategy): EntryPlanRequest {
  const side = mandatory(values.side, "side");
  const quantity = exact(mandatory(values.qty, "qty"));
  const triggerPrice = exact(mandatory(values.triggerPrice, "triggerPrice"));
  const { category, symbol, posSide, clientOid, triggerOrderType = "market", triggerOrderPrice, triggerBy = "market" } = values;
  const isOnSpot = category === "SPOT" || category === "MARGIN";
  const spendsQuote = isOnSpot && side === "buy" && triggerOrderType === "market";
  return {
    kind: isOnSpot ? "spot" : "normal_plan",
    quantity,
    triggerPrice,
    triggerBy,
    order: {
      ...{ uid, category, symbol, posSide, clientOid },
      side,
      orderType: triggerOrderType,
      price: triggerOrderType === "limit" ? maybeExact(triggerOrderPrice) : undefined,
      ...(spendsQuote ? { amount: quantity.times(triggerPrice) } : { quantity }),
      reduceOnly: values.reduceOnly === "yes",
    },
  };
}

function strategyTpsl(values: Parameters<typeof unifiedTpsl>[0]): readonly TpslRequest[] {
  const { takeProfit, stopLoss } = unifiedTpsl(values);
  return [...requested("takeProfit", takeProfit), ...requested("stopLoss", stopLoss)];
}

function requested(role: TpslRequest["role"], parameters: TpslParameters): readonly TpslRequest[] {
  const tpsl = tpslTerms(parameters);
  return tpsl === undefined ? [] : [{ role, ...tpsl }];
}

const classicTpsl = ({ triggerPrice, triggerType, executePrice }: ClassicTpsl): TpslParameters => ({
  trigger: triggerPrice,
  by: triggerBy(triggerType),
  limit: executePrice,
});
type ClassicTpsl = Pick<ParametersOf<typeof placeTpslOrder>, "triggerPrice" | "triggerType" | "executePrice">;

/** Spot has trigger orders of its own, with endpoints of their own. */
const isOnFutures = ({ kind }: Plan): boolean => kind !== "spot";

type Cancellation = ParametersOf<typeof classicCancelPlanOrders>;

/** Whether the trigger order belongs to the product type, and to the symbol if one is named. */
const isOf = (plan: Plan, { productType, symbol }: Cancellation): boolean =>
  plan.category === categoryOf(productType) && isNamed(plan.symbol, symbol);

/** The trigger orders selected by a call without a list of ids. */
const meant = (waiting: readonly Plan[], request: Cancellation) =>
  waiting.filter((plan) => isOf(plan, request) && isInClassicList(plan, request.planType)).map(planIdsOf);
