import { readCoin, readCoins, readOpenInterests } from "../datasources/reads/index.js";
import { Coin } from "../schema/coin.js";
import { text, texts } from "../schema/fields.js";
import { OpenInterest } from "../schema/funding.js";
import { COINS, named, rowsOf, SYMBOLS, symbolRows } from "../schema/listLengths.js";
import { FUTURES, joined } from "./fieldCosts.js";
import { query, resolversOf } from "./fieldTable.js";
import { EACH_OF_FUTURES } from "./market.js";

/** Coins with their chains, and open interest. */
export const CoinsResolver = resolversOf(null, {
  coins: query("read:market", [Coin], {
    description:
      "Coins with their chains, and the fees and minimums of deposits and withdrawals. Up to a minute old. Source: GET /api/v2/spot/public/coins",
    cost: { calls: 1, rows: named("coins", COINS) },
    args: { coins: texts.optional("Only these coins. Default: all") },
    resolve: ({ reads }, { coins }) => readCoins(reads, coins),
  }),
  coin: query.orNull("read:market", Coin, {
    description: "One coin; null if there is none with that name. Source: GET /api/v2/spot/public/coins",
    cost: { calls: 1 },
    args: { coin: text("Coin, for example `USDT`") },
    resolve: ({ reads }, { coin }) => readCoin(reads, coin),
  }),
  openInterests: query("read:market", [OpenInterest], {
    description: "Open interest of the contracts of a category, or of all. Source: GET /api/v3/market/open-interest",
    cost: {
      ...joined("openInterests"),
      rows: symbolRows((place, one) => rowsOf(place, "instruments", SYMBOLS, one), FUTURES),
    },
    args: { category: EACH_OF_FUTURES, symbols: texts.optional("Only these symbols. Default: all") },
    resolve: ({ reads }, { category, symbols }) => readOpenInterests(reads, category, symbols),
  }),
});
