import {
  rateTier,
  redemptionResult,
  savingsHolding,
  savingsProduct,
  savingsRecord,
  savingsTotals,
} from "@exchange-graph/contract/savings";
import { sharkFinOffer, sharkFinProduct, sharkFinRecord, sharkFinTotals } from "@exchange-graph/contract/sharkfin";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { of, partialListOf, text } from "./fields.js";
import { TIERS } from "./listLengths.js";
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

/** The term as text, as in 0.2.0. */
const PERIOD = {
  period: text.deprecated("Use `periodDays`").orNull("Term in days, as text; null for a flexible product"),
};

@RecordType("The rate that one range of amounts earns")
class SavingsRate extends recordOf(rateTier) {}

@RecordType("A savings product on offer: a coin lent to the exchange for interest", { implements: Node })
export class SavingsProduct extends extended(recordOf(savingsProduct, { without: ["apyTiers", "period"] }), {
  ...PERIOD,
  account: of(Account)("The account that it is offered to"),
  apyTiers: partialListOf(SavingsRate, TIERS)("The rates, tier by tier (`apyList`)"),
}) {}

@RecordType("Savings that an account holds", { implements: Node })
export class SavingsHolding extends extended(recordOf(savingsHolding, { without: ["apyTiers", "period"] }), {
  ...PERIOD,
  account: of(Account)("The account that holds it"),
  apyTiers: partialListOf(SavingsRate, TIERS)("The rates, tier by tier (`apyList`, in holdings `apy`)"),
}) {}

export const SavingsHoldingConnection = connectionOf(SavingsHolding);
export type SavingsHoldingConnection = ConnectionOf<SavingsHolding>;

@RecordType("One movement into or out of savings", { implements: Node })
export class SavingsRecord extends extended(recordOf(savingsRecord, { without: ["period"] }), {
  ...PERIOD,
  account: of(Account)("The account of the record"),
}) {}

export const SavingsRecordConnection = connectionOf(SavingsRecord);
export type SavingsRecordConnection = ConnectionOf<SavingsRecord>;

@RecordType("How a redemption of savings ended")
export class SavingsRedemption extends recordOf(redemptionResult) {}

@RecordType("Total holdings and earnings in savings")
export class SavingsTotals extends recordOf(savingsTotals) {}

@RecordType("An account's savings: products, holdings and records")
export class Savings {}
