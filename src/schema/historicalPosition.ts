import { historicalPosition } from "@exchange-graph/contract/positionHistory";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { of } from "./fields.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

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
