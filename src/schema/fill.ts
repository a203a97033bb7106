import { fill } from "@exchange-graph/contract/fill";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { listOf, of } from "./fields.js";
import { FEES } from "./listLengths.js";
import { Node } from "./node.js";
import { Fee } from "./order.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("One execution of an order. Fees are positive where the account paid", { implements: Node })
export class Fill extends extended(
  recordOf(fill, {
    without: ["fees"],
    descriptions: {
      posSide: "Position side (also spelt `holdSide`); null in one-way mode and on spot",
      holdMode: "Position mode; null where the exchange does not say (Classic: `posMode`)",
      tradeSide: "Effect on the position; null on spot",
    },
  }),
  {
    account: of(Account)("The account whose order was executed"),
    fees: listOf(Fee, FEES).orNull("Fees, coin by coin (`feeDetail`); null where the exchange sends none"),
  },
) {}

export const FillConnection = connectionOf(Fill);
export type FillConnection = ConnectionOf<Fill>;
