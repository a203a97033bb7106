import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { ExchangeAccount, RequestReads } from "../datasources/index.js";
import {
  closedLoans,
  currentLtv,
  distanceTo,
  type LoanPrices,
  loanReductions,
  loanRepayments,
  type PricedLoan,
  readDebts,
  readLoanTerms,
  readOngoingLoans,
} from "../datasources/reads/index.js";
import { Cost } from "../schema/cost.js";
import { LoanReductionStatusInput, LoanStatusInput } from "../schema/enums/loan.js";
import { of, text } from "../schema/fields.js";
import {
  ClosedLoanConnection,
  Debts,
  LoanOrder,
  LoanReductionConnection,
  LoanRepaymentConnection,
  Loans,
  LoanTerms,
} from "../schema/loan.js";
import { Arguments, extended, fieldsOf } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { Decimal } from "../schema/scalars.js";
import { type AccountScoped, rowsWithAccount } from "./accountScoped.js";
import { accountConnection } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged, unlessKept, usdtPrice } from "./fieldCosts.js";
import { HistoryArguments, ONLY_COINS, WITHIN_TEN_SECONDS } from "./pageArguments.js";

const LOAN_FILTER = {
  orderId: text.optional("Only the loan with this identifier"),
  loanCoin: text.optional("Only loans of this coin"),
  pledgeCoin: text.optional("Only loans against this collateral coin"),
};

@Arguments()
class OngoingLoanArguments extends fieldsOf(LOAN_FILTER) {}

@Arguments()
class LoanEventArguments extends extended(HistoryArguments, LOAN_FILTER) {}

@Arguments()
class LoanHistoryArguments extends extended(LoanEventArguments, {
  status: of(LoanStatusInput).optional("Only loans that ended in this way"),
}) {}

@Arguments()
class LoanReductionArguments extends extended(LoanEventArguments, {
  status: of(LoanReductionStatusInput).optional("Only sales that are finished, or only those that are not"),
}) {}

@Resolver(() => Loans)
export class LoansResolver {
  @RequiresScope("read:market")
  @Cost({ calls: unlessKept("loanCoins") })
  @Query(() => LoanTerms, {
    nullable: true,
    description:
      "Coins that can be borrowed and pledged, with their terms. Up to five minutes old. Source: GET /api/v2/earn/loan/public/coinInfos",
  })
  loanTerms(
    @Ctx() { reads }: RequestContext,
    @Arg("coins", () => [String], ONLY_COINS) coins?: readonly string[] | null,
  ): Promise<LoanTerms> {
    return readLoanTerms(reads, coins);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1, rows: 500 })
  @FieldResolver(() => [LoanOrder], {
    nullable: "itemsAndList",
    description: "Running loans. Source: GET /api/v3/loan/borrow-ongoing, or GET /api/v2/earn/loan/ongoing-orders",
  })
  async ongoing(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => OngoingLoanArguments) filter: OngoingLoanArguments,
    @Arg("maxAgeMs", () => Int, WITHIN_TEN_SECONDS) maxAgeMs?: number | null,
  ): Promise<Iterable<AccountScoped<LoanOrder> | Error>> {
    return rowsWithAccount(account, await readOngoingLoans(reads.within(maxAgeMs), account, filter));
  }

  @RequiresScope("read:account")
  @Cost(paged(closedLoans.pages))
  @FieldResolver(() => ClosedLoanConnection, {
    nullable: true,
    description:
      "Loans of the past three months that have ended, newest first. Source: GET /api/v3/loan/borrow-history, or GET /api/v2/earn/loan/borrow-history",
  })
  async history(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => LoanHistoryArguments) { orderId, loanCoin, pledgeCoin, status, ...history }: LoanHistoryArguments,
  ): Promise<ClosedLoanConnection> {
    return accountConnection(closedLoans.read, reads, account, { orderId, loanCoin, pledgeCoin, status }, history);
  }

  @RequiresScope("read:account")
  @Cost(paged(loanRepayments.pages))
  @FieldResolver(() => LoanRepaymentConnection, {
    nullable: true,
    description:
      "Repayments of the past three months, newest first. Source: GET /api/v3/loan/repay-history, or GET /api/v2/earn/loan/repay-history",
  })
  async repayments(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => LoanEventArguments) { orderId, loanCoin, pledgeCoin, ...history }: LoanEventArguments,
  ): Promise<LoanRepaymentConnection> {
    return accountConnection(loanRepayments.read, reads, account, { orderId, loanCoin, pledgeCoin }, history);
  }

  @RequiresScope("read:account")
  @Cost(paged(loanReductions.pages))
  @FieldResolver(() => LoanReductionConnection, {
    nullable: true,
    description:
      "Collateral that the exchange sold in the past three months because the loan-to-value had become too high, newest first. Source: GET /api/v3/loan/reduces, or GET /api/v2/earn/loan/reduces",
  })
  async reductions(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => LoanReductionArguments) { orderId, loanCoin, pledgeCoin, status, ...history }: LoanReductionArguments,
  ): Promise<LoanReductionConnection> {
    return accountConnection(loanReductions.read, reads, account, { orderId, loanCoin, pledgeCoin, status }, history);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => Debts, {
    nullable: true,
    description: "Total debts and pledges, by coin. Source: GET /api/v3/loan/debts, or GET /api/v2/earn/loan/debts",
  })
  debts(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("maxAgeMs", () => Int, WITHIN_TEN_SECONDS) maxAgeMs?: number | null,
  ): Promise<Debts> {
    return readDebts(reads.within(maxAgeMs), account);
  }
}

const PRICED =
  "at the last prices of the spot pairs with USDT; null where there is no such pair. One call for any number of loans, and none in a subscription. Source: GET /api/v3/market/tickers, or the ticker streams";
/** A loan of a subscription already has its prices. */
type MaybePriced = LoanOrder & Partial<Pick<PricedLoan, "prices">>;

@Resolver(() => LoanOrder)
export class LoanOrderResolver {
  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, { nullable: true, description: `Price of one unit of the loan coin in USDT, ${PRICED}` })
  async loanPrice(@Root() loan: MaybePriced, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return loan.prices === undefined ? reads.loaders.usdtPrice(loan.loanCoin) : loan.prices.loanCoin;
  }

  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, { nullable: true, description: `Price of one unit of the collateral in USDT, ${PRICED}` })
  async pledgePrice(@Root() loan: MaybePriced, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return loan.prices === undefined ? reads.loaders.usdtPrice(loan.pledgeCoin) : loan.prices.pledgeCoin;
  }

  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, {
    nullable: true,
    description: `Loan-to-value at current prices: debt with interest divided by the value of the collateral, as a fraction with six decimals, ${PRICED}`,
  })
  async currentLtv(@Root() loan: MaybePriced, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return currentLtv(loan, await pricesOf(reads, loan));
  }

  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, {
    nullable: true,
    description: `How far the price of the collateral may fall until the loan is liquidated, as a fraction of its price now with six decimals; negative if it is already below; ${PRICED}`,
  })
  async distanceToLiquidation(@Root() loan: MaybePriced, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return distanceTo(loan.liquidationLtv, loan, await pricesOf(reads, loan));
  }

  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, {
    nullable: true,
    description: `How far the price of the collateral may fall until the exchange asks for more collateral, as a fraction of its price now with six decimals; negative if it is already below; ${PRICED}`,
  })
  async distanceToMarginCall(@Root() loan: MaybePriced, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return distanceTo(loan.marginCallLtv, loan, await pricesOf(reads, loan));
  }
}

async function pricesOf({ loaders }: RequestReads, { loanCoin, pledgeCoin, prices }: MaybePriced): Promise<LoanPrices> {
  if (prices !== undefined) return prices;
  const [loan, pledge] = await Promise.all([loaders.usdtPrice(loanCoin), loaders.usdtPrice(pledgeCoin)]);
  return { loanCoin: loan, pledgeCoin: pledge };
}
