import { rateTier, savingsHolding, savingsProduct, savingsRecord, savingsTotals } from "@exchange-graph/contract/savings";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { partialListOf } from "./fields.js";
import { TIERS } from "./listLengths.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("The rate that one range of amounts earns")
class SavingsRate extends recordOf(rateTier) {}

@RecordType("A savings product on offer: a coin lent to the exchange for interest")
export class SavingsProduct extends extended(recordOf(savingsProduct, { without: ["apyTiers"] }), {
  apyTiers: partialListOf(SavingsRate, TIERS)("The rates, tier by tier (`apyList`)"),
}) {}

@RecordType("Savings that an account holds")
class SavingsHolding extends extended(recordOf(savingsHolding, { without: ["apyTiers"] }), {
  apyTiers: partialListOf(SavingsRate, TIERS)("The rates, tier by tier (`apyList`, in holdings `apy`)"),
}) {}

export const SavingsHoldingConnection = connectionOf(SavingsHolding);
export type SavingsHoldingConnection = ConnectionOf<SavingsHolding>;

@RecordType("One movement into or out of savings")
class SavingsRecord extends recordOf(savingsRecord) {}

export const SavingsRecordConnection = connectionOf(SavingsRecord);
export type SavingsRecordConnection = ConnectionOf<SavingsRecord>;

@RecordType("Total holdings and earnings in savings")
export class SavingsTotals extends recordOf(savingsTotals) {}

@RecordType("An account's savings: products, holdings and records")
export class Savings {}
