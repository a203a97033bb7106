import { inPercent } from "@exchange-graph/contract/percent";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { isFuturesCategory, symbolRules } from "../../../reads/index.js";
import { classicPlacePlanOrderPolicy } from "../../policies/classicPlans.js";
import type { Acknowledgement } from "../../policies/replies.js";
import { brokenBy } from "../../rules/orderRules.js";
import { plan, type WritePlan } from "../../writePlan.js";
import {
  contractOf,
  type Planning,
  refuse,
  refuseBroken,
  refuseMismatch,
  refuseMissing,
  type WithoutNulls,
} from "../mutation.js";
import { brokenInHedgeMode, closesPosition, isClose } from "../placement/placeOrderInput.js";
import { tpslPlan } from "../placeTpslOrder.js";
import type { ExitInput } from "../tpsl.js";
import { estimatePlan } from "./estimatePlan.js";
import { exposureOf, type PlacePlanOrder, pricesOf } from "./planOrderInput.js";

const CLASSIC = "a Classic account";

/** A trigger order of a Classic account, on futures: exits of a position, an order at a trigger price, or a trailing one. */
export async function classicPlanOrder(planning: Planning, order: PlacePlanOrder): Promise<WritePlan<Acknowledgement>> {
  const { category, terms } = order;
  refuseMissing(CLASSIC, {
    "terms.oco": terms.oco,
    "terms.iceberg": terms.iceberg,
    "terms.twap": terms.twap,
    "terms.trailingStop.distance.spread": terms.trailingStop?.distance.spread,
    "terms.trailingStop.limitPrice": terms.trailingStop?.limitPrice,
  });
  if (terms.trailingStop?.activationBy === "index")
    refuseMismatch("terms.trailingStop.activationBy", "must be MARKET or MARK on a Classic account");
  if (!isFuturesCategory(category))
    refuseMismatch("category", "must be a futures category on a Classic account; on SPOT place an order with a triggerPrice");
  if (terms.tpsl !== undefined) return exit(planning, { ...order, category }, terms.tpsl);
  return triggered(planning, { ...order, category });
}

type OnFutures = PlacePlanOrder & { readonly category: FuturesCategory };

/** A Classic account has a trigger order for each of the two. */
async function exit(
  planning: Planning,
  { category, symbol, posSide, qty, side, clientOid }: OnFutures,
  { takeProfit, stopLoss }: NonNullable<PlacePlanOrder["terms"]["tpsl"]>,
): Promise<WritePlan<Acknowledgement>> {
  if (side !== undefined) refuse("side", "must not be given for exits of a position, which posSide names");
  if (posSide === undefined) refuse("posSide", "must be given for exits of a position");
  if (takeProfit !== undefined && stopLoss !== undefined)
    refuseMismatch(
      "terms.tpsl.stopLoss",
      "must not be given together with the take-profit on a Classic account: place two orders",
    );
  const one: WithoutNulls<ExitInput> | undefined = takeProfit ?? stopLoss;
  if (one === undefined) refuse("terms.tpsl.takeProfit", "must be given: takeProfit or stopLoss");
  const [part, whole] =
    takeProfit === undefined ? (["loss_plan", "pos_loss"] as const) : (["profit_plan", "pos_profit"] as const);
  const { triggerPrice, triggerBy, limitPrice: executePrice } = one;
  const planType = qty === undefined ? whole : part;
  const tpsl = { category, symbol, planType, posSide, triggerPrice, triggerBy, executePrice, qty, clientOid };
  const planned = await tpslPlan(planning, tpsl);
  const path = takeProfit === undefined ? "terms.tpsl.stopLoss" : "terms.tpsl.takeProfit";
  return { ...planned, fields: { ...planned.fields, triggerPrice: `${path}.triggerPrice`, executePrice: `${path}.limitPrice` } };
}

/** In hedge mode the exchange expects the position's direction as `side`, and whether it is opened or closed as `tradeSide`. */
async function triggered(planning: Planning, order: OnFutures): Promise<WritePlan<Acknowledgement>> {
  const { reads, writes, account } = planning;
  const { category, side, posSide, terms } = order;
  const { trigger, trailingStop } = terms;
  if (side === undefined) refuse("side", "must be given, except for exits of a position");
  const triggerPrice = trigger?.triggerPrice ?? trailingStop?.activationPrice;
  if (triggerPrice === undefined) refuse("terms.trailingStop.activationPrice", "must be given on a Classic account");
  const rules = await symbolRules(reads, "CLASSIC", category, order.symbol);
  const contract = contractOf(category, order.symbol, rules);
  const market = { ...contract, account, category };
  const { isHedged, marginMode } = await writes.positionModes.of(reads, market);
  if (isHedged) refuseBroken(brokenInHedgeMode({ ...order, side }));
  const closes = isClose({ ...order, side }, isHedged);
  const direction = posSide === "long" ? "buy" : "sell";
  const by = trigger?.triggerBy ?? trailingStop?.activationBy;
  return plan(
    classicPlacePlanOrderPolicy,
    {
      planType: trigger === undefined ? "track_plan" : "normal_plan",
      ...contract,
      marginMode,
      size: order.qty,
      price: trigger?.limitPrice,
      callbackRatio: trailingStop?.distance.rate === undefined ? undefined : inPercent(trailingStop.distance.rate),
      triggerPrice,
      triggerType: by === "mark" ? "mark_price" : "fill_price",
      side: isHedged ? direction : side,
      tradeSide: isHedged ? (closesPosition({ category, side, posSide }) ? "close" : "open") : undefined,
      orderType: trigger?.limitPrice === undefined ? "market" : "limit",
      clientOid: order.clientOid ?? writes.newClientOid(),
      reduceOnly: closes && !isHedged ? "yes" : undefined,
    },
    {
      size: "qty",
      productType: "category",
      price: "terms.trigger.limitPrice",
      callbackRatio: "terms.trailingStop.distance.rate",
      triggerPrice: trigger === undefined ? "terms.trailingStop.activationPrice" : "terms.trigger.triggerPrice",
      side: isHedged ? "posSide" : "side",
    },
    () =>
      rules === undefined ? [] : brokenBy({ isMarket: false, closes, qty: order.qty, triggers: pricesOf(terms) }, rules, null),
    {
      reducesRisk: closes,
      stillReducesRisk: isHedged && closes ? () => writes.positionModes.isStillHedged(reads, market) : undefined,
      exposure: exposureOf(order, rules),
      estimate: () => estimatePlan(planning, order, "CLASSIC", rules, isHedged),
    },
  );
}
