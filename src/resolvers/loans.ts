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
import { LoanReductionStatusInput, LoanStatusInput } from "../schema/enums/loan.js";
import { of, text, texts } from "../schema/fields.js";
import {
  ClosedLoanConnection,
  Debts,
  LoanOrder,
  LoanReductionConnection,
  LoanRepaymentConnection,
  Loans,
  LoanTerms,
} from "../schema/loan.js";
import { Decimal } from "../schema/scalars.js";
import { accountList } from "./accountList.js";
import { rowsWithAccount } from "./accountScoped.js";
import { unlessKept, usdtPrice } from "./fieldCosts.js";
import { accountField, marketField, query, resolversOf } from "./fieldTable.js";
import { WITHIN_TEN_SECONDS } from "./maxAge.js";

/** Filter of loans. */
const LOAN_FILTER = {
  orderId: text.optional("Only the loan with this identifier"),
  loanCoin: text.optional("Only loans of this coin"),
  pledgeCoin: text.optional("Only loans against this collateral coin"),
};

export const LoansResolver = resolversOf(Loans, {
  ongoing: accountField([LoanOrder], {
    description: "Running loans. Source: GET /api/v3/loan/borrow-ongoing, or GET /api/v2/earn/loan/ongoing-orders",
    cost: { calls: 1, rows: 500 },
    args: { ...LOAN_FILTER, maxAgeMs: WITHIN_TEN_SECONDS },
    resolve: async (account: ExchangeAccount, { reads }, { maxAgeMs, ...filter }) =>
      rowsWithAccount(account, await readOngoingLoans(reads.within(maxAgeMs), account, filter)),
  }),
  history: accountList(ClosedLoanConnection, {
    description:
      "Loans of the past three months that have ended, newest first. Source: GET /api/v3/loan/borrow-history, or GET /api/v2/earn/loan/borrow-history",
    list: closedLoans,
    filter: { ...LOAN_FILTER, status: of(LoanStatusInput).optional("Only loans that ended in this way") },
  }),
  repayments: accountList(LoanRepaymentConnection, {
    description:
      "Repayments of the past three months, newest first. Source: GET /api/v3/loan/repay-history, or GET /api/v2/earn/loan/repay-history",
    list: loanRepayments,
    filter: LOAN_FILTER,
  }),
  reductions: accountList(LoanReductionConnection, {
    description:
      "Collateral that the exchange sold in the past three months because the loan-to-value had become too high, newest first. Source: GET /api/v3/loan/reduces, or GET /api/v2/earn/loan/reduces",
    list: loanReductions,
    filter: {
      ...LOAN_FILTER,
      status: of(LoanReductionStatusInput).optional("Only sales that are finished, or only those that are not"),
    },
  }),
  debts: accountField(Debts, {
    description: "Total debts and pledges, by coin. Source: GET /api/v3/loan/debts, or GET /api/v2/earn/loan/debts",
    cost: { calls: 1 },
    args: { maxAgeMs: WITHIN_TEN_SECONDS },
    resolve: (account: ExchangeAccount, { reads }, { maxAgeMs }) => readDebts(reads.within(maxAgeMs), account),
  }),
});

export const LoansQueries = resolversOf(null, {
  loanTerms: query("read:market", LoanTerms, {
    description:
      "Coins that can be borrowed and pledged, with their terms. Up to five minutes old. Source: GET /api/v2/earn/loan/public/coinInfos",
    cost: { calls: unlessKept("loanCoins") },
    args: { coins: texts.optional("Only these coins. Default: all") },
    resolve: ({ reads }, { coins }) => readLoanTerms(reads, coins),
  }),
});

const PRICED =
  "at the last prices of the spot pairs with USDT; null where there is no such pair. One call for any number of loans, and none in a subscription. Source: GET /api/v3/market/tickers, or the ticker streams";
/** A loan of a subscription already has its prices. */
type MaybePriced = LoanOrder & Partial<Pick<PricedLoan, "prices">>;

export const LoanOrderResolver = resolversOf(LoanOrder, {
  loanPrice: marketField.orNull(Decimal, {
    description: `Price of one unit of the loan coin in USDT, ${PRICED}`,
    cost: usdtPrice,
    resolve: async (loan: MaybePriced, { reads }) =>
      loan.prices === undefined ? reads.loaders.usdtPrice(loan.loanCoin) : loan.prices.loanCoin,
  }),
  pledgePrice: marketField.orNull(Decimal, {
    description: `Price of one unit of the collateral in USDT, ${PRICED}`,
    cost: usdtPrice,
    resolve: async (loan: MaybePriced, { reads }) =>
      loan.prices === undefined ? reads.loaders.usdtPrice(loan.pledgeCoin) : loan.prices.pledgeCoin,
  }),
  currentLtv: marketField.orNull(Decimal, {
    description: `Loan-to-value at current prices: debt with interest divided by the value of the collateral, as a fraction with six decimals, ${PRICED}`,
    cost: usdtPrice,
    resolve: async (loan: MaybePriced, { reads }) => currentLtv(loan, await pricesOf(reads, loan)),
  }),
  distanceToLiquidation: marketField.orNull(Decimal, {
    description: `How far the price of the collateral may fall until the loan is liquidated, as a fraction of its price now with six decimals; negative if it is already below; ${PRICED}`,
    cost: usdtPrice,
    resolve: async (loan: MaybePriced, { reads }) => distanceTo(loan.liquidationLtv, loan, await pricesOf(reads, loan)),
  }),
  distanceToMarginCall: marketField.orNull(Decimal, {
    description: `How far the price of the collateral may fall until the exchange asks for more collateral, as a fraction of its price now with six decimals; negative if it is already below; ${PRICED}`,
    cost: usdtPrice,
    resolve: async (loan: MaybePriced, { reads }) => distanceTo(loan.marginCallLtv, loan, await pricesOf(reads, loan)),
  }),
});

async function pricesOf({ loaders }: RequestReads, { loanCoin, pledgeCoin, prices }: MaybePriced): Promise<LoanPrices> {
  if (prices !== undefined) return prices;
  const [loan, pledge] = await Promise.all([loaders.usdtPrice(loanCoin), loaders.usdtPrice(pledgeCoin)]);
  return { loanCoin: loan, pledgeCoin: pledge };
}
