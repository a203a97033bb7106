import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { classicContracts, instruments } from "@exchange-graph/contract/instrument";
import { loanCoins } from "@exchange-graph/contract/loan";
import { discountRates } from "@exchange-graph/contract/market";
import { marginPairs, type SpotSymbol, spotSymbols } from "@exchange-graph/contract/pair";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reader } from "../reader/reader.js";
import { isFuturesCategory } from "./categories.js";
import { oncePerAnswer } from "./named.js";

/** Lists whose answers are cached for minutes. */
export type KeptList =
  | "coins"
  | "contracts"
  | "discountRates"
  | "discountTiers"
  | "instruments"
  | "loanCoins"
  | "marginPairs"
  | "pledgeCoins"
  | "spotSymbols";

/** The coins of all spot pairs. */
const coinsOf = oncePerAnswer((pairs: readonly Row<Pick<SpotSymbol, "baseCoin" | "quoteCoin">>[]) => ({
  count: new Set(rowsRead(pairs).flatMap(({ baseCoin, quoteCoin }) => [baseCoin, quoteCoin])).size,
}));

type DiscountRates = typeof discountRates extends Endpoint<ParameterSet, infer D> ? D : never;
const mostTiers = oncePerAnswer((rates: DiscountRates) => ({
  count: Math.max(0, ...rates.map((rate) => (isRead(rate) ? rate.tiers.length : 0))),
}));

/**
 * Number of rows of a list that is in memory and stays there for this many milliseconds; undefined otherwise, or if it is not
 * known synchronously. No upstream call. `category`: for instruments only.
 */
export function keptRows(
  { reader, signer }: { readonly reader: Pick<Reader, "kept" | "prepare">; readonly signer: ExchangeAccount | undefined },
  list: KeptList,
  category: ProductCategory | undefined,
  forMs: number,
): number | undefined {
  const kept = <P extends ParameterSet, D>(endpoint: Endpoint<P, D>, values: Values<P>, account?: typeof signer) =>
    reader.kept(reader.prepare(endpoint, values, account), forMs);
  switch (list) {
    case "coins": {
      const pairs = kept(spotSymbols, {}) ?? kept(instruments, { category: "SPOT" });
      return pairs && coinsOf(pairs).count;
    }
    case "contracts":
      return category && isFuturesCategory(category) ? kept(classicContracts, { productType: category })?.length : undefined;
    case "instruments":
      return category && kept(instruments, { category })?.length;
    case "spotSymbols":
      return kept(spotSymbols, {})?.length;
    case "marginPairs":
      return kept(marginPairs, {}, signer)?.length;
    case "discountRates":
      return kept(discountRates, {})?.length;
    case "discountTiers": {
      const rates = kept(discountRates, {});
      return rates && mostTiers(rates).count;
    }
    case "loanCoins":
      return kept(loanCoins, {})?.loanCoins.length;
    case "pledgeCoins":
      return kept(loanCoins, {})?.pledgeCoins.length;
  }
}
