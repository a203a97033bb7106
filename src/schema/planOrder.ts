import { planOrder } from "@exchange-graph/contract/plan";
import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Node } from "./node.js";
import { RecordType, recordOf } from "./record.js";

@RecordType(
  "A trigger order on futures, called a plan order by the exchange: it waits for a price and then acts. Take-profits, stop-losses, trailing stops and triggered entries",
  {
    implements: Node,
  },
)
export class PlanOrder extends recordOf(planOrder, {
  without: ["takeProfit", "stopLoss", "tpTriggerBy", "slTriggerBy", "tpOrderType", "slOrderType", "tpLimitPrice", "slLimitPrice"],
  says: {
    posSide: "Position side (also spelt `holdSide`); null in one-way mode",
    holdMode: "Position mode (Classic: `posMode`); null where the exchange does not say",
    tradeSide: "What it will do to the position; unified accounts do not say",
  },
}) {
  @Field(() => Account, { description: "The account that placed it" })
  readonly account!: Account;
}

export const PlanOrderConnection = connectionOf(PlanOrder);
export type PlanOrderConnection = ConnectionOf<PlanOrder>;
