import { position } from "@exchange-graph/contract/position";
import { Field } from "type-graphql";
import { Account } from "./account.js";
import { Node } from "./node.js";
import { RecordType, recordOf } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("The take-profit or stop-loss of a whole position")
export class PositionExit {
  @Field(() => Decimal, { description: "Trigger price, in quote coin" })
  readonly triggerPrice!: string;

  @Field(() => String, { nullable: true, description: "`orderId` of the trigger order behind it" })
  readonly planOrderId!: string | null;
}

@RecordType("An open futures position. Fees are positive where the account paid, funding is positive where it received", {
  implements: Node,
})
export class Position extends recordOf(position, {
  without: ["autoMargin", "takeProfit", "takeProfitId", "stopLoss", "stopLossId"],
}) {
  @Field(() => Account, { description: "The account whose position it is" })
  readonly account!: Account;
}
