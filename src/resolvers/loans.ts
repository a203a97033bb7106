import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { ExchangeAccount, RequestReads } from "../datasources/index.js";
import {
  closedLoanPages,
  loanReductionPages,
  loanRepaymentPages,
  readClosedLoans,
  readDebts,
  readLoanReductions,
  readLoanRepayments,
  readLoanTerms,
  readOngoingLoans,
} from "../datasources/queries/loans.js";
import { currentLtv, distanceTo, type LoanPrices } from "../datasources/valuation/loanRisk.js";
import type { PricedLoan } from "../datasources/valuation/pricedLoan.js";
import { Cost } from "../schema/cost.js";
import { LoanReductionStatusInput, LoanStatusInput } from "../schema/enums/loan.js";
import {
  ClosedLoanConnection,
  Debts,
  LoanOrder,
  LoanReductionConnection,
  LoanRepaymentConnection,
  Loans,
  LoanTerms,
} from "../schema/loan.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { Decimal } from "../schema/scalars.js";
import { type AccountScoped, rowsWithAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged, unlessKept, usdtPrice } from "./fieldCosts.js";
import { WITHIN_TEN_SECONDS } from "./maxAge.js";
import { HistoryArguments } from "./pageArguments.js";

const ORDER_ID = { nullable: true, description: "Only the loan with this identifier" };
const LOAN_COIN = { nullable: true, description: "Only loans of this coin" };
const PLEDGE_COIN = { nullable: true, description: "Only loans against this collateral coin" };

@ArgsType()
class OngoingLoanArguments {
  @Field(() => String, ORDER_ID)
  readonly orderId?: string | null;

  @Field(() => String, LOAN_COIN)
  readonly loanCoin?: string | null;

  @Field(() => String, PLEDGE_COIN)
  readonly pledgeCoin?: string | null;
}

@ArgsType()
class LoanEventArguments extends HistoryArguments {
  @Field(() => String, ORDER_ID)
  readonly orderId?: string | null;

  @Field(() => String, LOAN_COIN)
  readonly loanCoin?: string | null;

  @Field(() => String, PLEDGE_COIN)
  readonly pledgeCoin?: string | null;
}

@ArgsType()
class LoanHistoryArguments extends LoanEventArguments {
  @Field(() => LoanStatusInput, { nullable: true, description: "Only loans that ended in this way" })
  readonly status?: LoanStatusInput | null;
}

@ArgsType()
class LoanReductionArguments extends LoanEventArguments {
  @Field(() => LoanReductionStatusInput, {
    nullable: true,
    description: "Only sales that are finished, or only those that are not",
  })
  readonly status?: LoanReductionStatusInput | null;
}

@Resolver(() => Loans)
export class LoansResolver {
  @RequiresScope("read:market")
  @Cost({ calls: unlessKept("loanCoins") })
  @Query(() => LoanTerms, {
    nullable: true,
    description:
      "Which coins can be borrowed and pledged, and on what terms. Up to five minutes old. Source: GET /api/v2/earn/loan/public/coinInfos",
  })
  loanTerms(
    @Ctx() { reads }: RequestContext,
    @Arg("coins", () => [String], { nullable: true, description: "Only these coins. Default: all" })
    coins?: readonly string[] | null,
  ): Promise<LoanTerms> {
    return readLoanTerms(reads, coins);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1, rows: 500 })
  @FieldResolver(() => [LoanOrder], {
    nullable: "itemsAndList",
    description: "Loans that are running. Source: GET /api/v2/earn/loan/ongoing-orders",
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
  @Cost(paged(closedLoanPages))
  @FieldResolver(() => ClosedLoanConnection, {
    nullable: true,
    description: "Loans of the past three months that are over, newest first. Source: GET /api/v2/earn/loan/borrow-history",
  })
  async history(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => LoanHistoryArguments) { orderId, loanCoin, pledgeCoin, status, ...history }: LoanHistoryArguments,
  ): Promise<ClosedLoanConnection> {
    const filter = { orderId, loanCoin, pledgeCoin, status };
    return connectionFrom(await readClosedLoans(reads, account, filter, history), history.after, (row) => row);
  }

  @RequiresScope("read:account")
  @Cost(paged(loanRepaymentPages))
  @FieldResolver(() => LoanRepaymentConnection, {
    nullable: true,
    description: "Repayments of the past three months, newest first. Source: GET /api/v2/earn/loan/repay-history",
  })
  async repayments(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => LoanEventArguments) { orderId, loanCoin, pledgeCoin, ...history }: LoanEventArguments,
  ): Promise<LoanRepaymentConnection> {
    const slice = await readLoanRepayments(reads, account, { orderId, loanCoin, pledgeCoin }, history);
    return connectionFrom(slice, history.after, (row) => row);
  }

  @RequiresScope("read:account")
  @Cost(paged(loanReductionPages))
  @FieldResolver(() => LoanReductionConnection, {
    nullable: true,
    description:
      "Collateral that the exchange sold in the past three months because its value had become too low for the loan, newest first. Source: GET /api/v2/earn/loan/reduces",
  })
  async reductions(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => LoanReductionArguments) { orderId, loanCoin, pledgeCoin, status, ...history }: LoanReductionArguments,
  ): Promise<LoanReductionConnection> {
    const filter = { orderId, loanCoin, pledgeCoin, status };
    return connectionFrom(await readLoanReductions(reads, account, filter, history), history.after, (row) => row);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => Debts, {
    nullable: true,
    description: "What is owed and pledged in all, coin by coin. Source: GET /api/v2/earn/loan/debts",
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
  "at the last prices of the spot pairs with USDT; null where there is no such pair. One call, however many loans, and none in a subscription. Source: GET /api/v3/market/tickers, or the ticker streams";
/** A loan of a subscription has brought its prices along. */
type MaybePriced = LoanOrder & Partial<Pick<PricedLoan, "prices">>;

@Resolver(() => LoanOrder)
export class LoanOrderResolver {
  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, { nullable: true, description: `What one unit of the loan coin is worth in USDT, ${PRICED}` })
  async loanPrice(@Root() loan: MaybePriced, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return loan.prices === undefined ? reads.loaders.usdtPrice(loan.loanCoin) : loan.prices.loanCoin;
  }

  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, { nullable: true, description: `What one unit of the collateral is worth in USDT, ${PRICED}` })
  async pledgePrice(@Root() loan: MaybePriced, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return loan.prices === undefined ? reads.loaders.usdtPrice(loan.pledgeCoin) : loan.prices.pledgeCoin;
  }

  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, {
    nullable: true,
    description: `Loan-to-value at current prices: debt with interest over the value of the collateral, as a fraction with six decimals, ${PRICED}`,
  })
  async currentLtv(@Root() loan: MaybePriced, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return currentLtv(loan, await pricesOf(reads, loan));
  }

  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, {
    nullable: true,
    description: `How far the price of the collateral may fall until the loan is liquidated, as a fraction of its price now with six decimals; negative once that is passed; ${PRICED}`,
  })
  async distanceToLiquidation(@Root() loan: MaybePriced, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return distanceTo(loan.liquidationLtv, loan, await pricesOf(reads, loan));
  }

  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, {
    nullable: true,
    description: `How far the price of the collateral may fall until the exchange asks for more collateral, as a fraction of its price now with six decimals; negative once that is passed; ${PRICED}`,
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
