import { Field, Int } from "type-graphql";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { WithdrawalDestination, WithdrawalStatus } from "./enums/wallet.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("A withdrawal from a broker's sub-account")
class SubAccountWithdrawal {
  @Field(() => String, { description: "The exchange's identifier of the withdrawal" })
  readonly orderId!: string;

  @Field(() => String, { nullable: true, description: "User identifier of the sub-account (the exchange's `userId`)" })
  readonly subUid!: string | null;

  @Field(() => String, { nullable: true, description: "Coin, for example `USDT`" })
  readonly coin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount with the fee in it, in the coin (also spelt `size`)" })
  readonly amount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Fee, in the coin, positive where it was paid" })
  readonly fee!: string | null;

  @EnumField(() => WithdrawalDestination, "To a chain, or to another user of the exchange", { nullable: true })
  readonly dest!: WithdrawalDestination | null;

  @EnumField(() => WithdrawalStatus, "State of the withdrawal", { nullable: true })
  readonly status!: WithdrawalStatus | null;

  @Field(() => String, { nullable: true, description: "The chain that it goes over, for example `TRX`" })
  readonly chain!: string | null;

  @Field(() => String, { nullable: true, description: "Receiving address, or the receiver's user identifier" })
  readonly toAddress!: string | null;

  @Field(() => String, { nullable: true, description: "Sending address" })
  readonly fromAddress!: string | null;

  @Field(() => String, { nullable: true, description: "Memo or comment that goes with the address" })
  readonly tag!: string | null;

  @Field(() => String, { nullable: true, description: "Transaction hash on the chain, or the internal transfer's identifier" })
  readonly txId!: string | null;

  @Field(() => Int, { nullable: true, description: "Confirmations on the chain so far (the exchange's `confirm`)" })
  readonly confirmations!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When it was requested (the exchange's `cTime`)" })
  readonly createdTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "Last update (the exchange's `uTime`)" })
  readonly updatedTime!: number | null;
}

export const SubAccountWithdrawalConnection = connectionOf(SubAccountWithdrawal);
export type SubAccountWithdrawalConnection = ConnectionOf<SubAccountWithdrawal>;
