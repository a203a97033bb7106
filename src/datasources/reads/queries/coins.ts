import { type Coin, coins } from "@exchange-graph/contract/coin";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { Row } from "@exchange-graph/contract/rows";
import { rowWhere } from "../../errors/index.js";
import type { Reads } from "../reader/reads.js";
import { type Names, named } from "./keptLists.js";

/** Coins with their chains. The whole list is read, for any coins: the exchange answers three calls a second. */
export const readCoins = async (reads: Reads, names?: Names): Promise<readonly Row<Coin>[]> =>
  named(await reads.read(coins, {}), ({ coin }) => coin, "coins", names);

/** One coin, or `null` if the exchange does not list it. */
export const readCoin = async (reads: Reads, name: string): Promise<Coin | null> =>
  rowWhere(await reads.read(coins, {}), ({ coin }) => inCapitals(coin) === inCapitals(name));
