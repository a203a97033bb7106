import { type Coin, coins } from "@exchange-graph/contract/coin";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { discountRates, spotFundFlow } from "@exchange-graph/contract/market";
import { marginPairs, spotSymbols } from "@exchange-graph/contract/pair";
import type { Row } from "@exchange-graph/contract/rows";
import { rowWhere } from "../../errors/index.js";
import type { Reads } from "../reader/reads.js";
import { type Names, named } from "./keptLists.js";
import { type FilterOf, withoutNulls } from "./pagedQuery.js";
import { listedMarginPairs, listedSpotSymbols } from "./tradingRules.js";

/** Spot pairs with their rules. The whole list is read and cached, so one call serves all queries for pairs. */
export const readSpotSymbols = async (reads: Reads, symbols?: Names) =>
  named(listedSpotSymbols(await reads.read(spotSymbols, {})), (row) => row.symbol, "symbols", symbols);

/** One spot pair, or undefined. */
export const readSpotSymbol = async (reads: Reads, symbol: string) =>
  rowWhere(await readSpotSymbols(reads, [symbol]), () => true);

/** Pairs that can be traded on margin. They are public data, but the exchange requires a signature: the first account signs. */
export const readMarginPairs = async (reads: Reads, symbols?: Names) =>
  named(listedMarginPairs(await reads.read(marginPairs, {}, reads.signer)), (row) => row.symbol, "symbols", symbols);

/** Shares of each coin's value that count as collateral. */
export const readDiscountRates = async (reads: Reads, coins?: Names) =>
  named(await reads.read(discountRates, {}), (row) => row.coin, "coins", coins);

/** Purchases and sales on the spot market by size of investor. */
export const readSpotFundFlow = (reads: Reads, filter: FilterOf<typeof spotFundFlow>) =>
  reads.read(spotFundFlow, withoutNulls(filter));

/** Coins with their chains. The whole list is read, for any coins: the exchange answers three calls a second. */
export const readCoins = async (reads: Reads, names?: Names): Promise<readonly Row<Coin>[]> =>
  named(await reads.read(coins, {}), ({ coin }) => coin, "coins", names);

/** One coin, or `null` if the exchange does not list it. */
export const readCoin = async (reads: Reads, name: string): Promise<Coin | null> =>
  rowWhere(await reads.read(coins, {}), ({ coin }) => inCapitals(coin) === inCapitals(name));
