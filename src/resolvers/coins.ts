import { Arg, type ClassType, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import { isRead, isUnreadPart, type Row } from "../datasources/index.js";
import {
  readCoin,
  readCoins,
  readInstruments,
  readLoanTerms,
  readOpenInterests,
  readSavingsProducts,
} from "../datasources/reads/index.js";
import { Balance, FundingBalance } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { SavingsProduct } from "../schema/earn.js";
import { FuturesCategoryInput, ProductCategoryInput } from "../schema/enums/category.js";
import { Coin, Instrument } from "../schema/instrument.js";
import { COINS, named, rowsOf, SYMBOLS, symbolRows } from "../schema/listLengths.js";
import { LoanCoinTerms } from "../schema/loan.js";
import { OpenInterest } from "../schema/market.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { type AccountScoped, ownedRows } from "./accountScoped.js";
import type { RequestContext } from "./context.js";
import { FUTURES, instrumentJoin, joined } from "./fieldCosts.js";
import { EACH } from "./market.js";
import { ONLY_COINS, ONLY_SYMBOLS } from "./pageArguments.js";

/** Coins with their chains, and open interest. */
@Resolver()
export class CoinsResolver {
  @RequiresScope("read:market")
  @Cost({ calls: 1, rows: named("coins", COINS) })
  @Query(() => [Coin], {
    nullable: "itemsAndList",
    description:
      "Coins with their chains, and the fees and minimums of deposits and withdrawals. Up to a minute old. Source: GET /api/v2/spot/public/coins",
  })
  coins(
    @Ctx() { reads }: RequestContext,
    @Arg("coins", () => [String], ONLY_COINS) coins?: readonly string[] | null,
  ): Promise<readonly Row<Coin>[]> {
    return readCoins(reads, coins);
  }

  @RequiresScope("read:market")
  @Cost({ calls: 1 })
  @Query(() => Coin, {
    nullable: true,
    description: "One coin; null if there is none with that name. Source: GET /api/v2/spot/public/coins",
  })
  coin(
    @Ctx() { reads }: RequestContext,
    @Arg("coin", () => String, { description: "Coin, for example `USDT`" }) coin: string,
  ): Promise<Coin | null> {
    return readCoin(reads, coin);
  }

  @RequiresScope("read:market")
  @Cost({
    ...joined("openInterests"),
    rows: symbolRows((place, one) => rowsOf(place, "instruments", SYMBOLS, one), FUTURES),
  })
  @Query(() => [OpenInterest], {
    nullable: "itemsAndList",
    description: "Open interest of the contracts of a category, or of all. Source: GET /api/v3/market/open-interest",
  })
  openInterests(
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => FuturesCategoryInput, EACH) category?: FuturesCategoryInput | null,
    @Arg("symbols", () => [String], ONLY_SYMBOLS) symbols?: readonly string[] | null,
  ): Promise<readonly Row<OpenInterest>[]> {
    return readOpenInterests(reads, category, symbols);
  }
}

/** Assumed maximum number of instruments with one base coin in a category. */
const OF_A_COIN = 30;
const CATEGORIES = Object.keys(ProductCategoryInput).length;

/** From a record that names a coin to that coin. */
function toCoin(type: ClassType<object>) {
  @Resolver(() => type)
  class ToCoin {
    @RequiresScope("read:market")
    @Cost({ lists: { chains: ["SPOT"] } })
    @FieldResolver(() => Coin, {
      nullable: true,
      description:
        "The coin as the exchange lists it, with its chains and their fees; null if it is not listed. One call for any number of rows. Source: GET /api/v2/spot/public/coins",
    })
    coinListing(@Root() { coin }: Pick<Balance, "coin">, @Ctx() { reads }: RequestContext): Promise<Coin | null> {
      return readCoin(reads, coin);
    }
  }
  return ToCoin;
}

const PRODUCTS_OF_A_COIN = 10;
/** The account that savings are offered to, because a coin belongs to no account. */
const ACCOUNT = {
  nullable: true,
  description: "Name of the account that the terms are for. Default: the first account that the client has a scope for",
};

@Resolver(() => Coin)
class CoinEdges {
  @RequiresScope("read:market")
  @Cost({ ...instrumentJoin, rows: ({ category }) => (typeof category === "string" ? 1 : CATEGORIES) * OF_A_COIN })
  @FieldResolver(() => [Instrument], {
    nullable: "itemsAndList",
    description:
      "Instruments of a category, or of all, with the coin as their base. One call per category for any number of coins. Source: GET /api/v3/market/instruments",
  })
  async instruments(
    @Root() { coin }: Pick<Coin, "coin">,
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => ProductCategoryInput, EACH) category?: ProductCategoryInput | null,
  ): Promise<readonly Row<Instrument>[]> {
    return (await readInstruments(reads, category)).filter((row) => (isRead(row) ? row.baseCoin === coin : isUnreadPart(row)));
  }

  @RequiresScope("read:market")
  @Cost({ lists: { loanTerms: ["SPOT"] } })
  @FieldResolver(() => LoanCoinTerms, {
    nullable: true,
    description:
      "Terms of crypto loans of the coin, and of loans against it; null if it can be neither borrowed nor pledged. One call for any number of coins, up to five minutes old. Source: GET /api/v2/earn/loan/public/coinInfos",
  })
  async loanTerms(@Root() { coin }: Pick<Coin, "coin">, @Ctx() { reads }: RequestContext): Promise<LoanCoinTerms | null> {
    const { loanCoins, pledgeCoins } = await readLoanTerms(reads);
    const loan = loanCoins.filter(isRead).find((one) => one.coin === coin) ?? null;
    const pledge = pledgeCoins.filter(isRead).find((one) => one.coin === coin) ?? null;
    return loan === null && pledge === null ? null : { loan, pledge };
  }

  @RequiresScope("read:account", "account")
  @Cost({
    calls: 1,
    perAccount: true,
    finds({ account }, outlook) {
      const owner = outlook.accounts().find(({ name }, at) => (typeof account === "string" ? name === account : at === 0));
      return owner === undefined ? [] : [{ count: PRODUCTS_OF_A_COIN, accounts: [owner] }];
    },
  })
  @FieldResolver(() => [SavingsProduct], {
    nullable: "itemsAndList",
    description:
      "Savings products of the coin that are on offer to an account; empty if there is no such account. One call for any number of coins, up to five minutes old. Source: GET /api/v2/earn/savings/product",
  })
  async savingsProducts(
    @Root() { coin }: Pick<Coin, "coin">,
    @Ctx() { reads, exchange }: RequestContext,
    @Arg("account", () => String, ACCOUNT) name?: string | null,
  ): Promise<readonly Row<AccountScoped<Omit<SavingsProduct, "account">>>[]> {
    const account = exchange.account(name);
    if (account === undefined) return [];
    const products = await readSavingsProducts(reads, account, { filter: "all" });
    return ownedRows(account, products, (one) => one.coin === coin);
  }
}

/** Between balances, coins, instruments and terms. */
export const COIN_EDGES: readonly ClassType<object>[] = [CoinEdges, ...[Balance, FundingBalance].map(toCoin)];
