import { exact } from "@exchange-graph/contract/decimal";
import { inPercent } from "@exchange-graph/contract/percent";
import type { StrategyType } from "@exchange-graph/contract/vocabulary";
import type { ArgumentViolation } from "../../../errors/index.js";
import { isFuturesCategory, symbolRules } from "../../../reads/index.js";
import { placeStrategyOrderPolicy } from "../../policies/plans.js";
import type { Acknowledgement } from "../../policies/replies.js";
import { brokenBy, outside } from "../../rules/orderRules.js";
import { plan, type WritePlan } from "../../writePlan.js";
import { type Planning, refuse, refuseBroken } from "../mutation.js";
import { brokenInHedgeMode, brokenOffFutures, isClose } from "../placement/placeOrderInput.js";
import { brokenExitsNow } from "../placement/presentRules.js";
import { unifiedTpsl } from "../tpsl.js";
import { estimatePlan } from "./estimatePlan.js";
import { exposureOf, type PlacePlanOrder, type PlanTerms, pricesOf } from "./planOrderInput.js";

const orderTypeOf = (limitPrice: string | undefined): "limit" | "market" => (limitPrice === undefined ? "market" : "limit");

export function strategyValues(terms: PlanTerms) {
  const { tpsl = {}, trigger, oco, trailingStop, iceberg, twap } = terms;
  return {
    ...unifiedTpsl(tpsl),
    triggerPrice: trigger?.triggerPrice,
    triggerBy: trigger?.triggerBy,
    triggerOrderType: trigger && orderTypeOf(trigger.limitPrice),
    triggerOrderPrice: trigger?.limitPrice,
    ocoParams: oco && {
      ocoLimitPrice: oco.limitPrice,
      ocoTriggerPrice: oco.triggerPrice,
      ocoOrderType: orderTypeOf(oco.executePrice),
      ocoOrderPrice: oco.executePrice,
    },
    trailingStopParams: trailingStop && {
      activationPrice: trailingStop.activationPrice,
      activationType: trailingStop.activationBy,
      ...(trailingStop.distance.rate === undefined
        ? { trailType: "spread" as const, trailVariance: trailingStop.distance.spread ?? "" }
        : { trailType: "ratio" as const, trailVariance: inPercent(trailingStop.distance.rate) }),
      preOrderType: orderTypeOf(trailingStop.limitPrice),
      preOrderPrice: trailingStop.limitPrice,
    },
    icebergParams: iceberg && {
      splitMode: iceberg.parts.qty === undefined ? ("order" as const) : ("quantity" as const),
      qtyPerOrder: iceberg.parts.qty,
      splitOrderNumbers: iceberg.parts.count,
      ...icebergPrice(iceberg.price),
      priceLimit: iceberg.priceLimit,
    },
    twapParams: twap && {
      duration: twap.durationMinutes,
      interval: twap.intervalSeconds,
      ...(twap.limitOffset === undefined
        ? { orderType: "market" as const }
        : {
            orderType: "limit" as const,
            limitOffsetType: twap.limitOffset.spread === undefined ? ("percentage" as const) : ("spread" as const),
            limitOffsetPercentage: twap.limitOffset.percentage,
            limitOffsetSpread: twap.limitOffset.spread,
          }),
      twapTriggerPrice: twap.triggerPrice,
      twapTerminationPrice: twap.terminationPrice,
    },
  };
}

function icebergPrice({ bookPlace, distancePercentage, distanceSpread, fixedPrice }: NonNullable<PlanTerms["iceberg"]>["price"]) {
  if (bookPlace !== undefined) return { orderPreference: "faster_execution" as const, executionStrategy: bookPlace };
  if (fixedPrice !== undefined) return { orderPreference: "fixed_price" as const, fixedPrice };
  return {
    orderPreference: "fixed_distance" as const,
    fixedDistanceType: distanceSpread === undefined ? ("percentage" as const) : ("spread" as const),
    distance: distanceSpread ?? distancePercentage,
  };
}

/** Input fields of the parameters. */
export const STRATEGY_FIELDS = {
  takeProfit: "terms.tpsl.takeProfit.triggerPrice",
  stopLoss: "terms.tpsl.stopLoss.triggerPrice",
  tpLimitPrice: "terms.tpsl.takeProfit.limitPrice",
  slLimitPrice: "terms.tpsl.stopLoss.limitPrice",
  triggerPrice: "terms.trigger.triggerPrice",
  triggerOrderPrice: "terms.trigger.limitPrice",
  "ocoParams.ocoLimitPrice": "terms.oco.limitPrice",
  "ocoParams.ocoTriggerPrice": "terms.oco.triggerPrice",
  "ocoParams.ocoOrderPrice": "terms.oco.executePrice",
  "trailingStopParams.activationPrice": "terms.trailingStop.activationPrice",
  "trailingStopParams.preOrderPrice": "terms.trailingStop.limitPrice",
  "icebergParams.qtyPerOrder": "terms.iceberg.parts.qty",
  "icebergParams.splitOrderNumbers": "terms.iceberg.parts.count",
  "icebergParams.fixedPrice": "terms.iceberg.price.fixedPrice",
  "icebergParams.priceLimit": "terms.iceberg.priceLimit",
  "twapParams.duration": "terms.twap.durationMinutes",
  "twapParams.limitOffsetPercentage": "terms.twap.limitOffset.percentage",
  "twapParams.limitOffsetSpread": "terms.twap.limitOffset.spread",
  "twapParams.twapTriggerPrice": "terms.twap.triggerPrice",
  "twapParams.twapTerminationPrice": "terms.twap.terminationPrice",
} as const;

const KINDS = {
  tpsl: "tpsl",
  trigger: "trigger",
  oco: "oco",
  trailingStop: "trailing_stop",
  iceberg: "iceberg",
  twap: "twap",
} as const satisfies Readonly<Record<keyof PlanTerms, StrategyType>>;

/** The exchange's name for the kind of the terms. */
export function typeOf(terms: PlanTerms): StrategyType {
  const name = (Object.keys(KINDS) as (keyof PlanTerms)[]).find((one) => terms[one] !== undefined);
  if (name === undefined) throw new TypeError("the graph has let terms without a kind pass");
  return KINDS[name];
}

/** Violations of exits, with their paths in the terms of a plan. */
export const inTerms = (broken: readonly ArgumentViolation[]): readonly ArgumentViolation[] =>
  broken.map(({ argument, rule }) => ({ argument: argument.includes(".") ? `terms.tpsl.${argument}` : argument, rule }));

/** An OCO order has its limit order on the one side of the market, and its trigger on the other. */
function brokenOco({ side, terms: { oco } }: PlacePlanOrder): readonly ArgumentViolation[] {
  if (oco === undefined || exact(oco.limitPrice)[side === "buy" ? "lt" : "gt"](oco.triggerPrice)) return [];
  const rule = `must be ${side === "buy" ? "below" : "above"} terms.oco.triggerPrice: the market is between them`;
  return [{ argument: "terms.oco.limitPrice", rule }];
}

/** The unit of a distance decides its field. */
const distanceFields = ({ trailingStop, iceberg }: PlanTerms) => ({
  "trailingStopParams.trailVariance": `terms.trailingStop.distance.${trailingStop?.distance.rate === undefined ? "spread" : "rate"}`,
  "icebergParams.distance": `terms.iceberg.price.${iceberg?.price.distanceSpread === undefined ? "distancePercentage" : "distanceSpread"}`,
});

/** Bounds of a trailing stop's share, by the exchange's documentation. */
function brokenDistance({ category, terms: { trailingStop } }: PlacePlanOrder): readonly ArgumentViolation[] {
  const rate = trailingStop?.distance.rate;
  const most = isFuturesCategory(category) ? "0.1" : "0.2";
  if (rate === undefined || (exact(rate).gte("0.001") && exact(rate).lte(most))) return [];
  return [{ argument: "terms.trailingStop.distance.rate", rule: `must be from 0.001 to ${most}` }];
}

/** A strategy order of a unified account. */
export async function unifiedPlanOrder(planning: Planning, order: PlacePlanOrder): Promise<WritePlan<Acknowledgement>> {
  const { reads, writes, account } = planning;
  const { positionModes } = writes;
  const { category, side, posSide, qty, terms } = order;
  const type = typeOf(terms);
  const rules = await symbolRules(reads, "UNIFIED", category, order.symbol);
  const symbol = rules?.symbol ?? order.symbol;
  const market = isFuturesCategory(category) ? { account, category, symbol, marginCoin: undefined } : undefined;
  const isHedged = market !== undefined && (await positionModes.of(reads, market)).isHedged;
  const isExit = type === "tpsl";
  refuseFields(order, isExit, isHedged);
  const isReducing = !isExit && side !== undefined && market !== undefined && isClose({ ...order, side }, isHedged);
  return plan(
    placeStrategyOrderPolicy,
    {
      category,
      symbol,
      type,
      side: isExit ? undefined : side,
      posSide: isExit || isHedged ? posSide : undefined,
      tpslMode: isExit ? (qty === undefined ? "full" : "partial") : undefined,
      qty,
      // In hedge mode `side` and `posSide` already decide it.
      reduceOnly: isReducing && !isHedged ? "yes" : undefined,
      ...strategyValues(terms),
      clientOid: order.clientOid ?? writes.newClientOid(),
    },
    { ...STRATEGY_FIELDS, ...distanceFields(terms) },
    () => [
      ...brokenDistance(order),
      ...brokenOco(order),
      ...(rules === undefined
        ? []
        : [
            ...brokenBy({ isMarket: false, closes: isReducing || isExit, qty, triggers: pricesOf(terms) }, rules, null),
            ...outside("terms.iceberg.parts.qty", terms.iceberg?.parts.qty, { step: rules.qtyStep }),
          ]),
    ],
    {
      reducesRisk: isExit || isReducing,
      stillReducesRisk: market && isHedged && isReducing ? () => positionModes.isStillHedged(reads, market) : undefined,
      exposure: exposureOf(order, rules),
      estimate: () => estimatePlan(planning, order, "UNIFIED", rules, isHedged),
      presentRules: async () =>
        terms.tpsl === undefined || posSide === undefined || !isFuturesCategory(category)
          ? []
          : inTerms(await brokenExitsNow(planning, { category, symbol }, posSide, { qty, ...terms.tpsl })),
    },
  );
}

/** Refuses fields that the kind, the category or the position mode does not have. */
function refuseFields(
  { category, side, posSide, reduceOnly, terms: { iceberg, trailingStop } }: PlacePlanOrder,
  isExit: boolean,
  isHedged: boolean,
): void {
  if (iceberg?.price.fixedPrice !== undefined && iceberg.priceLimit !== undefined)
    refuse("terms.iceberg.priceLimit", "must not be given with a fixedPrice, which no part leaves");
  if (trailingStop?.activationBy !== undefined && trailingStop.activationPrice === undefined)
    refuse("terms.trailingStop.activationBy", "must not be given without an activationPrice, which is compared with it");
  if (isExit) {
    const instead = `${category} has no positions. Use terms.trigger or terms.oco`;
    if (!isFuturesCategory(category)) refuse("category", `must be a futures category for terms.tpsl: ${instead}`);
    if (side !== undefined) refuse("side", "must not be given for exits of a position, which posSide names");
    return;
  }
  if (side === undefined) refuse("side", "must be given, except for exits of a position");
  const order = { category, side, posSide, reduceOnly };
  if (!isFuturesCategory(category)) refuseBroken(brokenOffFutures({ ...order, marginMode: undefined }));
  else if (isHedged) refuseBroken(brokenInHedgeMode(order));
}
