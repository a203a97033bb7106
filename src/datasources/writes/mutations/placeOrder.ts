import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { ArgumentViolation } from "../../errors/index.js";
import { isFuturesCategory, type RequestReads, type SymbolRules, symbolRules } from "../../reads/index.js";
import { orNothing } from "../limits/marketView.js";
import { classicPlaceFuturesOrderPolicy, classicPlaceSpotOrderPolicy, placeOrderPolicy } from "../policies/orders.js";
import { type Acknowledgement, acknowledgement } from "../policies/replies.js";
import type { OrderMarket } from "../positionModes.js";
import { brokenBy } from "../rules/orderRules.js";
import { type PlannedRisk, plan, type WritePlan } from "../writePlan.js";
import { contractOf, mutation, type Planning, planByMode, refuseBroken, refuseMissing } from "./mutation.js";
import { type Estimated, estimateOrder } from "./placement/estimate.js";
import {
  brokenByType,
  brokenInHedgeMode,
  brokenOffFutures,
  closesPosition,
  exposureOf,
  isClose,
  type PlaceOrder,
  type PlaceOrderInput,
  quantityOf,
  sentReduceOnly,
} from "./placement/placeOrderInput.js";
import { brokenOrderNow } from "./placement/presentRules.js";
import {
  CLASSIC_FUTURES_TPSL_FIELDS,
  CLASSIC_SPOT_TPSL_FIELDS,
  chosenTriggers,
  classicFuturesTpsl,
  classicSpotTpsl,
  tpslPrices,
  UNIFIED_TPSL_FIELDS,
  unifiedTpsl,
} from "./tpsl.js";

type NumberRules = (isHedged: boolean) => readonly ArgumentViolation[];

/**
 * Reads the rules of an order's symbol, and the market price for a limit price. If the market price cannot be read, the order is
 * not refused: the exchange checks it itself.
 */
export async function numberRules(reads: RequestReads, order: PlaceOrder, rules: SymbolRules | undefined): Promise<NumberRules> {
  const { category, symbol, orderType, price } = order;
  const isPriced = orderType === "limit" && price !== undefined;
  const ticker = isPriced ? await orNothing(reads.loaders.marketTicker(category, symbol)) : null;
  return (isHedged) => {
    if (rules === undefined) return [];
    const closes = isClose(order, isHedged);
    const triggers = { triggerPrice: order.triggerPrice, ...tpslPrices(order) };
    return brokenBy({ ...order, isMarket: orderType === "market", closes, triggers }, rules, ticker);
  };
}

/** What an order risks and costs, and which rules it breaks now. `market`: where it can close a position. */
function riskOf(estimated: Estimated, market: OrderMarket | undefined): PlannedRisk {
  const { planning, order, rules, isHedged } = estimated;
  const { reads, writes } = planning;
  return {
    reducesRisk: market !== undefined && isClose(order, isHedged),
    // Hedge mode refuses a reduce-only order of one-way mode, but not the reverse.
    stillReducesRisk: market && isHedged ? () => writes.positionModes.isStillHedged(reads, market) : undefined,
    exposure: exposureOf(order, rules),
    estimate: (ahead) => estimateOrder({ ...estimated, ahead }),
    presentRules: (isAlone) => brokenOrderNow(planning, order, { isHedged, isAlone }),
  };
}

/** A unified account refuses exits of an order that can only close a position. */
const exitsOfClose = (order: PlaceOrder): ArgumentViolation[] =>
  (["takeProfit", "stopLoss"] as const).flatMap((argument) =>
    order[argument] === undefined ? [] : [{ argument, rule: "must not be given for an order that only closes a position" }],
  );

/** An order of a unified account: the input's own fields, for any category. */
async function unifiedPlacement(planning: Planning, order: PlaceOrder): Promise<WritePlan<Acknowledgement>> {
  const { reads, writes, account } = planning;
  refuseMissing("a unified account", { triggerPrice: order.triggerPrice });
  const { category, receiveWindow } = order;
  const rules = await symbolRules(reads, "UNIFIED", category, order.symbol);
  const symbol = rules?.symbol ?? order.symbol;
  const market = isFuturesCategory(category) ? { account, category, symbol, marginCoin: undefined } : undefined;
  const [mode, broken] = await Promise.all([market && writes.positionModes.of(reads, market), numberRules(reads, order, rules)]);
  const isHedged = mode?.isHedged === true;
  const reduceOnly = sentReduceOnly(order, isHedged);
  refuseBroken(isHedged ? brokenInHedgeMode(order) : isFuturesCategory(category) ? [] : brokenOffFutures(order));
  if (market !== undefined && isClose(order, isHedged)) refuseBroken(exitsOfClose(order));
  const { quantity, field } = quantityOf(order);
  return plan(
    placeOrderPolicy,
    {
      category,
      symbol,
      clientOid: order.clientOid ?? writes.newClientOid(),
      side: order.side,
      // Ignored in one-way mode. Hedge mode refuses an order without it: what only reduces in one mode cannot open in the other.
      posSide: reduceOnly === undefined ? order.posSide : undefined,
      orderType: order.orderType,
      price: order.price,
      qty: quantity,
      timeInForce: order.timeInForce,
      // In hedge mode `side` and `posSide` already decide it.
      reduceOnly,
      stpMode: order.stpMode,
      marginMode: order.marginMode,
      ...unifiedTpsl(order),
      requestTime: receiveWindow === undefined ? undefined : reads.now(),
      receiveWindow,
    },
    { ...UNIFIED_TPSL_FIELDS, qty: field },
    () => broken(isHedged),
    riskOf({ planning, order, mode: "UNIFIED", rules, isHedged }, market),
  );
}

/** A spot order of a Classic account; with a trigger price it waits for that, and then it has no `clientOid`. */
async function classicSpotPlacement(planning: Planning, order: PlaceOrder): Promise<WritePlan<Acknowledgement>> {
  const { reads, writes } = planning;
  refuseMissing("Classic spot", { ...chosenTriggers(order), marginMode: order.marginMode });
  refuseBroken(brokenOffFutures(order));
  const rules = await symbolRules(reads, "CLASSIC", "SPOT", order.symbol);
  const broken = await numberRules(reads, order, rules);
  const { triggerPrice, receiveWindow } = order;
  const { quantity, field } = quantityOf(order);
  const waits = triggerPrice !== undefined;
  return plan(
    classicPlaceSpotOrderPolicy,
    {
      symbol: rules?.symbol ?? order.symbol,
      side: order.side,
      orderType: order.orderType,
      // Required, and without effect on a market order.
      force: order.timeInForce ?? "gtc",
      price: order.price,
      size: quantity,
      clientOid: order.clientOid ?? (waits ? undefined : writes.newClientOid()),
      triggerPrice,
      tpslType: waits ? "tpsl" : undefined,
      requestTime: receiveWindow === undefined ? undefined : reads.now(),
      receiveWindow,
      stpMode: order.stpMode,
      ...classicSpotTpsl(order),
    },
    { ...CLASSIC_SPOT_TPSL_FIELDS, size: field, force: "timeInForce", tpslType: "triggerPrice" },
    () => broken(false),
    riskOf({ planning, order, mode: "CLASSIC", rules, isHedged: false }, undefined),
  );
}

/**
 * A futures order of a Classic account. In hedge mode the exchange expects the position's direction as `side`, and whether it is
 * opened or closed as `tradeSide`: closing a long, a sell in the market, is sent as `buy` and `close`.
 */
async function classicFuturesPlacement(
  planning: Planning,
  order: PlaceOrder,
  category: FuturesCategory,
): Promise<WritePlan<Acknowledgement>> {
  const { reads, writes, account } = planning;
  refuseMissing("Classic futures", {
    ...chosenTriggers(order),
    triggerPrice: order.triggerPrice,
    receiveWindow: order.receiveWindow,
  });
  const rules = await symbolRules(reads, "CLASSIC", category, order.symbol);
  const contract = contractOf(category, order.symbol, rules);
  const market = { ...contract, account, category };
  const [{ isHedged, marginMode }, broken] = await Promise.all([
    writes.positionModes.of(reads, market),
    numberRules(reads, order, rules),
  ]);
  if (isHedged) refuseBroken(brokenInHedgeMode(order));
  const { posSide } = order;
  const direction = posSide === undefined ? undefined : posSide === "long" ? "buy" : "sell";
  return plan(
    classicPlaceFuturesOrderPolicy,
    {
      ...contract,
      marginMode: order.marginMode ?? marginMode,
      clientOid: order.clientOid ?? writes.newClientOid(),
      side: isHedged ? direction : order.side,
      tradeSide: isHedged ? (closesPosition(order) ? "close" : "open") : undefined,
      orderType: order.orderType,
      price: order.price,
      size: order.qty,
      force: order.timeInForce,
      reduceOnly: sentReduceOnly(order, isHedged),
      ...classicFuturesTpsl(order),
      stpMode: order.stpMode,
    },
    {
      ...CLASSIC_FUTURES_TPSL_FIELDS,
      size: "qty",
      force: "timeInForce",
      productType: "category",
      side: isHedged ? "posSide" : "side",
    },
    () => broken(isHedged),
    riskOf({ planning, order, mode: "CLASSIC", rules, isHedged }, market),
  );
}

export type { PlaceOrderInput } from "./placement/placeOrderInput.js";

/** Places an order of any category, with either API version. */
export const placeOrder = mutation<PlaceOrderInput, Acknowledgement>({
  name: "placeOrder",
  reply: acknowledgement,
  namedBy: "clientOid",
  plan: async (planning, order) => {
    // Checked before the endpoint's rules, which would require a quantity without naming the field, and allow a price without effect.
    refuseBroken(brokenByType(order));
    return planByMode(planning, order.category, {
      unified: () => unifiedPlacement(planning, order),
      classicFutures: (category) => classicFuturesPlacement(planning, order, category),
      classicSpot: () => classicSpotPlacement(planning, order),
    });
  },
});

/** Places several orders of one account, with the fewest calls: all of them are sent, or none. */
export const placeOrders = placeOrder.together;
