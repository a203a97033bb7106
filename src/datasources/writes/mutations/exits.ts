import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { Given } from "./given.js";

/** A take-profit or stop-loss: its trigger and its order. */
export interface ExitInput {
  readonly triggerPrice: DecimalText;
  /** The price that the trigger price is compared with: last trade, or mark price. */
  readonly triggerBy?: "market" | "mark" | null | undefined;
  /** Default: a market order. */
  readonly limitPrice?: DecimalText | null | undefined;
}

interface Exits {
  readonly takeProfit?: Given<ExitInput> | undefined;
  readonly stopLoss?: Given<ExitInput> | undefined;
}

/** What the client calls a part of an exit, for example `takeProfit.limitPrice`. */
type Part = `${keyof Exits}.${keyof ExitInput}`;
type Parts = Readonly<Record<string, Part>>;
type PartOf<P extends Part> = P extends `${keyof Exits}.${infer K extends keyof ExitInput}`
  ? Given<ExitInput>[K] | undefined
  : never;

/** The exchange's parameters for exits, by what the client calls each of them. */
const parametersOf = <const F extends Parts>(exits: Exits, fields: F) => {
  const values: Readonly<Record<Part, unknown>> = { ...chosenTriggers(exits), ...exitPrices(exits) };
  return Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, values[part]])) as {
    readonly [N in keyof F]: PartOf<F[N]>;
  };
};

const leaves = (exit: Exits[keyof Exits]): "limit" | "market" | undefined =>
  exit === undefined ? undefined : exit.limitPrice === undefined ? "market" : "limit";

/** Input fields of the parameters of `unifiedExits`. */
export const UNIFIED_EXIT_FIELDS = {
  takeProfit: "takeProfit.triggerPrice",
  stopLoss: "stopLoss.triggerPrice",
  tpTriggerBy: "takeProfit.triggerBy",
  slTriggerBy: "stopLoss.triggerBy",
  tpLimitPrice: "takeProfit.limitPrice",
  slLimitPrice: "stopLoss.limitPrice",
} as const;
/** Take-profit and stop-loss in v3's parameters. */
export const unifiedExits = (exits: Exits) => ({
  ...parametersOf(exits, UNIFIED_EXIT_FIELDS),
  tpOrderType: leaves(exits.takeProfit),
  slOrderType: leaves(exits.stopLoss),
});

/** What the client calls the parameters of `classicSpotExits`. Classic spot and Classic futures call the same four things differently. */
export const CLASSIC_SPOT_EXIT_FIELDS = {
  presetTakeProfitPrice: "takeProfit.triggerPrice",
  executeTakeProfitPrice: "takeProfit.limitPrice",
  presetStopLossPrice: "stopLoss.triggerPrice",
  executeStopLossPrice: "stopLoss.limitPrice",
} as const;
/** Take-profit and stop-loss in the parameters of Classic spot orders. */
export const classicSpotExits = (exits: Exits) => parametersOf(exits, CLASSIC_SPOT_EXIT_FIELDS);

/** Input fields of the parameters of `classicFuturesExits`. */
export const CLASSIC_FUTURES_EXIT_FIELDS = {
  presetStopSurplusPrice: "takeProfit.triggerPrice",
  presetStopSurplusExecutePrice: "takeProfit.limitPrice",
  presetStopLossPrice: "stopLoss.triggerPrice",
  presetStopLossExecutePrice: "stopLoss.limitPrice",
} as const;
/** Take-profit and stop-loss in the parameters of Classic futures orders. */
export const classicFuturesExits = (exits: Exits) => parametersOf(exits, CLASSIC_FUTURES_EXIT_FIELDS);

/** On Classic the price that a trigger price is compared with cannot be chosen. */
export const chosenTriggers = ({ takeProfit, stopLoss }: Exits) => ({
  "takeProfit.triggerBy": takeProfit?.triggerBy,
  "stopLoss.triggerBy": stopLoss?.triggerBy,
});

/** All prices of take-profit and stop-loss, by field. */
export const exitPrices = ({ takeProfit, stopLoss }: Exits) => ({
  "takeProfit.triggerPrice": takeProfit?.triggerPrice,
  "takeProfit.limitPrice": takeProfit?.limitPrice,
  "stopLoss.triggerPrice": stopLoss?.triggerPrice,
  "stopLoss.limitPrice": stopLoss?.limitPrice,
});
