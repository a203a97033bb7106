import { sharkFinOffer, sharkFinProduct, sharkFinRecord, sharkFinTotals } from "@exchange-graph/contract/sharkfin";
import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Node } from "./node.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("A shark-fin product that an account holds or held: it pays interest by where a price ends", { implements: Node })
export class SharkFinProduct extends recordOf(sharkFinProduct) {
  @Field(() => Account, { description: "The account that subscribed" })
  readonly account!: Account;
}

export const SharkFinProductConnection = connectionOf(SharkFinProduct);
export type SharkFinProductConnection = ConnectionOf<SharkFinProduct>;

@RecordType("One movement into or out of a shark-fin product")
class SharkFinRecord extends recordOf(sharkFinRecord) {}

export const SharkFinRecordConnection = connectionOf(SharkFinRecord);
export type SharkFinRecordConnection = ConnectionOf<SharkFinRecord>;

@RecordType("A shark-fin product on offer")
class SharkFinOffer extends recordOf(sharkFinOffer) {}

export const SharkFinOfferConnection = connectionOf(SharkFinOffer);
export type SharkFinOfferConnection = ConnectionOf<SharkFinOffer>;

@RecordType("What an account has in shark-fin products, and has earned with them")
export class SharkFinTotals extends recordOf(sharkFinTotals) {}

@RecordType("An account's shark-fin products: what is on offer, what it holds, and what moved")
export class SharkFin {}

@RecordType("The earn products of an account")
export class Earn {}
