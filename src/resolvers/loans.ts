import { Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { closedLoans, debts, ongoingLoans } from "../datasources/queries/loans.js";
import { LoanStatus } from "../schema/enums/loan.js";
import { ClosedLoanConnection, Debts, LoanOrder, Loans } from "../schema/loan.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { known } from "./known.js";
import { allOwnedBy, type Owned } from "./owned.js";
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
class LoanHistoryArguments extends HistoryArguments {
  @Field(() => String, ORDER_ID)
  readonly orderId?: string | null;

  @Field(() => String, LOAN_COIN)
  readonly loanCoin?: string | null;

  @Field(() => String, PLEDGE_COIN)
  readonly pledgeCoin?: string | null;

  @Field(() => LoanStatus, { nullable: true, description: "Only loans that ended in this way" })
  readonly status?: LoanStatus | null;
}

@Resolver(() => Loans)
export class LoansResolver {
  @FieldResolver(() => [LoanOrder], {
    nullable: true,
    description: "Loans that are running. Source: GET /api/v2/earn/loan/ongoing-orders",
  })
  async ongoing(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => OngoingLoanArguments) filter: OngoingLoanArguments,
  ): Promise<readonly Owned<LoanOrder>[]> {
    return allOwnedBy(account, await ongoingLoans(reads, account, filter));
  }

  @FieldResolver(() => ClosedLoanConnection, {
    nullable: true,
    description: "Loans of the past three months that are over, newest first. Source: GET /api/v2/earn/loan/borrow-history",
  })
  async history(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => LoanHistoryArguments) { orderId, loanCoin, pledgeCoin, status, ...history }: LoanHistoryArguments,
  ): Promise<ClosedLoanConnection> {
    const filter = { orderId, loanCoin, pledgeCoin, status: known("status", LoanStatus, status) };
    return connectionFrom(await closedLoans(reads, account, filter, history), history.after, (row) => row);
  }

  @FieldResolver(() => Debts, {
    nullable: true,
    description: "What is owed and pledged in all, coin by coin. Source: GET /api/v2/earn/loan/debts",
  })
  debts(@Root() account: ExchangeAccount, @Ctx() { reads }: RequestContext): Promise<Debts> {
    return debts(reads, account);
  }
}
