import type { DecimalText } from "@exchange-graph/contract/decimal";
import type {
  ACTIVATION_PRICES,
  BOOK_PLACES,
  ORDER_SIDES,
  POSITION_SIDES,
  ProductCategory,
  TRIGGER_PRICES,
  TWAP_INTERVALS,
} from "@exchange-graph/contract/vocabulary";
import type { SymbolRules } from "../../../reads/index.js";
import type { Exposure } from "../../limits/exposure.js";
import type { WriteOptions } from "../../writePlan.js";
import type { WithoutNulls } from "../mutation.js";
import { marketIn } from "../placement/placeOrderInput.js";
import type { ExitInput } from "../tpsl.js";

type Optional<T> = T | null | undefined;
type Price = DecimalText;

/** The terms of one kind; the schema requires exactly one. Without a limit price an order trades at market. */
export interface PlanTermsInput {
  readonly tpsl?: Optional<{ readonly takeProfit?: Optional<ExitInput>; readonly stopLoss?: Optional<ExitInput> }>;
  readonly trigger?: Optional<{
    readonly triggerPrice: Price;
    readonly triggerBy?: Optional<(typeof TRIGGER_PRICES)[number]>;
    readonly limitPrice?: Optional<Price>;
  }>;
  readonly oco?: Optional<{
    readonly limitPrice: Price;
    readonly triggerPrice: Price;
    /** Limit price of the order that is placed at the trigger price. */
    readonly executePrice?: Optional<Price>;
  }>;
  readonly trailingStop?: Optional<{
    readonly distance: { readonly rate?: Optional<DecimalText>; readonly spread?: Optional<Price> };
    readonly activationPrice?: Optional<Price>;
    readonly activationBy?: Optional<(typeof ACTIVATION_PRICES)[number]>;
    readonly limitPrice?: Optional<Price>;
  }>;
  readonly iceberg?: Optional<{
    readonly parts: { readonly qty?: Optional<DecimalText>; readonly count?: Optional<number> };
    readonly price: {
      readonly bookPlace?: Optional<(typeof BOOK_PLACES)[number]>;
      readonly distancePercentage?: Optional<DecimalText>;
      readonly distanceSpread?: Optional<Price>;
      readonly fixedPrice?: Optional<Price>;
    };
    readonly priceLimit?: Optional<Price>;
  }>;
  readonly twap?: Optional<{
    readonly durationMinutes: number;
    readonly intervalSeconds: (typeof TWAP_INTERVALS)[number];
    readonly limitOffset?: Optional<{ readonly percentage?: Optional<DecimalText>; readonly spread?: Optional<Price> }>;
    readonly triggerPrice?: Optional<Price>;
    readonly terminationPrice?: Optional<Price>;
  }>;
}

/** A trigger order of any kind. */
export interface PlacePlanOrderInput extends WriteOptions {
  readonly category: ProductCategory;
  readonly symbol: string;
  /** Side in the market; not for exits of a position. */
  readonly side?: Optional<(typeof ORDER_SIDES)[number]>;
  readonly posSide?: Optional<(typeof POSITION_SIDES)[number]>;
  /** In base coin; none for exits of the whole position. */
  readonly qty?: Optional<DecimalText>;
  readonly reduceOnly?: Optional<boolean>;
  readonly clientOid?: Optional<string>;
  readonly terms: PlanTermsInput;
}
export type PlacePlanOrder = WithoutNulls<PlacePlanOrderInput>;
export type PlanTerms = PlacePlanOrder["terms"];

/** Every price of the terms, by its path in the input. */
export const pricesOf = ({ tpsl, trigger, oco, trailingStop, iceberg, twap }: PlanTerms) => ({
  "terms.tpsl.takeProfit.triggerPrice": tpsl?.takeProfit?.triggerPrice,
  "terms.tpsl.takeProfit.limitPrice": tpsl?.takeProfit?.limitPrice,
  "terms.tpsl.stopLoss.triggerPrice": tpsl?.stopLoss?.triggerPrice,
  "terms.tpsl.stopLoss.limitPrice": tpsl?.stopLoss?.limitPrice,
  "terms.trigger.triggerPrice": trigger?.triggerPrice,
  "terms.trigger.limitPrice": trigger?.limitPrice,
  "terms.oco.limitPrice": oco?.limitPrice,
  "terms.oco.triggerPrice": oco?.triggerPrice,
  "terms.oco.executePrice": oco?.executePrice,
  "terms.trailingStop.activationPrice": trailingStop?.activationPrice,
  "terms.trailingStop.limitPrice": trailingStop?.limitPrice,
  "terms.iceberg.price.fixedPrice": iceberg?.price.fixedPrice,
  "terms.iceberg.priceLimit": iceberg?.priceLimit,
  "terms.twap.triggerPrice": twap?.triggerPrice,
  "terms.twap.terminationPrice": twap?.terminationPrice,
});

/** The limit price that bounds what its orders may trade at, and the trigger price from which they are placed. */
export function boundsOf({ trigger, oco, trailingStop, iceberg, twap }: PlanTerms, side: PlacePlanOrder["side"]) {
  if (trigger !== undefined) return { price: trigger.limitPrice, trigger: trigger.triggerPrice };
  // One of the two orders is executed. The one at the higher price counts, which is above the market.
  if (oco !== undefined)
    return side === "buy" ? { price: oco.executePrice, trigger: oco.triggerPrice } : { trigger: oco.limitPrice };
  if (trailingStop !== undefined) return { price: trailingStop.limitPrice, trigger: trailingStop.activationPrice };
  if (iceberg !== undefined) return { price: iceberg.price.fixedPrice ?? (side === "buy" ? iceberg.priceLimit : undefined) };
  return { trigger: twap?.triggerPrice };
}

/** The most that a trigger order can add to the risk: all of its quantity, at the highest price at which it may be executed. */
export const exposureOf = (order: PlacePlanOrder, rules: SymbolRules | undefined): Exposure => ({
  ...marketIn(order, rules),
  side: order.side,
  qty: order.qty,
  ...boundsOf(order.terms, order.side),
  field: "qty",
  stays: true,
  waits: true,
});
