import { TPSL_FIELDS } from "@exchange-graph/contract/order";
import { planOrder, subOrder } from "@exchange-graph/contract/plan";
import { icebergTerms, ocoTerms, twapTerms } from "@exchange-graph/contract/strategyTerms";
import { createUnionType } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { OrderType, TriggerBy } from "./enums/order.js";
import { ActivationPrice } from "./enums/plan.js";
import { decimal, flag, of, text, word } from "./fields.js";
import { Node, typeNameOf } from "./node.js";
import { OrderExit } from "./order.js";
import { extended, fieldsOf, RecordType, recordOf } from "./record.js";

@RecordType(
  "An order that waits for a price, or that the exchange executes in parts; it calls them plan orders (Classic) and strategy orders (unified accounts). Take-profits, stop-losses, trailing stops, triggered entries, OCO, iceberg and TWAP orders. `terms` has what its kind consists of",
  {
    implements: Node,
  },
)
export class PlanOrder extends extended(
  recordOf(planOrder, {
    without: [...TPSL_FIELDS, "oco", "trailingStop", "iceberg", "twap"],
    descriptions: {
      posSide: "Position side (also spelt `holdSide`); null in one-way mode",
      holdMode: "Position mode (Classic: `posMode`); null if the exchange does not send it",
      tradeSide: "Effect on the position; null on unified accounts",
    },
  }),
  {
    account: of(Account)("The account that placed it"),
  },
) {}

@RecordType("An order that a trigger order has placed: iceberg and TWAP orders place many, others one", { implements: Node })
export class SubOrder extends extended(
  recordOf(subOrder, { descriptions: { posSide: "Position side (also spelt `holdSide`); null in one-way mode and on spot" } }),
  {
    account: of(Account)("The account that placed it"),
    planOrderId: text("The exchange's identifier of the trigger order that placed it"),
  },
) {}

export const SubOrderConnection = connectionOf(SubOrder);
export type SubOrderConnection = ConnectionOf<SubOrder>;

export const PlanOrderConnection = connectionOf(PlanOrder);
export type PlanOrderConnection = ConnectionOf<PlanOrder>;

/** The terms of trigger orders, by kind. */

@RecordType("Terms of a take-profit, a stop-loss or both of a position")
export class TpslTerms extends fieldsOf({
  isWholePosition: flag("Whether it closes the whole position of that time; otherwise its `qty`"),
  takeProfit: of(OrderExit).orNull("The take-profit; null without one"),
  stopLoss: of(OrderExit).orNull("The stop-loss; null without one"),
}) {}

@RecordType("Terms of an order that is placed when a price is reached")
export class TriggerTerms extends fieldsOf({
  triggerPrice: decimal.orNull("Trigger price, in quote coin"),
  triggerBy: word(TriggerBy).orNull("The price that the trigger is compared with; null where the exchange does not say"),
  orderType: word(OrderType).orNull("Type of the order: limit or market"),
  limitPrice: decimal.orNull("Limit price of the order, in quote coin; null when it acts at market"),
}) {}

@RecordType(
  "Terms of an OCO order (one cancels the other): a limit order in the book, and another order that takes its place at a trigger price. Unified accounts only",
)
export class OcoTerms extends recordOf(ocoTerms) {}

@RecordType("Terms of an order that follows the best price, and is placed when the price comes back by a distance")
export class TrailingStopTerms extends fieldsOf({
  activationPrice: decimal.orNull("Price at which it begins to follow, in quote coin; null when it follows at once"),
  activationBy: word(ActivationPrice).orNull("The price that the activation price is compared with"),
  callbackRate: decimal.orNull("Its distance, as a fraction of the best price; null when it is an amount"),
  callbackSpread: decimal.orNull("Its distance, in quote coin; null when it is a share. Unified accounts only"),
  orderType: word(OrderType).orNull("Type of the order: limit or market"),
  limitPrice: decimal.orNull("Limit price of the order, in quote coin; null when it acts at market"),
}) {}

@RecordType("Terms of an iceberg order, of which one part at a time is in the book. Unified accounts only")
export class IcebergTerms extends recordOf(icebergTerms) {}

@RecordType(
  "Terms of a TWAP order (time-weighted average price), which is placed in equal parts at intervals. Unified accounts only",
)
export class TwapTerms extends recordOf(twapTerms) {}

export const PlanOrderTerms = createUnionType({
  name: "PlanOrderTerms",
  description: "The terms of a trigger order by its kind: each kind has its own fields",
  types: () => [TpslTerms, TriggerTerms, OcoTerms, TrailingStopTerms, IcebergTerms, TwapTerms] as const,
  resolveType: (terms) => typeNameOf({ __typename: "", ...terms }),
});
