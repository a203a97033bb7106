import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import {
  readRedemption,
  readSavingsProducts,
  readSavingsTotals,
  readSharkFinTotals,
  savingsHoldings,
  savingsRecords,
  sharkFinHoldings,
  sharkFinOffers,
  sharkFinRecords,
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
  SharkFin,
  SharkFinOfferConnection,
  SharkFinProductConnection,
  SharkFinRecordConnection,
  SharkFinTotals,
} from "../schema/earn.js";
import {
  SavingsFilter,
  SavingsPeriodTypeInput,
  SavingsRecordTypeInput,
  SharkFinHoldingStatus,
  SharkFinRecordTypeInput,
} from "../schema/enums/earn.js";
import { of, text } from "../schema/fields.js";
import { Arguments, extended } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { rowsWithAccount } from "./accountScoped.js";
import { accountConnection } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged } from "./fieldCosts.js";
import { CreatedArguments, HistoryArguments, PageArguments, WITHIN_HALF_A_MINUTE } from "./pageArguments.js";

@Arguments()
class SharkFinAssetsArguments extends extended(HistoryArguments, {
  status: of(SharkFinHoldingStatus).withDefault("Current or settled products. Default: SUBSCRIBED", "subscribed"),
}) {}

@Arguments()
class SharkFinOffersArguments extends extended(PageArguments, { coin: text("Coin that is paid in") }) {}

@Arguments()
class SharkFinRecordsArguments extends extended(HistoryArguments, {
  type: of(SharkFinRecordTypeInput)("Kind of records"),
  coin: text.optional("Only products with this subscription coin"),
}) {}

@Resolver(() => Earn)
export class EarnResolver {
  @RequiresScope("read:account")
  @FieldResolver(() => SharkFin, {
    description: "Shark-fin products, whose interest depends on a price at the end of their term",
  })
  sharkFin(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }

  @RequiresScope("read:account")
  @FieldResolver(() => Savings, { description: "Savings: coins lent to the exchange for interest" })
  savings(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }
}

@Resolver(() => SharkFin)
export class SharkFinResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => SharkFinTotals, {
    nullable: true,
    description: "Total holdings and earnings in shark-fin products. Source: GET /api/v2/earn/sharkfin/account",
  })
  totals(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SharkFinTotals> {
    return readSharkFinTotals(reads.within(maxAgeMs), account);
  }

  @RequiresScope("read:account")
  @Cost(paged(sharkFinOffers.pages))
  @FieldResolver(() => SharkFinOfferConnection, {
    nullable: true,
    description: "Products on offer for a coin, newest first. Up to five minutes old. Source: GET /api/v2/earn/sharkfin/product",
  })
  async offers(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SharkFinOffersArguments) { coin, ...page }: SharkFinOffersArguments,
  ): Promise<SharkFinOfferConnection> {
    return accountConnection(sharkFinOffers.read, reads, account, { coin }, page);
  }

  @RequiresScope("read:account")
  @Cost(paged(sharkFinHoldings.pages))
  @FieldResolver(() => SharkFinProductConnection, {
    nullable: true,
    description:
      "Current or settled products of the account, by creation time, newest first. Default: the last three months. Source: GET /api/v2/earn/sharkfin/assets",
  })
  async assets(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SharkFinAssetsArguments) { status, ...history }: SharkFinAssetsArguments,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SharkFinProductConnection> {
    return accountConnection(sharkFinHoldings.read, reads.within(maxAgeMs), account, { status }, history);
  }

  @RequiresScope("read:account")
  @Cost(paged(sharkFinRecords.pages))
  @FieldResolver(() => SharkFinRecordConnection, {
    nullable: true,
    description:
      "Records of shark-fin products, newest first. Default: the last three months. Source: GET /api/v2/earn/sharkfin/records",
  })
  async records(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SharkFinRecordsArguments) { type, coin, ...history }: SharkFinRecordsArguments,
  ): Promise<SharkFinRecordConnection> {
    return accountConnection(sharkFinRecords.read, reads, account, { type: type, coin }, history);
  }
}

const PERIOD_TYPE = "Kind of term";

@Arguments()
class SavingsHoldingsArguments extends extended(CreatedArguments, { periodType: of(SavingsPeriodTypeInput)(PERIOD_TYPE) }) {}

@Arguments()
class SavingsRecordsArguments extends extended(HistoryArguments, {
  coin: text.optional("Only records in this coin"),
  orderType: of(SavingsRecordTypeInput).optional("Only records of this kind"),
  periodType: of(SavingsPeriodTypeInput)(PERIOD_TYPE),
}) {}

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
