import type { DecimalText } from "@exchange-graph/contract/decimal";

/** A take-profit or stop-loss: where it is triggered, and how it leaves. */
export interface ExitInput {
  readonly triggerPrice: DecimalText;
  /** What the trigger price is compared with: the last trade, or the mark price. */
  readonly triggerBy?: "market" | "mark" | null | undefined;
  /** Without one it leaves at market. */
  readonly limitPrice?: DecimalText | null | undefined;
}

interface Exit {
  readonly triggerPrice: DecimalText;
  readonly triggerBy?: "market" | "mark" | undefined;
  readonly limitPrice?: DecimalText | undefined;
}
interface Exits {
  readonly takeProfit?: Exit | undefined;
  readonly stopLoss?: Exit | undefined;
}

const leaves = (exit: Exit | undefined): "limit" | "market" | undefined =>
  exit === undefined ? undefined : exit.limitPrice === undefined ? "market" : "limit";

/** Take-profit and stop-loss in v3's parameters. */
export const unifiedExits = ({ takeProfit, stopLoss }: Exits) => ({
  takeProfit: takeProfit?.triggerPrice,
  stopLoss: stopLoss?.triggerPrice,
  tpTriggerBy: takeProfit?.triggerBy,
  slTriggerBy: stopLoss?.triggerBy,
  tpOrderType: leaves(takeProfit),
  slOrderType: leaves(stopLoss),
  tpLimitPrice: takeProfit?.limitPrice,
  slLimitPrice: stopLoss?.limitPrice,
});
/** What the client calls the parameters of `unifiedExits`. */
export const UNIFIED_EXIT_FIELDS = {
  takeProfit: "takeProfit.triggerPrice",
  stopLoss: "stopLoss.triggerPrice",
  tpTriggerBy: "takeProfit.triggerBy",
  slTriggerBy: "stopLoss.triggerBy",
  tpLimitPrice: "takeProfit.limitPrice",
  slLimitPrice: "stopLoss.limitPrice",
} as const;

/** Classic spot and Classic futures call the same four things by different names. */
export const classicSpotExits = ({ takeProfit, stopLoss }: Exits) => ({
  presetTakeProfitPrice: takeProfit?.triggerPrice,
  executeTakeProfitPrice: takeProfit?.limitPrice,
  presetStopLossPrice: stopLoss?.triggerPrice,
  executeStopLossPrice: stopLoss?.limitPrice,
});
/** What the client calls the parameters of `classicSpotExits`. */
export const CLASSIC_SPOT_EXIT_FIELDS = {
  presetTakeProfitPrice: "takeProfit.triggerPrice",
  executeTakeProfitPrice: "takeProfit.limitPrice",
  presetStopLossPrice: "stopLoss.triggerPrice",
  executeStopLossPrice: "stopLoss.limitPrice",
} as const;

/** Take-profit and stop-loss in the parameters of Classic futures orders. */
export const classicFuturesExits = ({ takeProfit, stopLoss }: Exits) => ({
  presetStopSurplusPrice: takeProfit?.triggerPrice,
  presetStopSurplusExecutePrice: takeProfit?.limitPrice,
  presetStopLossPrice: stopLoss?.triggerPrice,
  presetStopLossExecutePrice: stopLoss?.limitPrice,
});
/** What the client calls the parameters of `classicFuturesExits`. */
export const CLASSIC_FUTURES_EXIT_FIELDS = {
  presetStopSurplusPrice: "takeProfit.triggerPrice",
  presetStopSurplusExecutePrice: "takeProfit.limitPrice",
  presetStopLossPrice: "stopLoss.triggerPrice",
  presetStopLossExecutePrice: "stopLoss.limitPrice",
} as const;

/** On Classic the price that a trigger price is compared with cannot be chosen. */
export const chosenTriggers = ({ takeProfit, stopLoss }: Exits) => ({
  "takeProfit.triggerBy": takeProfit?.triggerBy,
  "stopLoss.triggerBy": stopLoss?.triggerBy,
});

/** Every price of take-profit and stop-loss, by its field. */
export const exitPrices = ({ takeProfit, stopLoss }: Exits) => ({
  "takeProfit.triggerPrice": takeProfit?.triggerPrice,
  "takeProfit.limitPrice": takeProfit?.limitPrice,
  "stopLoss.triggerPrice": stopLoss?.triggerPrice,
  "stopLoss.limitPrice": stopLoss?.limitPrice,
});
