import type { ClassType } from "type-graphql";
import { isRead, isUnreadPart, mapRows } from "../datasources/index.js";
import { readCoin, readInstruments, readLoanTerms, readSavingsProducts } from "../datasources/reads/index.js";
import { Balance, FundingBalance } from "../schema/balance.js";
import { Coin } from "../schema/coin.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { text } from "../schema/fields.js";
import { Instrument } from "../schema/instrument.js";
import { LoanCoinTerms } from "../schema/loan.js";
import { SavingsProduct } from "../schema/savings.js";
import { withAccount } from "./accountScoped.js";
import { instrumentJoin } from "./fieldCosts.js";
import { accountField, marketField, resolversOf } from "./fieldTable.js";
import { EACH } from "./market.js";

/** Assumed maximum number of instruments with one base coin in a category. */
const OF_A_COIN = 30;
const CATEGORIES = Object.keys(ProductCategoryInput).length;

/** From what is named by a coin to that coin. */
function toCoin(type: ClassType<object>) {
  const ToCoin = resolversOf(type, {
    coinListing: marketField.orNull(Coin, {
      description:
        "The coin as the exchange lists it, with its chains and their fees; null if it is not listed. One call for any number of rows. Source: GET /api/v2/spot/public/coins",
      cost: { lists: { chains: ["SPOT"] } },
      resolve: ({ coin }: Pick<Balance, "coin">, { reads }) => readCoin(reads, coin),
    }),
  });
  return ToCoin;
}

const CoinEdges = resolversOf(Coin, {
  instruments: marketField([Instrument], {
    description:
      "Instruments of a category, or of all, with the coin as their base. One call per category for any number of coins. Source: GET /api/v3/market/instruments",
    cost: { ...instrumentJoin, rows: ({ category }) => (typeof category === "string" ? 1 : CATEGORIES) * OF_A_COIN },
    args: { category: EACH },
    resolve: async ({ coin }: Pick<Coin, "coin">, { reads }, { category }) =>
      (await readInstruments(reads, category)).filter((row) => (isRead(row) ? row.baseCoin === coin : isUnreadPart(row))),
  }),
  loanTerms: marketField.orNull(LoanCoinTerms, {
    description:
      "Terms of crypto loans of the coin, and of loans against it; null if it can be neither borrowed nor pledged. One call for any number of coins, up to five minutes old. Source: GET /api/v2/earn/loan/public/coinInfos",
    cost: { lists: { loanTerms: ["SPOT"] } },
    resolve: async ({ coin }: Pick<Coin, "coin">, { reads }) => {
      const { loanCoins, pledgeCoins } = await readLoanTerms(reads);
      const loan = loanCoins.filter(isRead).find((one) => one.coin === coin) ?? null;
      const pledge = pledgeCoins.filter(isRead).find((one) => one.coin === coin) ?? null;
      return loan === null && pledge === null ? null : { loan, pledge };
    },
  }),
});

const PRODUCTS_OF_A_COIN = 10;
/** Of any coin: savings are offered to an account. */
const ACCOUNT = text.optional(
  "Name of the account that the terms are for. Default: the first account that the client has a scope for",
);

const CoinSavings = resolversOf(Coin, {
  savingsProducts: accountField([SavingsProduct], {
    description:
      "Savings products of the coin that are on offer to an account; empty if there is no such account. One call for any number of coins, up to five minutes old. Source: GET /api/v2/earn/savings/product",
    cost: {
      calls: 1,
      perAccount: true,
      finds({ account }, outlook) {
        const owner = outlook.accounts().find(({ name }, at) => (typeof account === "string" ? name === account : at === 0));
        return owner === undefined ? [] : [{ count: PRODUCTS_OF_A_COIN, accounts: [owner] }];
      },
    },
    accountIn: "account",
    args: { account: ACCOUNT },
    resolve: async ({ coin }: Pick<Coin, "coin">, { reads, exchange }, { account: name }) => {
      const account = exchange.account(name);
      if (account === undefined) return [];
      const products = await readSavingsProducts(reads, account, { filter: "all" });
      return mapRows(
        products.filter((one) => !isRead(one) || one.coin === coin),
        (row) => withAccount(account, row),
      );
    },
  }),
});

/** Between balances, coins, instruments and terms. */
export const COIN_EDGES: readonly ClassType<object>[] = [CoinEdges, CoinSavings, ...[Balance, FundingBalance].map(toCoin)];
