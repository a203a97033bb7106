import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import {
  changeOf,
  financialRecordPages,
  fundingAccountRecordPages,
  fundingPaymentPages,
  readFinancialRecords,
  readFundingAccountRecords,
  readFundingPayments,
} from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { FinancialRecordCategoryInput } from "../schema/enums/financialRecord.js";
import { of, text } from "../schema/fields.js";
import { Arguments, extended } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { Decimal } from "../schema/scalars.js";
import { FinancialRecord, FinancialRecordConnection } from "../schema/wallet.js";
import { accountConnection } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged } from "./fieldCosts.js";
import { HistoryArguments } from "./pageArguments.js";

@Arguments()
class FinancialRecordArguments extends extended(HistoryArguments, {
  category: of(FinancialRecordCategoryInput).optional(
    "Only records of this product. Default: all, from one list of the exchange each",
  ),
  symbol: text.optional("Classic, with the category MARGIN: the isolated margin account of this pair in place of cross margin"),
  coin: text.optional("Only changes of this coin"),
}) {}

@Arguments()
class FundingPaymentArguments extends extended(HistoryArguments, {
  category: of(FuturesCategoryInput).optional("Only positions of this category. Default: all"),
  symbol: text.optional("Only funding of positions in this symbol; a page may have fewer rows then, and others behind it"),
  coin: text.optional("Only funding in this coin"),
}) {}

@Arguments()
class FundingRecordArguments extends extended(HistoryArguments, { coin: text.optional("Only changes of this coin") }) {}

/** Changes of the balances of an account. */
@Resolver(() => Account)
export class FinancialRecordsResolver {
  @RequiresScope("read:account")
  @Cost(paged(financialRecordPages))
  @FieldResolver(() => FinancialRecordConnection, {
    nullable: true,
    description:
      "Changes of the account's balances in the last 90 days, each with its cause, newest first. The lists of a Classic account are those of its spot, margin and futures accounts. Source: GET /api/v3/account/financial-records, or GET /api/v2/spot/account/bills, GET /api/v2/mix/account/bill, GET /api/v2/margin/crossed/financial-records and GET /api/v2/margin/isolated/financial-records",
  })
  async financialRecords(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => FinancialRecordArguments) { category, symbol, coin, ...history }: FinancialRecordArguments,
  ): Promise<FinancialRecordConnection> {
    return accountConnection(readFinancialRecords, reads, account, { category, symbol, coin }, history);
  }

  @RequiresScope("read:account")
  @Cost(paged(fundingAccountRecordPages))
  @FieldResolver(() => FinancialRecordConnection, {
    nullable: true,
    description:
      "Changes of the balances of the funding account beside a unified account in the last 90 days, newest first; ACCOUNT_MODE_MISMATCH for a Classic account, whose funding account the exchange does not list. Source: GET /api/v3/account/funding-financial-records",
  })
  async fundingRecords(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => FundingRecordArguments) { coin, ...history }: FundingRecordArguments,
  ): Promise<FinancialRecordConnection> {
    return accountConnection(readFundingAccountRecords, reads, account, { coin }, history);
  }

  @RequiresScope("read:account")
  @Cost(paged(fundingPaymentPages))
  @FieldResolver(() => FinancialRecordConnection, {
    nullable: true,
    description:
      "Funding of perpetual positions that the account has paid (`amount` below zero) and received in the last 90 days, newest first. Source: GET /api/v3/account/financial-records with the types of funding, or GET /api/v2/mix/account/bill with `contract_settle_fee`",
  })
  async fundingPayments(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => FundingPaymentArguments) { category, symbol, coin, ...history }: FundingPaymentArguments,
  ): Promise<FinancialRecordConnection> {
    return accountConnection(readFundingPayments, reads, account, { category, symbol, coin }, history);
  }
}

@Resolver(() => FinancialRecord)
export class FinancialRecordResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 0 })
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Change of the balance, in the coin: the amount less the fee, exact; null where the exchange leaves out the amount. No upstream call",
  })
  change(@Root() { amount, fee }: FinancialRecord): string | null {
    return changeOf(amount, fee);
  }
}
