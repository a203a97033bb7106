import { fill } from "@exchange-graph/contract/fill";
import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Cost } from "./cost.js";
import { FEES } from "./listLengths.js";
import { Node } from "./node.js";
import { Fee } from "./order.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("One execution of an order. Fees are positive where the account paid", { implements: Node })
export class Fill extends recordOf(fill, {
  without: ["fees"],
  says: {
    posSide: "Position side (also spelt `holdSide`); null in one-way mode and on spot",
    holdMode: "Position mode; null where the exchange does not say (Classic: `posMode`)",
    tradeSide: "What it did to the position; null on spot",
  },
}) {
  @Field(() => Account, { description: "The account whose order was executed" })
  readonly account!: Account;

  @Cost({ rows: FEES })
  @Field(() => [Fee], { nullable: true, description: "Fees, coin by coin (`feeDetail`); null where the exchange sends none" })
  readonly fees!: readonly Fee[] | null;
}

export const FillConnection = connectionOf(Fill);
export type FillConnection = ConnectionOf<Fill>;
