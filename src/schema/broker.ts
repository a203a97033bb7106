import { Field, Int } from "type-graphql";
import { Account } from "./account.js";
import { Node } from "./node.js";
import { RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("How many sub-accounts an ND broker has and may have")
export class BrokerInfo {
  @Field(() => Int, { description: "How many sub-accounts the broker has created" })
  readonly subAccountSize!: number;

  @Field(() => Int, { description: "How many sub-accounts the broker may create" })
  readonly maxSubAccountSize!: number;

  @Field(() => DateTime, { nullable: true, description: "Last update; the exchange spells it `uTime` and `utime`" })
  readonly updatedTime!: number | null;
}

@RecordType("One coin in the spot account of a sub-account")
export class SubAccountSpotAsset {
  @Field(() => String, { description: "Coin, for example `USDT`" })
  readonly coin!: string;

  @Field(() => Decimal, { description: "Free to use, in the coin" })
  readonly available!: string;

  @Field(() => Decimal, { description: "Held back for open orders, in the coin" })
  readonly frozen!: string;

  @Field(() => Decimal, { description: "Locked for other reasons, for example what a fiat merchant has to leave, in the coin" })
  readonly locked!: string;

  @Field(() => DateTime, { nullable: true, description: "Last update (the exchange's `uTime`)" })
  readonly updatedTime!: number | null;
}

@RecordType("A sub-account of an ND broker", { implements: Node })
export class SubAccount {
  @Field(() => Account, { description: "The broker's account" })
  readonly account!: Account;

  @Field(() => String, { description: "User identifier of the sub-account" })
  readonly subUid!: string;
}

@RecordType("What an ND broker sees of its business. Other accounts get FORBIDDEN on the fields below")
export class Broker {}
