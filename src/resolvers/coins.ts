import { Arg, Ctx, Query, Resolver } from "type-graphql";
import type { Row } from "../datasources/index.js";
import { readCoin, readCoins, readOpenInterests } from "../datasources/reads/index.js";
import { Cost } from "../schema/cost.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { Coin } from "../schema/instrument.js";
import { COINS, named, rowsOf, SYMBOLS, symbolRows } from "../schema/listLengths.js";
import { OpenInterest } from "../schema/market.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { RequestContext } from "./context.js";
import { FUTURES, joined } from "./fieldCosts.js";
import { EACH } from "./market.js";

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
    @Arg("coins", () => [String], { nullable: true, description: "Only these coins. Default: all" })
    coins?: readonly string[] | null,
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
    @Arg("symbols", () => [String], { nullable: true, description: "Only these symbols. Default: all" })
    symbols?: readonly string[] | null,
  ): Promise<readonly Row<OpenInterest>[]> {
    return readOpenInterests(reads, category, symbols);
  }
}
