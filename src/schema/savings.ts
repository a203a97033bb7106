import { rateTier, savingsHolding, savingsProduct, savingsRecord, savingsTotals } from "@exchange-graph/contract/savings";
import { Field } from "type-graphql";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Cost } from "./cost.js";
import { TIERS } from "./listLengths.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("The rate that one range of amounts earns")
class SavingsRate extends recordOf(rateTier) {}

@RecordType("A savings product on offer: a coin lent to the exchange for interest")
export class SavingsProduct extends recordOf(savingsProduct, { without: ["apyTiers"] }) {
  @Cost({ rows: TIERS })
  @Field(() => [SavingsRate], { nullable: "items", description: "The rates, tier by tier (`apyList`)" })
  readonly apyTiers!: readonly (SavingsRate | Error)[];
}

@RecordType("Savings that an account holds")
class SavingsHolding extends recordOf(savingsHolding, { without: ["apyTiers"] }) {
  @Cost({ rows: TIERS })
  @Field(() => [SavingsRate], { nullable: "items", description: "The rates, tier by tier (`apyList`, in holdings `apy`)" })
  readonly apyTiers!: readonly (SavingsRate | Error)[];
}

export const SavingsHoldingConnection = connectionOf(SavingsHolding);
export type SavingsHoldingConnection = ConnectionOf<SavingsHolding>;

@RecordType("One movement into or out of savings")
class SavingsRecord extends recordOf(savingsRecord) {}

export const SavingsRecordConnection = connectionOf(SavingsRecord);
export type SavingsRecordConnection = ConnectionOf<SavingsRecord>;

@RecordType("What an account has in savings, and has earned with them")
export class SavingsTotals extends recordOf(savingsTotals) {}

@RecordType("An account's savings: what is on offer, what it holds, and what moved")
export class Savings {}
