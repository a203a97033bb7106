import { position } from "@exchange-graph/contract/position";
import { historicalPosition } from "@exchange-graph/contract/positionHistory";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { decimal, of, text } from "./fields.js";
import { Node } from "./node.js";
import { extended, fieldsOf, RecordType, recordOf } from "./record.js";

@RecordType("The take-profit or stop-loss of a whole position")
export class PositionExit extends fieldsOf({
  triggerPrice: decimal("Trigger price, in quote coin"),
  planOrderId: text.orNull("`orderId` of the trigger order behind it; null where the exchange does not say"),
}) {}

@RecordType("An open futures position. Fees are positive where the account paid, funding is positive where it received", {
  implements: Node,
})
export class Position extends extended(
  recordOf(position, {
    without: ["hasAutoMargin", "takeProfit", "takeProfitId", "stopLoss", "stopLossId"],
  }),
  {
    account: of(Account)("The account whose position it is"),
  },
) {}

@RecordType(
  "A futures position that has been closed. Fees are positive where the account paid, funding is positive where it received",
  {
    implements: Node,
  },
)
export class HistoricalPosition extends extended(
  recordOf(historicalPosition, {
    descriptions: {
      category: "Product category that it was traded in",
      holdMode: "Position mode in which it was held",
      marginMode: "Margin mode in which it was held",
    },
  }),
  {
    account: of(Account)("The account whose position it was"),
  },
) {}

export const HistoricalPositionConnection = connectionOf(HistoricalPosition);
export type HistoricalPositionConnection = ConnectionOf<HistoricalPosition>;
