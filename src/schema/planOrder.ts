import { TPSL_FIELDS } from "@exchange-graph/contract/order";
import { planOrder } from "@exchange-graph/contract/plan";
import { subOrder } from "@exchange-graph/contract/subOrder";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { of, text } from "./fields.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

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
