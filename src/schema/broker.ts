import {
  brokerFuturesAsset,
  brokerRecord,
  subAccount,
  subAccountContact,
  subAccountSpotAsset,
} from "@exchange-graph/contract/broker";
import { withdrawal } from "@exchange-graph/contract/wallet";
import { Field, Int } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Node } from "./node.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("How many sub-accounts an ND broker has and may have")
export class BrokerInfo extends recordOf(brokerRecord) {}

@RecordType("One coin in the spot account of a sub-account")
export class SubAccountSpotAsset extends recordOf(subAccountSpotAsset) {}

@RecordType("The futures account of a broker's sub-account in one margin coin")
export class BrokerFuturesAsset extends recordOf(brokerFuturesAsset) {}

@RecordType("Profile of a broker's sub-account")
export class SubAccountProfile extends recordOf(subAccount, { without: ["subUid", "permissions"] }) {
  @Field(() => [String], {
    nullable: true,
    description: "What the sub-account may do, in the exchange's words, for example `spot_trade` (`permList`)",
  })
  readonly permissions!: readonly string[] | null;
}

@RecordType("Contact data of a broker's sub-account")
export class SubAccountContact extends recordOf(subAccountContact, { without: ["subUid"] }) {}

@RecordType("A sub-account of an ND broker", { implements: Node })
export class SubAccount {
  @Field(() => Account, { description: "The broker's account" })
  readonly account!: Account;

  @Field(() => String, { description: "User identifier of the sub-account" })
  readonly subUid!: string;
}

export const SubAccountConnection = connectionOf(SubAccount);
export type SubAccountConnection = ConnectionOf<SubAccount>;

@RecordType("An ND broker's sub-accounts. Other accounts get FORBIDDEN on the fields below")
export class Broker {}

@RecordType("A withdrawal from a broker's sub-account")
class SubAccountWithdrawal extends recordOf(withdrawal, { without: ["clientOid", "confirm", "userId"] }) {
  @Field(() => String, { nullable: true, description: "User identifier of the sub-account (the exchange's `userId`)" })
  readonly subUid!: string | null;

  @Field(() => Int, { nullable: true, description: "Confirmations on the chain so far (the exchange's `confirm`)" })
  readonly confirmations!: number | null;
}

export const SubAccountWithdrawalConnection = connectionOf(SubAccountWithdrawal);
export type SubAccountWithdrawalConnection = ConnectionOf<SubAccountWithdrawal>;
