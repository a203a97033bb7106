import type { PlanOrder } from "../datasources/streams/index.js";
import type { IcebergTerms, OcoTerms, TpslTerms, TrailingStopTerms, TriggerTerms, TwapTerms } from "../schema/planOrder.js";
import { tpslOf } from "./tpsl.js";

/** The enum fields' texts are declared with the fields. */
type Named<N extends string, T> = { readonly __typename: N; readonly [raw: `${string}Raw`]: string | null } & T;
/** The terms of one kind, with the name of their type. */
type Terms =
  | Named<"TpslTerms", TpslTerms>
  | Named<"TriggerTerms", TriggerTerms>
  | Named<"OcoTerms", OcoTerms>
  | Named<"TrailingStopTerms", TrailingStopTerms>
  | Named<"IcebergTerms", IcebergTerms>
  | Named<"TwapTerms", TwapTerms>;

const orNull = <const N extends string, T>(__typename: N, terms: T | null): Named<N, T> | null =>
  terms === null ? null : { __typename, ...terms };

/** The terms of a trigger order by its kind; null for an unknown one. */
export function termsOf(plan: PlanOrder): Terms | null {
  const { triggerPrice, triggerBy, triggerByRaw, orderType, orderTypeRaw, executePrice: limitPrice, callbackRate } = plan;
  switch (plan.planType) {
    case "tpsl":
    case "profit_plan":
    case "loss_plan":
    case "pos_profit":
    case "pos_loss":
      return {
        __typename: "TpslTerms",
        isWholePosition: plan.qty === null,
        takeProfit: tpslOf(plan, "takeProfit", "tp"),
        stopLoss: tpslOf(plan, "stopLoss", "sl"),
      };
    case "normal_plan":
      return { __typename: "TriggerTerms", triggerPrice, triggerBy, triggerByRaw, orderType, orderTypeRaw, limitPrice };
    case "moving_plan":
    case "track_plan":
      return {
        __typename: "TrailingStopTerms",
        activationPrice: triggerPrice,
        activationBy: triggerBy,
        activationByRaw: triggerByRaw,
        callbackRate,
        callbackSpread: null,
        orderType,
        orderTypeRaw,
        limitPrice,
      };
    case "trailing_stop": {
      if (plan.trailingStop === null) return null;
      const { executePrice, ...terms } = plan.trailingStop;
      return { __typename: "TrailingStopTerms", ...terms, limitPrice: executePrice };
    }
    case "oco":
      return orNull("OcoTerms", plan.oco);
    case "iceberg":
      return orNull("IcebergTerms", plan.iceberg);
    case "twap":
      return orNull("TwapTerms", plan.twap);
    default:
      return null;
  }
}
