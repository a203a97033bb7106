import { fill } from "@exchange-graph/contract/fill";
import { orderRecord, TPSL_FIELDS } from "@exchange-graph/contract/order";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { OrderType, TriggerBy } from "./enums/order.js";
import { decimal, listOf, of, text, word } from "./fields.js";
import { FEES } from "./listLengths.js";
import { Node } from "./node.js";
import { extended, fieldsOf, OneOfInput, RecordType, recordOf } from "./record.js";

@RecordType("A fee in one coin: positive where it was paid, negative where a rebate was received")
class Fee extends fieldsOf({
  coin: text.orNull("Coin of the fee"),
  amount: decimal.orNull("Amount, in that coin (`fee`; Classic: `totalFee`)"),
  deduction: decimal.orNull(
    "Part that was paid by deduction, in the exchange's own coin BGB or a coupon (`totalDeductionFee`); Classic only, null if there is none",
  ),
}) {}

@RecordType("A take-profit or stop-loss with its trigger and its order")
export class OrderExit extends fieldsOf({
  triggerPrice: decimal("Trigger price, in quote coin"),
  triggerBy: word(TriggerBy).orNull("The price that the trigger is compared with; null where the exchange does not say"),
  orderType: word(OrderType).orNull("Type of the closing order: limit or market; null where the exchange does not say"),
  limitPrice: decimal.orNull("Limit price, in quote coin; null if it closes at market"),
}) {}

@OneOfInput("The identifier of an order or a trigger order: exactly one of its two")
export class OrderIdentifier extends fieldsOf({
  orderId: text.optional("The exchange's identifier"),
  clientOid: text.optional("The client's own identifier"),
}) {}

@RecordType("An order, on spot, margin or futures. Fees are positive where the account paid", { implements: Node })
export class Order extends extended(
  recordOf(orderRecord, {
    without: ["fees", ...TPSL_FIELDS],
    descriptions: { posSide: "Position side (also spelt `holdSide`); null in one-way mode and on spot" },
  }),
  {
    account: of(Account)("The account that placed it"),
    fees: listOf(Fee, FEES).orNull("Fees so far, coin by coin (`feeDetail`); null where the exchange sends none"),
  },
) {}

export const OrderConnection = connectionOf(Order);
export type OrderConnection = ConnectionOf<Order>;

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
