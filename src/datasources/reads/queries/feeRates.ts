import { classicFeeRates, FEE_BUSINESS_TYPES, type FeeRate, feeRates } from "@exchange-graph/contract/feeRate";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import { PRODUCT_CATEGORIES, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";
import { inEach, isFuturesCategory, type Listed } from "./categories.js";
import { type Names, named, oncePerAnswer } from "./keptLists.js";

/** Fee rates in one symbol, with its category: null where the exchange lists the futures of all categories together. */
type ListedFeeRate = Omit<Listed<FeeRate, ProductCategory>, "category"> & { readonly category: ProductCategory | null };

const [FUTURES, SPOT, MARGIN] = FEE_BUSINESS_TYPES;
const businessTypeOf = (category: ProductCategory) => (category === "SPOT" ? SPOT : category === "MARGIN" ? MARGIN : FUTURES);

/** A category of each list of an account: that of a Classic account's futures has those of all categories. */
export const FEE_LISTS: Readonly<Record<AccountMode, readonly ProductCategory[]>> = {
  UNIFIED: PRODUCT_CATEGORIES,
  CLASSIC: ["SPOT", "MARGIN", "USDT-FUTURES"],
};

const listed = oncePerAnswer((rows: readonly Row<FeeRate>[], category: ProductCategory | null): readonly Row<ListedFeeRate>[] =>
  mapRows(rows, (row) => ({ category, ...row })),
);

/** Fee rates of an account in a category, or in all, of all symbols or of the named ones. Whole lists are read, for any symbols. */
export async function readFeeRates(
  reads: Reads,
  account: ExchangeAccount,
  category: ProductCategory | null | undefined,
  symbols?: Names,
): Promise<readonly Row<ListedFeeRate>[]> {
  const mode = await reads.modeOf(account);
  return inEach(category, FEE_LISTS[mode], async (one) => {
    const rates =
      mode === "UNIFIED"
        ? listed(await reads.read(feeRates, { category: one }, account), one)
        : listed(
            await reads.read(classicFeeRates, { businessType: businessTypeOf(one) }, account),
            isFuturesCategory(one) ? null : one,
          );
    return named(rates, ({ symbol }) => symbol, "symbols", symbols);
  });
}
