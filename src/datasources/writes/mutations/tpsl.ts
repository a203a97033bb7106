import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { WithoutNulls } from "./mutation.js";

/** A take-profit or stop-loss: its trigger and its order. */
export interface ExitInput {
  readonly triggerPrice: DecimalText;
  /** The price that the trigger price is compared with: last trade, or mark price. */
  readonly triggerBy?: "market" | "mark" | null | undefined;
  /** Default: a market order. */
  readonly limitPrice?: DecimalText | null | undefined;
}

export interface AttachedTpsl {
  readonly takeProfit?: WithoutNulls<ExitInput> | undefined;
  readonly stopLoss?: WithoutNulls<ExitInput> | undefined;
}

/** The path of a value in the input, for example `takeProfit.limitPrice`. */
type Part = `${keyof AttachedTpsl}.${keyof ExitInput}`;
type Parts = Readonly<Record<string, Part>>;
type PartOf<P extends Part> = P extends `${keyof AttachedTpsl}.${infer K extends keyof ExitInput}`
  ? WithoutNulls<ExitInput>[K] | undefined
  : never;

/** The exchange's parameters for take-profit and stop-loss, from the path of each in the input. */
const parametersOf = <const F extends Parts>(tpsl: AttachedTpsl, fields: F) => {
  const values: Readonly<Record<Part, unknown>> = { ...chosenTriggers(tpsl), ...tpslPrices(tpsl) };
  return Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, values[part]])) as {
    readonly [N in keyof F]: PartOf<F[N]>;
  };
};

const orderTypeOf = (tpsl: AttachedTpsl[keyof AttachedTpsl]): "limit" | "market" | undefined =>
  tpsl === undefined ? undefined : tpsl.limitPrice === undefined ? "market" : "limit";

/** Input fields of the parameters of `unifiedTpsl`. */
export const UNIFIED_TPSL_FIELDS = {
  takeProfit: "takeProfit.triggerPrice",
  stopLoss: "stopLoss.triggerPrice",
  tpTriggerBy: "takeProfit.triggerBy",
  slTriggerBy: "stopLoss.triggerBy",
  tpLimitPrice: "takeProfit.limitPrice",
  slLimitPrice: "stopLoss.limitPrice",
} as const;
/** Take-profit and stop-loss in v3's parameters. */
export const unifiedTpsl = (tpsl: AttachedTpsl) => ({
  ...parametersOf(tpsl, UNIFIED_TPSL_FIELDS),
  tpOrderType: orderTypeOf(tpsl.takeProfit),
  slOrderType: orderTypeOf(tpsl.stopLoss),
});

/** Input fields of the parameters of `classicSpotTpsl`. Classic spot and Classic futures have different names for the same four values. */
export const CLASSIC_SPOT_TPSL_FIELDS = {
  presetTakeProfitPrice: "takeProfit.triggerPrice",
  executeTakeProfitPrice: "takeProfit.limitPrice",
  presetStopLossPrice: "stopLoss.triggerPrice",
  executeStopLossPrice: "stopLoss.limitPrice",
} as const;
/** Take-profit and stop-loss in the parameters of Classic spot orders. */
export const classicSpotTpsl = (tpsl: AttachedTpsl) => parametersOf(tpsl, CLASSIC_SPOT_TPSL_FIELDS);

/** Input fields of the parameters of `classicFuturesTpsl`. */
export const CLASSIC_FUTURES_TPSL_FIELDS = {
  presetStopSurplusPrice: "takeProfit.triggerPrice",
  presetStopSurplusExecutePrice: "takeProfit.limitPrice",
  presetStopLossPrice: "stopLoss.triggerPrice",
  presetStopLossExecutePrice: "stopLoss.limitPrice",
} as const;
/** Take-profit and stop-loss in the parameters of Classic futures orders. */
export const classicFuturesTpsl = (tpsl: AttachedTpsl) => parametersOf(tpsl, CLASSIC_FUTURES_TPSL_FIELDS);

/** The price that a trigger price is compared with, in the parameters of Classic trigger orders. */
export const classicTriggerOf = (by: "market" | "mark" | undefined) =>
  by === undefined ? undefined : by === "mark" ? ("mark_price" as const) : ("fill_price" as const);

/** For exits of an order Classic cannot choose that price. */
export const chosenTriggers = ({ takeProfit, stopLoss }: AttachedTpsl) => ({
  "takeProfit.triggerBy": takeProfit?.triggerBy,
  "stopLoss.triggerBy": stopLoss?.triggerBy,
});

/** All prices of take-profit and stop-loss, by field. */
export const tpslPrices = ({ takeProfit, stopLoss }: AttachedTpsl) => ({
  "takeProfit.triggerPrice": takeProfit?.triggerPrice,
  "takeProfit.limitPrice": takeProfit?.limitPrice,
  "stopLoss.triggerPrice": stopLoss?.triggerPrice,
  "stopLoss.limitPrice": stopLoss?.limitPrice,
});
