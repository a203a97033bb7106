import { withdrawal } from "@exchange-graph/contract/wallet";
import { Field, Int } from "type-graphql";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("A withdrawal from a broker's sub-account")
class SubAccountWithdrawal extends recordOf(withdrawal, { without: ["clientOid", "confirm", "userId"] }) {
  @Field(() => String, { nullable: true, description: "User identifier of the sub-account (the exchange's `userId`)" })
  readonly subUid!: string | null;

  @Field(() => Int, { nullable: true, description: "Confirmations on the chain so far (the exchange's `confirm`)" })
  readonly confirmations!: number | null;
}

export const SubAccountWithdrawalConnection = connectionOf(SubAccountWithdrawal);
export type SubAccountWithdrawalConnection = ConnectionOf<SubAccountWithdrawal>;
