import { sharkFinOffer, sharkFinProduct, sharkFinRecord, sharkFinTotals } from "@exchange-graph/contract/sharkfin";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { of, text } from "./fields.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("A shark-fin product that an account holds or held: its interest depends on a price at the end of its term", {
  implements: Node,
})
export class SharkFinProduct extends extended(recordOf(sharkFinProduct), {
  account: of(Account)("The account that subscribed"),
}) {}

export const SharkFinProductConnection = connectionOf(SharkFinProduct);
export type SharkFinProductConnection = ConnectionOf<SharkFinProduct>;

@RecordType("One movement into or out of a shark-fin product", { implements: Node })
export class SharkFinRecord extends extended(recordOf(sharkFinRecord), { account: of(Account)("The account of the record") }) {}

export const SharkFinRecordConnection = connectionOf(SharkFinRecord);
export type SharkFinRecordConnection = ConnectionOf<SharkFinRecord>;

@RecordType("A shark-fin product on offer", { implements: Node })
export class SharkFinOffer extends extended(recordOf(sharkFinOffer, { without: ["period"] }), {
  period: text.deprecated("Use `periodDays`").orNull("Investment period in days, as text"),
  account: of(Account)("The account that it is offered to"),
}) {}

export const SharkFinOfferConnection = connectionOf(SharkFinOffer);
export type SharkFinOfferConnection = ConnectionOf<SharkFinOffer>;

@RecordType("Total holdings and earnings in shark-fin products")
export class SharkFinTotals extends recordOf(sharkFinTotals) {}

@RecordType("An account's shark-fin products: offers, holdings and records")
export class SharkFin {}

@RecordType("The earn products of an account")
export class Earn {}
