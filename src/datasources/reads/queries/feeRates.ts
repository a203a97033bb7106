import { classicFeeRates, FEE_BUSINESS_TYPES, type FeeRate, feeRates } from "@exchange-graph/contract/feeRate";
import type { Row } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";
import { type Names, named } from "./named.js";

const [FUTURES, SPOT, MARGIN] = FEE_BUSINESS_TYPES;
const businessTypeOf = (category: ProductCategory) => (category === "SPOT" ? SPOT : category === "MARGIN" ? MARGIN : FUTURES);

/**
 * Fee rates of an account in a category, of all symbols or of the named ones. The whole list is read, for any symbols; that of a
 * Classic account has the futures of all categories.
 */
export async function readFeeRates(
  reads: Reads,
  account: ExchangeAccount,
  category: ProductCategory,
  symbols?: Names,
): Promise<readonly Row<FeeRate>[]> {
  const rates =
    (await reads.modeOf(account)) === "UNIFIED"
      ? await reads.read(feeRates, { category }, account)
      : await reads.read(classicFeeRates, { businessType: businessTypeOf(category) }, account);
  return named(rates, ({ symbol }) => symbol, "symbols", symbols);
}
