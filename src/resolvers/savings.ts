import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import {
  readRedemption,
  readSavingsProducts,
  readSavingsTotals,
  savingsHoldings,
  savingsRecords,
} from "../datasources/reads/index.js";
import { Cost } from "../schema/cost.js";
import {
  Earn,
  Savings,
  SavingsHoldingConnection,
  SavingsProduct,
  SavingsRecordConnection,
  SavingsRedemption,
  SavingsTotals,
} from "../schema/earn.js";
import { SavingsFilter, SavingsPeriodTypeInput, SavingsRecordTypeInput } from "../schema/enums/earn.js";
import { of, text } from "../schema/fields.js";
import { Arguments, extended } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { rowsWithAccount } from "./accountScoped.js";
import { accountConnection } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged } from "./fieldCosts.js";
import { WITHIN_HALF_A_MINUTE } from "./maxAge.js";
import { CreatedArguments, HistoryArguments } from "./pageArguments.js";

const PERIOD_TYPE = "Kind of term";

@Arguments()
class SavingsHoldingsArguments extends extended(CreatedArguments, { periodType: of(SavingsPeriodTypeInput)(PERIOD_TYPE) }) {}

@Arguments()
class SavingsRecordsArguments extends extended(HistoryArguments, {
  coin: text.optional("Only records in this coin"),
  orderType: of(SavingsRecordTypeInput).optional("Only records of this kind"),
  periodType: of(SavingsPeriodTypeInput)(PERIOD_TYPE),
}) {}

@Resolver(() => Earn)
export class EarnSavingsResolver {
  @RequiresScope("read:account")
  @FieldResolver(() => Savings, { description: "Savings: coins lent to the exchange for interest" })
  savings(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }
}

@Resolver(() => Savings)
export class SavingsResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1, rows: 1_000 })
  @FieldResolver(() => [SavingsProduct], {
    nullable: "itemsAndList",
    description: "Products on offer. Up to five minutes old. Source: GET /api/v2/earn/savings/product",
  })
  async products(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("coin", () => String, { nullable: true, description: "Only products of this coin" }) coin?: string | null,
    @Arg("filter", () => SavingsFilter, {
      nullable: true,
      description: "Kind of list. Default: the exchange's choice, which is not documented",
    })
    filter?: SavingsFilter | null,
  ): Promise<Iterable<SavingsProduct | Error>> {
    return rowsWithAccount(account, await readSavingsProducts(reads, account, { coin, filter }));
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => SavingsRedemption, {
    nullable: true,
    description:
      "How a redemption ended; its identifier is in the payload of `redeemSavings`. The exchange does not say that it has no such redemption: it reads as failed. Never cached. Source: GET /api/v2/earn/savings/redeem-result",
  })
  redemption(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("orderId", () => String, { description: "Identifier of the redemption" }) orderId: string,
    @Arg("periodType", () => SavingsPeriodTypeInput, { description: PERIOD_TYPE }) periodType: SavingsPeriodTypeInput,
  ): Promise<SavingsRedemption> {
    return readRedemption(reads, account, { orderId, periodType });
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => SavingsTotals, {
    nullable: true,
    description: "Total holdings and earnings in savings. Source: GET /api/v2/earn/savings/account",
  })
  totals(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SavingsTotals> {
    return readSavingsTotals(reads.within(maxAgeMs), account);
  }

  @RequiresScope("read:account")
  @Cost(paged(savingsHoldings.pages))
  @FieldResolver(() => SavingsHoldingConnection, {
    nullable: true,
    description: "Savings that the account holds, newest first. Source: GET /api/v2/earn/savings/assets",
  })
  async assets(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SavingsHoldingsArguments) { periodType, ...page }: SavingsHoldingsArguments,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SavingsHoldingConnection> {
    return accountConnection(savingsHoldings.read, reads.within(maxAgeMs), account, { periodType }, page);
  }

  @RequiresScope("read:account")
  @Cost(paged(savingsRecords.pages))
  @FieldResolver(() => SavingsRecordConnection, {
    nullable: true,
    description: "Records of savings, newest first. Default: the last three months. Source: GET /api/v2/earn/savings/records",
  })
  async records(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SavingsRecordsArguments) { periodType, coin, orderType, ...history }: SavingsRecordsArguments,
  ): Promise<SavingsRecordConnection> {
    return accountConnection(savingsRecords.read, reads, account, { periodType, coin, orderType }, history);
  }
}
