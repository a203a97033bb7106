import { exact } from "@exchange-graph/contract/decimal";
import { inPercent } from "@exchange-graph/contract/percent";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { rowsRead } from "@exchange-graph/contract/rows";
import { CLASSIC_PLAN_LISTS, type FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { Fault } from "../../errors/index.js";
import { isFuturesCategory, type SymbolRules, symbolRules } from "../../reads/index.js";
import { PLAN_LISTS, readEveryPlan } from "../limits/riskyPlans.js";
import { classicModifyPlanOrderPolicy, classicModifyTpslOrderPolicy } from "../policies/classicPlans.js";
import { modifyStrategyOrderPolicy } from "../policies/plans.js";
import { type Acknowledgement, acknowledgement } from "../policies/replies.js";
import { brokenBy } from "../rules/orderRules.js";
import { type PlannedRisk, plan, type WriteOptions, type WritePlan } from "../writePlan.js";
import { brokenIds } from "./cancelOrder.js";
import type { ModifyOrderInput } from "./modifyOrder.js";
import { contractOf, mutation, type Planning, refuse, refuseBroken, refuseMismatch, type WithoutNulls } from "./mutation.js";
import { isTpsl } from "./openOrders.js";
import { exposureOf, type PlanTerms, type PlanTermsInput, pricesOf } from "./planOrders/planOrderInput.js";
import { STRATEGY_FIELDS, strategyValues } from "./planOrders/unified.js";
import { classicTriggerOf } from "./tpsl.js";

/** A change of an open trigger order, by one of its two identifiers. */
interface ModifyPlanOrderInput
  extends WriteOptions,
    Pick<ModifyOrderInput, "category" | "symbol" | "orderId" | "clientOid" | "qty"> {
  /** The complete new terms: exits that are left out are removed. Trailing orders exist on Classic accounts only. */
  readonly terms?: (Pick<PlanTermsInput, "tpsl" | "trigger"> & { readonly trailing?: TrailingInput | null }) | null | undefined;
}
interface TrailingInput {
  readonly callbackRate: string;
  readonly activationPrice: string;
  readonly activationBy?: "market" | "mark" | null | undefined;
}
type ModifyPlanOrder = WithoutNulls<ModifyPlanOrderInput>;

/** Changes a trigger order in place. The order is read first: unchanged terms are sent too, and its kind determines the call. */
export const modifyPlanOrder = mutation<ModifyPlanOrderInput, Acknowledgement>({
  name: "modifyPlanOrder",
  reply: acknowledgement,
  plan: async (planning, change) => {
    const { reads, account } = planning;
    const { category, symbol, orderId, clientOid } = change;
    if (orderId === undefined && clientOid === undefined) refuse("orderId", "must be given: orderId or clientOid");
    refuseBroken(brokenIds({ orderId, clientOid }));
    if (change.qty === undefined && change.terms === undefined) refuse("terms", "must be given: terms or qty");
    const mode = await reads.modeOf(account);
    const rules = await symbolRules(reads, mode, category, symbol);
    if (mode === "UNIFIED") return unifiedChange(change, await openPlan(planning, change, ["tpsl", "trigger"]), rules);
    if (!isFuturesCategory(category)) refuseMismatch("category", "must be a futures category on a Classic account");
    return classicChange({ ...change, category }, await openPlan(planning, change, CLASSIC_PLAN_LISTS), rules);
  },
});

/** The order as it is now. Throws `ORDER_NOT_FOUND`. */
async function openPlan(
  { reads, account }: Planning,
  { category, orderId, clientOid }: ModifyPlanOrder,
  kinds: readonly string[],
): Promise<PlanOrder> {
  const fresh = reads.afresh(account, PLAN_LISTS);
  const plans = (await Promise.all(kinds.map((kind) => readEveryPlan(fresh, account, category, kind)))).flat();
  const found = rowsRead(plans).find((one) => (orderId === undefined ? one.clientOid === clientOid : one.orderId === orderId));
  if (found !== undefined) return found;
  const argument = orderId === undefined ? "clientOid" : "orderId";
  const rule = "must name an open trigger order of a kind that can be changed, in this category; nothing was sent";
  throw new Fault("ORDER_NOT_FOUND", `${argument} ${rule}`, { violations: [{ argument, rule }] });
}

const isTrailing = ({ planType }: PlanOrder): boolean => planType === "track_plan" || planType === "moving_plan";

/** The terms after the change: those of another kind are refused. */
function termsAfter({ terms }: ModifyPlanOrder, present: PlanOrder): PlanTerms {
  const kind = isTrailing(present) ? "trailing" : isTpsl(present) ? "tpsl" : "trigger";
  const others = (["tpsl", "trigger", "trailing"] as const).filter((one) => one !== kind);
  for (const other of others)
    if (terms?.[other] !== undefined) refuse(`terms.${other}`, `must not be given: the order has the terms of ${kind}`);
  if (terms === undefined) return presentTerms(present, kind);
  const { trailing, ...same } = terms;
  if (trailing === undefined) return same;
  const { callbackRate: rate, activationPrice, activationBy } = trailing;
  return { trailingStop: { distance: { rate }, activationPrice, activationBy } };
}

const orNone = <T>(value: T | "UNKNOWN" | null): T | undefined => (value === null || value === "UNKNOWN" ? undefined : value);

const exitOf = (triggerPrice: string | null, by: PlanOrder["tpTriggerBy"], limitPrice: string | null) =>
  triggerPrice === null ? undefined : { triggerPrice, triggerBy: orNone(by), limitPrice: orNone(limitPrice) };

function presentTerms(present: PlanOrder, kind: "tpsl" | "trigger" | "trailing"): PlanTerms {
  const { triggerPrice, triggerBy, executePrice, takeProfit, stopLoss, callbackRate } = present;
  const limitPrice = orNone(executePrice);
  if (kind === "trigger") return { trigger: { triggerPrice: triggerPrice ?? "", triggerBy: orNone(triggerBy), limitPrice } };
  if (kind === "trailing")
    return {
      trailingStop: {
        distance: { rate: orNone(callbackRate) },
        activationPrice: orNone(triggerPrice),
        activationBy: orNone(triggerBy),
      },
    };
  const { tpTriggerBy, tpLimitPrice, slTriggerBy, slLimitPrice } = present;
  return {
    tpsl: {
      takeProfit: exitOf(takeProfit, tpTriggerBy, tpLimitPrice),
      stopLoss: exitOf(stopLoss, slTriggerBy, slLimitPrice),
    },
  };
}

/** A change counts as a new order against limits on one order and what is open, and on the day. */
function riskOf(change: ModifyPlanOrder, present: PlanOrder, terms: PlanTerms, rules: SymbolRules | undefined): PlannedRisk {
  if (isTpsl(present)) return { reducesRisk: true };
  const qty = change.qty ?? orNone(present.qty);
  const { category, symbol } = change;
  return { reducesRisk: false, exposure: exposureOf({ category, symbol, side: orNone(present.side), qty, terms }, rules) };
}

const numberRules = (change: ModifyPlanOrder, terms: PlanTerms, rules: SymbolRules | undefined) => () => {
  const { "terms.trailingStop.activationPrice": activation, ...prices } = pricesOf(terms);
  const triggers = { ...prices, "terms.trailing.activationPrice": activation };
  const rate = terms.trailingStop?.distance.rate;
  return [
    ...(rate === undefined || (exact(rate).gt("0") && exact(rate).lte("0.1"))
      ? []
      : [{ argument: "terms.trailing.callbackRate", rule: "must be above 0 and at most 0.1" }]),
    ...(rules === undefined ? [] : brokenBy({ isMarket: false, closes: true, qty: change.qty, triggers }, rules, null)),
  ];
};

function unifiedChange(change: ModifyPlanOrder, present: PlanOrder, rules: SymbolRules | undefined): WritePlan<Acknowledgement> {
  const terms = termsAfter(change, present);
  if (isTpsl(present) && present.qty === null && change.qty !== undefined)
    refuse("qty", "must not be given for exits of the whole position");
  const { ocoParams, trailingStopParams, icebergParams, twapParams, ...values } = strategyValues(terms);
  return plan(
    modifyStrategyOrderPolicy,
    {
      orderId: present.orderId,
      category: change.category,
      // It has to be sent; exits of the whole position have none.
      qty: change.qty ?? present.qty ?? "0",
      ...values,
      // A missing exit would stay.
      ...(isTpsl(present) ? { takeProfit: values.takeProfit ?? "0", stopLoss: values.stopLoss ?? "0" } : {}),
    },
    STRATEGY_FIELDS,
    numberRules(change, terms, rules),
    riskOf(change, present, terms, rules),
  );
}

/** Classic has one exit per trigger order. An order at a limit price cannot become one at market. */
function classicChange(
  change: ModifyPlanOrder & { readonly category: FuturesCategory },
  present: PlanOrder,
  rules: SymbolRules | undefined,
): WritePlan<Acknowledgement> {
  const { category, qty } = change;
  const terms = termsAfter(change, present);
  const { orderId, symbol, planType } = present;
  if (planType === "moving_plan")
    refuseMismatch("orderId", "must not be a trailing stop of a position: cancel it and place another one");
  if (isTpsl(present)) {
    const takesProfit = planType === "profit_plan" || planType === "pos_profit";
    const name = takesProfit ? "takeProfit" : "stopLoss";
    const exit = terms.tpsl?.[name];
    const other = takesProfit ? "stopLoss" : "takeProfit";
    if (exit === undefined || terms.tpsl?.[other] !== undefined)
      refuseMismatch(`terms.tpsl.${other}`, `must not be given: the order is a ${name} of a Classic account`);
    return plan(
      classicModifyTpslOrderPolicy,
      {
        ...contractOf(category, symbol, rules),
        orderId,
        triggerPrice: exit.triggerPrice,
        triggerType: classicTriggerOf(exit.triggerBy),
        executePrice: exit.limitPrice ?? "0",
        size: planType === "pos_profit" || planType === "pos_loss" ? undefined : (qty ?? orNone(present.qty)),
      },
      { triggerPrice: `terms.tpsl.${name}.triggerPrice`, executePrice: `terms.tpsl.${name}.limitPrice`, size: "qty" },
      numberRules(change, terms, rules),
      riskOf(change, present, terms, rules),
    );
  }
  const { trigger, trailingStop } = terms;
  if (trigger !== undefined && trigger.limitPrice === undefined && present.executePrice !== null)
    refuseMismatch("terms.trigger.limitPrice", "must be given: a Classic order with a limit price cannot become a market order");
  const by = trigger?.triggerBy ?? orNone(trailingStop?.activationBy === "index" ? null : (trailingStop?.activationBy ?? null));
  return plan(
    classicModifyPlanOrderPolicy,
    {
      orderId,
      productType: category,
      symbol,
      planType: isTrailing(present) ? "track_plan" : "normal_plan",
      newSize: qty,
      newPrice: trigger?.limitPrice,
      newCallbackRatio: trailingStop?.distance.rate === undefined ? undefined : inPercent(trailingStop.distance.rate),
      newTriggerPrice: trigger?.triggerPrice ?? trailingStop?.activationPrice,
      newTriggerType: classicTriggerOf(by),
    },
    {
      newSize: "qty",
      newPrice: "terms.trigger.limitPrice",
      newTriggerPrice: trigger === undefined ? "terms.trailing.activationPrice" : "terms.trigger.triggerPrice",
      newCallbackRatio: "terms.trailing.callbackRate",
    },
    numberRules(change, terms, rules),
    riskOf(change, present, terms, rules),
  );
}
