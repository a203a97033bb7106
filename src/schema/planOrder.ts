import { planOrder } from "@exchange-graph/contract/plan";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { of } from "./fields.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType(
  "A trigger order on futures, called a plan order by the exchange: an order that waits for a trigger price. Take-profits, stop-losses, trailing stops and triggered entries",
  {
    implements: Node,
  },
)
export class PlanOrder extends extended(
  recordOf(planOrder, {
    without: [
      "takeProfit",
      "stopLoss",
      "tpTriggerBy",
      "slTriggerBy",
      "tpOrderType",
      "slOrderType",
      "tpLimitPrice",
      "slLimitPrice",
    ],
    says: {
      posSide: "Position side (also spelt `holdSide`); null in one-way mode",
      holdMode: "Position mode (Classic: `posMode`); null if the exchange does not send it",
      tradeSide: "Effect on the position; null on unified accounts",
    },
  }),
  {
    account: of(Account)("The account that placed it"),
  },
) {}

export const PlanOrderConnection = connectionOf(PlanOrder);
export type PlanOrderConnection = ConnectionOf<PlanOrder>;
