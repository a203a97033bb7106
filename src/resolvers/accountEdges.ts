import { type ClassType, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { isRead, type Row } from "../datasources/index.js";
import {
  MAX_EDGE_CALLS,
  MAX_FIRST,
  MAX_SINGLE_READS,
  readLoanTerms,
  readSavingsProducts,
  rowsOf,
  savingsHoldings,
  sharkFinHoldings,
  sharkFinOffers,
} from "../datasources/reads/index.js";
import { SubAccountFuturesAssets } from "../schema/account.js";
import { SubAccount, SubAccountWithdrawal } from "../schema/broker.js";
import { Cost, type FieldCost } from "../schema/cost.js";
import { SavingsHolding, SavingsProduct, SavingsRecord, SharkFinOffer, SharkFinProduct } from "../schema/earn.js";
import { UNKNOWN } from "../schema/enums/exchangeEnum.js";
import { ClosedLoan, Loan, LoanCoinTerms, LoanOrder, LoanReduction, LoanRepayment } from "../schema/loan.js";
import { Ticker } from "../schema/market.js";
import type { NodeRecord } from "../schema/node.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { ConvertRecord } from "../schema/wallet.js";
import { type AccountScoped, foundWithAccount, type Of, ownedRows, withAccount } from "./accountScoped.js";
import type { RequestContext } from "./context.js";
import { usdtPrice } from "./fieldCosts.js";

/** Pages of the exchange that a list without arguments reads at most. */
const PAGES = 5;
/** One list for all loans of an operation, and a call for each loan that it does not reach. */
const OF_A_LOAN: FieldCost = { calls: 2, mostPerAccount: MAX_EDGE_CALLS + PAGES, rows: 10 };

/** From a repayment or a sale of collateral to its loan. */
function toLoan(type: ClassType<object>) {
  @Resolver(() => type)
  class ToLoan {
    @RequiresScope("read:account")
    @Cost({ ...OF_A_LOAN, calls: 3, mostPerAccount: MAX_EDGE_CALLS + PAGES + 1 })
    @FieldResolver(() => Loan, {
      nullable: true,
      description:
        "Its loan, running or ended; null if the exchange lists it no longer. One call for the running loans, and one for several ended ones. Source: GET /api/v2/earn/loan/ongoing-orders and GET /api/v2/earn/loan/borrow-history",
    })
    async loan(@Root() { account, orderId }: Of<LoanRepayment>, @Ctx() { reads }: RequestContext): Promise<NodeRecord | null> {
      const found = await reads.loaders.account.loans.loan(account, orderId);
      if (found === null) return null;
      if (found.running !== undefined) return { __typename: LoanOrder.name, ...withAccount(account, found.running) };
      return { __typename: ClosedLoan.name, ...withAccount(account, found.ended) };
    }
  }
  return ToLoan;
}

/** From a loan, running or ended, to what belongs to it. */
function ofLoan(type: ClassType<object>) {
  @Resolver(() => type)
  class OfLoan {
    @RequiresScope("read:account")
    @Cost(OF_A_LOAN)
    @FieldResolver(() => [LoanRepayment], {
      nullable: "itemsAndList",
      description:
        "Its repayments of the past three months, newest first, at most 100. One call for several loans as far as that reaches. Source: GET /api/v2/earn/loan/repay-history",
    })
    async repayments(
      @Root() { account, orderId }: Of<LoanOrder>,
      @Ctx() { reads }: RequestContext,
    ): Promise<readonly Row<Of<LoanRepayment>>[]> {
      return ownedRows(account, await reads.loaders.account.loans.repayments(account, orderId));
    }

    @RequiresScope("read:account")
    @Cost(OF_A_LOAN)
    @FieldResolver(() => [LoanReduction], {
      nullable: "itemsAndList",
      description:
        "Sales of its collateral by the exchange in the past three months, newest first, at most 100. One call for several loans as far as that reaches. Source: GET /api/v2/earn/loan/reduces",
    })
    async reductions(
      @Root() { account, orderId }: Of<LoanOrder>,
      @Ctx() { reads }: RequestContext,
    ): Promise<readonly Row<Of<LoanReduction>>[]> {
      return ownedRows(account, await reads.loaders.account.loans.reductions(account, orderId));
    }

    @RequiresScope("read:market")
    @Cost({ lists: { loanTerms: ["SPOT"] } })
    @FieldResolver(() => LoanCoinTerms, {
      nullable: true,
      description:
        "Current terms of its two coins. One call for any number of loans, up to five minutes old. Source: GET /api/v2/earn/loan/public/coinInfos",
    })
    async terms(@Root() { loanCoin, pledgeCoin }: Of<LoanOrder>, @Ctx() { reads }: RequestContext): Promise<LoanCoinTerms> {
      const { loanCoins, pledgeCoins } = await readLoanTerms(reads);
      return {
        loan: loanCoins.filter(isRead).find(({ coin }) => coin === loanCoin) ?? null,
        pledge: pledgeCoins.filter(isRead).find(({ coin }) => coin === pledgeCoin) ?? null,
      };
    }
  }
  return OfLoan;
}

@Resolver(() => SavingsHolding)
class SavingsHoldingEdges {
  @RequiresScope("read:account")
  @Cost({ calls: 1, perAccount: true })
  @FieldResolver(() => SavingsProduct, {
    nullable: true,
    description:
      "Its product; null if the exchange lists it no longer. One call for all holdings of an account, up to five minutes old. Source: GET /api/v2/earn/savings/product",
  })
  async product(
    @Root() { account, productId }: Of<SavingsHolding>,
    @Ctx() { reads }: RequestContext,
  ): Promise<Of<SavingsProduct> | null> {
    const products = await readSavingsProducts(reads, account, { filter: "all" });
    const found = products.filter(isRead).find((one) => one.productId === productId);
    return foundWithAccount(account, found);
  }
}

@Resolver(() => SavingsRecord)
class SavingsRecordEdges {
  @RequiresScope("read:account")
  @Cost({ calls: 1, perAccount: true })
  @FieldResolver(() => SavingsProduct, {
    nullable: true,
    description:
      "Its product, by coin, term and users, because the exchange does not name it; null if it lists none or several such. One call for all records of an account, up to five minutes old. Source: GET /api/v2/earn/savings/product",
  })
  async product(@Root() record: Of<SavingsRecord>, @Ctx() { reads }: RequestContext): Promise<Of<SavingsProduct> | null> {
    const { account, productCoin, periodType, period, productLevel } = record;
    const products = await readSavingsProducts(reads, account, { filter: "all" });
    const [product, ...others] = products
      .filter(isRead)
      .filter(
        (one) =>
          one.coin === productCoin &&
          one.periodType === periodType &&
          one.period === period &&
          (productLevel ?? one.productLevel) === one.productLevel,
      );
    return others.length > 0 ? null : foundWithAccount(account, product);
  }
}

@Resolver(() => SavingsProduct)
class SavingsProductEdges {
  @RequiresScope("read:account")
  @Cost({
    accountLists: () => Array.from({ length: 2 * PAGES }, (_, page) => ({ page: `savings ${page}`, isOfAll: true })),
    rows: 10,
  })
  @FieldResolver(() => [SavingsHolding], {
    nullable: "itemsAndList",
    description:
      "What the account holds of it, newest first. One call per kind of term for all products of an account. Source: GET /api/v2/earn/savings/assets",
  })
  async holdings(
    @Root() { account, productId, periodType }: Of<SavingsProduct>,
    @Ctx() { reads }: RequestContext,
  ): Promise<readonly Row<Of<SavingsHolding>>[]> {
    if (periodType === UNKNOWN || periodType === null) return [];
    const rows = rowsOf(await savingsHoldings.read(reads, account, { periodType }, { first: MAX_FIRST }));
    return ownedRows(account, rows, (row) => row.productId === productId);
  }
}

@Resolver(() => SharkFinProduct)
class SharkFinProductEdges {
  @RequiresScope("read:account")
  @Cost({ calls: 1, mostPerAccount: MAX_SINGLE_READS })
  @FieldResolver(() => SharkFinOffer, {
    nullable: true,
    description:
      "The offer of the product, with its rates; null if it is not on offer any more. One call per subscription coin, up to five minutes old. Source: GET /api/v2/earn/sharkfin/product",
  })
  async offer(
    @Root() { account, productId, subscribeCoin }: Of<SharkFinProduct>,
    @Ctx() { reads }: RequestContext,
  ): Promise<Of<SharkFinOffer> | null> {
    reads.loaders.account.single("offer", account, subscribeCoin);
    const offers = rowsOf(await sharkFinOffers.read(reads, account, { coin: subscribeCoin }, { first: 100 }));
    const found = offers.filter(isRead).find((one) => one.productId === productId);
    return foundWithAccount(account, found);
  }
}

@Resolver(() => SharkFinOffer)
class SharkFinOfferEdges {
  @RequiresScope("read:account")
  @Cost({ calls: PAGES + 1, perAccount: true, rows: 5 })
  @FieldResolver(() => [SharkFinProduct], {
    nullable: "itemsAndList",
    description:
      "What the account holds of it now, newest first. One call for all offers of an account. Source: GET /api/v2/earn/sharkfin/assets",
  })
  async holdings(
    @Root() { account, productId }: Of<SharkFinOffer>,
    @Ctx() { reads }: RequestContext,
  ): Promise<readonly Row<Of<SharkFinProduct>>[]> {
    const rows = rowsOf(await sharkFinHoldings.read(reads, account, { status: "subscribed" }, { first: MAX_FIRST }));
    return ownedRows(account, rows, (row) => row.productId === productId);
  }
}

@Resolver(() => ConvertRecord)
class ConvertRecordEdges {
  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Ticker, {
    nullable: true,
    description:
      "Ticker of the source coin's spot pair with USDT; null where there is no such pair, and for USDT. One call for any number of records. Source: GET /api/v3/market/tickers",
  })
  async fromTicker(@Root() { fromCoin }: Of<ConvertRecord>, @Ctx() { reads }: RequestContext): Promise<Ticker | null> {
    return fromCoin === null ? null : reads.loaders.ticker("SPOT", `${fromCoin}USDT`);
  }

  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Ticker, {
    nullable: true,
    description:
      "Ticker of the target coin's spot pair with USDT; null where there is no such pair, and for USDT. One call for any number of records. Source: GET /api/v3/market/tickers",
  })
  async toTicker(@Root() { toCoin }: Of<ConvertRecord>, @Ctx() { reads }: RequestContext): Promise<Ticker | null> {
    return toCoin === null ? null : reads.loaders.ticker("SPOT", `${toCoin}USDT`);
  }
}

/** From a record to the sub-account that it names. */
function toSubAccount(type: ClassType<object>) {
  @Resolver(() => type)
  class ToSubAccount {
    @RequiresScope("read:account")
    @FieldResolver(() => SubAccount, {
      nullable: true,
      description: "The sub-account; null where the exchange does not name it. No upstream call by itself",
    })
    subAccount(
      @Root() { account, subUid }: AccountScoped<{ readonly subUid: string | null }>,
    ): AccountScoped<{ readonly subUid: string }> | null {
      return subUid === null ? null : { account, subUid };
    }
  }
  return ToSubAccount;
}

/** Between loans, earn products, conversions and sub-accounts. */
export const ACCOUNT_EDGES: readonly ClassType<object>[] = [
  ConvertRecordEdges,
  SavingsHoldingEdges,
  SavingsProductEdges,
  SavingsRecordEdges,
  SharkFinOfferEdges,
  SharkFinProductEdges,
  ...[LoanReduction, LoanRepayment].map(toLoan),
  ...[ClosedLoan, LoanOrder].map(ofLoan),
  ...[SubAccountFuturesAssets, SubAccountWithdrawal].map(toSubAccount),
];
