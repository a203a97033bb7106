import { orderRecord } from "@exchange-graph/contract/order";
import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Cost } from "./cost.js";
import { OrderType, TriggerBy } from "./enums/order.js";
import { FEES } from "./listLengths.js";
import { Node } from "./node.js";
import { EnumField, RecordType, recordOf } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("A fee in one coin: positive where it was paid, negative where a rebate was received")
export class Fee {
  @Field(() => String, { nullable: true, description: "Coin in which the fee is counted" })
  readonly coin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount, in that coin (`fee`; Classic: `totalFee`)" })
  readonly amount!: string | null;
}

@RecordType("A take-profit or stop-loss: what triggers it, and how it closes the position")
export class OrderExit {
  @Field(() => Decimal, { description: "Trigger price, in quote coin" })
  readonly triggerPrice!: string;

  @EnumField(() => TriggerBy, "The price that the trigger is compared with; null where the exchange does not say", {
    nullable: true,
  })
  readonly triggerBy!: TriggerBy | null;

  @EnumField(() => OrderType, "How it closes: at a limit price or at market; null where the exchange does not say", {
    nullable: true,
  })
  readonly orderType!: OrderType | null;

  @Field(() => Decimal, { nullable: true, description: "Limit price, in quote coin; null if it closes at market" })
  readonly limitPrice!: string | null;
}

@RecordType("An order, on spot, margin or futures. Fees are positive where the account paid", { implements: Node })
export class Order extends recordOf(orderRecord, {
  without: [
    "fees",
    "takeProfit",
    "stopLoss",
    "tpTriggerBy",
    "slTriggerBy",
    "tpOrderType",
    "slOrderType",
    "tpLimitPrice",
    "slLimitPrice",
  ],
  says: { posSide: "Position side (also spelt `holdSide`); null in one-way mode and on spot" },
}) {
  @Field(() => Account, { description: "The account that placed it" })
  readonly account!: Account;

  @Cost({ rows: FEES })
  @Field(() => [Fee], {
    nullable: true,
    description: "Fees so far, coin by coin (`feeDetail`); null where the exchange sends none",
  })
  readonly fees!: readonly Fee[] | null;
}

export const OrderConnection = connectionOf(Order);
export type OrderConnection = ConnectionOf<Order>;
