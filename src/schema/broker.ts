import { Field, Int } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { SubAccountStatus } from "./enums/broker.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("How many sub-accounts an ND broker has and may have")
export class BrokerInfo {
  @Field(() => Int, { nullable: true, description: "How many sub-accounts the broker has created (`subAccountSize`)" })
  readonly subAccountCount!: number | null;

  @Field(() => Int, { nullable: true, description: "How many sub-accounts the broker may create (`maxSubAccountSize`)" })
  readonly maxSubAccountCount!: number | null;

  @Field(() => DateTime, { nullable: true, description: "Last update; the exchange spells it `uTime` and `utime`" })
  readonly updatedTime!: number | null;
}

@RecordType("One coin in the spot account of a sub-account")
export class SubAccountSpotAsset {
  @Field(() => String, { description: "Coin, for example `USDT`" })
  readonly coin!: string;

  @Field(() => Decimal, { nullable: true, description: "Free to use, in the coin" })
  readonly available!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Held back for open orders, in the coin" })
  readonly frozen!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Locked for other reasons, for example what a fiat merchant has to leave, in the coin",
  })
  readonly locked!: string | null;

  @Field(() => DateTime, { nullable: true, description: "Last update (the exchange's `uTime`)" })
  readonly updatedTime!: number | null;
}

@RecordType("The futures account of a broker's sub-account in one margin coin")
export class BrokerFuturesAsset {
  @Field(() => String, { description: "Margin coin, in which the amounts below are counted" })
  readonly marginCoin!: string;

  @Field(() => Decimal, { nullable: true, description: "Free to use, in margin coin" })
  readonly available!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Held back for open orders, in margin coin" })
  readonly frozen!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Locked, in margin coin" })
  readonly locked!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can open positions with cross margin, in margin coin" })
  readonly crossedMaxAvailable!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can open positions with isolated margin, in margin coin" })
  readonly isolatedMaxAvailable!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can be transferred out, in margin coin" })
  readonly maxTransferOut!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity, in margin coin (`accountEquity`)" })
  readonly equity!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity, in USDT (`usdtEquity`)" })
  readonly equityUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity, in BTC (`btcEquity`)" })
  readonly equityBtc!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Unrealised profit and loss of the open positions, in margin coin; null where the exchange leaves it empty (`unrealizedPL`)",
  })
  readonly unrealisedPnl!: string | null;

  @Field(() => DateTime, { nullable: true, description: "Last update (the exchange's `uTime`)" })
  readonly updatedTime!: number | null;
}

@RecordType("Profile of a broker's sub-account")
export class SubAccountProfile {
  @Field(() => String, {
    nullable: true,
    description: "User name, in e-mail form with the sub-account's name in front (`subaccountName`)",
  })
  readonly name!: string | null;

  @EnumField(() => SubAccountStatus, "State of the sub-account", { nullable: true })
  readonly status!: SubAccountStatus | null;

  @Field(() => [String], {
    nullable: true,
    description: "What the sub-account may do, in the exchange's words, for example `spot_trade` (`permList`)",
  })
  readonly permissions!: readonly string[] | null;

  @Field(() => String, { nullable: true, description: "The broker's label for it" })
  readonly label!: string | null;

  @Field(() => String, { nullable: true, description: "Language, for example `en_US`" })
  readonly language!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it was created (the exchange's `cTime`)" })
  readonly createdTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "Last update (the exchange's `uTime`)" })
  readonly updatedTime!: number | null;
}

@RecordType("Contact data of a broker's sub-account")
export class SubAccountContact {
  @Field(() => String, {
    nullable: true,
    description: "User name, in e-mail form with the sub-account's name in front (`subaccountName`)",
  })
  readonly name!: string | null;

  @Field(() => String, { nullable: true, description: "E-mail address of the sub-account (`subaccountEmail`)" })
  readonly email!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it was created (also spelt `ctime` and `cTime`)" })
  readonly createdTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "Last update (also spelt `utime` and `uTime`)" })
  readonly updatedTime!: number | null;
}

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
