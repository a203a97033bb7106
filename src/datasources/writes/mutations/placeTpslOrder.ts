import { type DecimalText, isZero } from "@exchange-graph/contract/decimal";
import { inPercent } from "@exchange-graph/contract/percent";
import {
  type CLASSIC_TPSL_PLANS,
  FUTURES_CATEGORIES,
  type FuturesCategory,
  type FuturesProductType,
  type POSITION_SIDES,
  type STP_MODES,
} from "@exchange-graph/contract/vocabulary";
import type { ArgumentViolation } from "../../errors/index.js";
import { isFuturesCategory, type SymbolRules, symbolRules } from "../../reads/index.js";
import { placeStrategyOrderPolicy, placeTpslOrderPolicy } from "../policies/plans.js";
import { type Acknowledgement, acknowledgement } from "../policies/replies.js";
import { outside } from "../rules/orderRules.js";
import { type PlannedRisk, plan, type WriteOptions, type WritePlan } from "../writePlan.js";
import {
  contractOf,
  mutation,
  type Planning,
  refuse,
  refuseBroken,
  refuseMismatch,
  refuseMissing,
  type WithoutNulls,
} from "./mutation.js";
import { estimateTpsl } from "./placement/estimateTpsl.js";
import { brokenExitsNow } from "./placement/presentRules.js";
import { classicTriggerOf, unifiedTpsl } from "./tpsl.js";

/** A take-profit, stop-loss or trailing stop on a futures position. */
interface PlaceTpslOrderInput extends WriteOptions {
  /** A demo type on Classic accounts only. */
  readonly category: FuturesProductType;
  readonly symbol: string;
  readonly planType: (typeof CLASSIC_TPSL_PLANS)[number];
  /** Side of the position, in one-way mode too. */
  readonly posSide: (typeof POSITION_SIDES)[number];
  readonly triggerPrice: DecimalText;
  readonly triggerBy?: "market" | "mark" | null | undefined;
  /** Limit price of the triggered order; 0 or undefined: a market order. */
  readonly executePrice?: DecimalText | null | undefined;
  readonly qty?: DecimalText | null | undefined;
  /** Distance of a trailing stop. */
  readonly callbackRate?: DecimalText | null | undefined;
  readonly clientOid?: string | null | undefined;
  readonly stpMode?: (typeof STP_MODES)[number] | null | undefined;
}
type PlaceTpslOrder = WithoutNulls<PlaceTpslOrderInput>;

/** Places the order. Unified accounts have no trailing stops. */
export const placeTpslOrder = mutation<PlaceTpslOrderInput, Acknowledgement>({
  name: "placeTpslOrder",
  reply: acknowledgement,
  namedBy: "clientOid",
  plan: tpslPlan,
});

/** The plan of a take-profit, stop-loss or trailing stop. */
export async function tpslPlan(planning: Planning, order: PlaceTpslOrder): Promise<WritePlan<Acknowledgement>> {
  const { reads, account } = planning;
  const { category, symbol } = order;
  refuseBroken(brokenByKind(order));
  const mode = await reads.modeOf(account);
  if (mode === "CLASSIC") return classicPlan(planning, order, await symbolRules(reads, mode, category, symbol));
  if (!isFuturesCategory(category))
    refuseMismatch("category", `must be one of ${FUTURES_CATEGORIES.join(", ")} on a unified account`);
  return unifiedPlan(planning, { ...order, category }, await symbolRules(reads, mode, category, symbol));
}

/** Whether it closes the whole position, whatever its size is then. */
const isWhole = ({ planType }: PlaceTpslOrder): boolean => planType === "pos_profit" || planType === "pos_loss";

const takesProfit = ({ planType }: PlaceTpslOrder): boolean => planType === "profit_plan" || planType === "pos_profit";

/** Violations for fields that this kind of order does not have. */
const brokenByKind = (order: PlaceTpslOrder): ArgumentViolation[] => [
  ...(isWhole(order) && order.qty !== undefined
    ? [{ argument: "qty", rule: `must not be given when planType is ${order.planType}, which closes the whole position` }]
    : []),
  ...(order.planType !== "moving_plan" && order.callbackRate !== undefined
    ? [{ argument: "callbackRate", rule: "must not be given unless planType is moving_plan, which follows the price" }]
    : []),
];

const offSteps = ({ qty, triggerPrice, executePrice }: PlaceTpslOrder, rules: SymbolRules | undefined) => [
  ...outside("qty", qty !== undefined && isZero(qty) ? undefined : qty, { step: rules?.qtyStep ?? null }),
  ...outside("triggerPrice", triggerPrice, { step: rules?.priceStep ?? null }),
  ...outside("executePrice", executePrice, { step: rules?.priceStep ?? null }),
];

/** Violations as the market and the position are now. */
async function brokenNow(planning: Planning, order: PlaceTpslOrder): Promise<readonly ArgumentViolation[]> {
  const { category, symbol, posSide, planType, qty, triggerPrice, triggerBy } = order;
  // The positions of a demo type are in no list.
  if (!isFuturesCategory(category)) return [];
  const exit = { triggerPrice, triggerBy };
  // A trailing stop may begin to follow at once.
  const exits = planType === "moving_plan" ? {} : takesProfit(order) ? { takeProfit: exit } : { stopLoss: exit };
  const broken = await brokenExitsNow(planning, { category, symbol }, posSide, { qty, ...exits });
  return broken.map(({ argument, rule }) => ({ argument: argument.replace(/^\w+\./, ""), rule }));
}

/** A take-profit or stop-loss can only reduce a position. */
const leaving = (planning: Planning, order: PlaceTpslOrder, rules: SymbolRules | undefined): PlannedRisk => ({
  reducesRisk: true,
  presentRules: () => brokenNow(planning, order),
  estimate: () => {
    const { category } = order;
    // The positions of a demo type are in no list.
    if (!isFuturesCategory(category)) return Promise.resolve(null);
    return estimateTpsl(planning, { ...order, category }, rules);
  },
});

/** v3's only kind of trigger order, with one trigger, equals a Classic take-profit or stop-loss. It has no trailing stop. */
function unifiedPlan(
  planning: Planning,
  order: PlaceTpslOrder & { readonly category: FuturesCategory },
  rules: SymbolRules | undefined,
): WritePlan<Acknowledgement> {
  const { planType, qty, stpMode, triggerPrice, triggerBy, executePrice } = order;
  if (planType === "moving_plan") refuseMismatch("planType", "must not be moving_plan on a unified account");
  refuseMissing("a unified account", { stpMode: stpMode === "none" ? undefined : stpMode });
  if (!isWhole(order) && qty === undefined) refuse("qty", `must be given when planType is ${planType}`);
  const isMarket = executePrice === undefined || isZero(executePrice);
  const tpsl = { triggerPrice, triggerBy, limitPrice: isMarket ? undefined : executePrice };
  return plan(
    placeStrategyOrderPolicy,
    {
      category: order.category,
      symbol: rules?.symbol ?? order.symbol,
      posSide: order.posSide,
      tpslMode: isWhole(order) ? "full" : "partial",
      qty,
      ...unifiedTpsl(takesProfit(order) ? { takeProfit: tpsl } : { stopLoss: tpsl }),
      clientOid: order.clientOid ?? planning.writes.newClientOid(),
    },
    {
      takeProfit: "triggerPrice",
      stopLoss: "triggerPrice",
      tpLimitPrice: "executePrice",
      slLimitPrice: "executePrice",
    },
    () => offSteps(order, rules),
    leaving(planning, order, rules),
  );
}

/** Classic identifies a one-way position by the side that opened it. */
async function classicPlan(
  planning: Planning,
  order: PlaceTpslOrder,
  rules: SymbolRules | undefined,
): Promise<WritePlan<Acknowledgement>> {
  const { reads, writes, account } = planning;
  const { category, posSide, triggerBy } = order;
  const contract = contractOf(category, order.symbol, rules);
  const { isHedged } = await writes.positionModes.of(reads, { ...contract, account, category });
  return plan(
    placeTpslOrderPolicy,
    {
      ...contract,
      planType: order.planType,
      triggerPrice: order.triggerPrice,
      triggerType: classicTriggerOf(triggerBy),
      executePrice: order.executePrice,
      holdSide: isHedged ? posSide : posSide === "long" ? "buy" : "sell",
      size: order.qty,
      rangeRate: order.callbackRate === undefined ? undefined : inPercent(order.callbackRate),
      clientOid: order.clientOid ?? writes.newClientOid(),
      stpMode: order.stpMode,
    },
    { productType: "category", holdSide: "posSide", size: "qty", triggerType: "triggerBy", rangeRate: "callbackRate" },
    () => offSteps(order, rules),
    leaving(planning, order, rules),
  );
}
