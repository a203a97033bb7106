import { type DecimalText, exact, plain } from "../../decimal.js";

/**
 * What `amount` is worth at `price` per unit: in the price's coin, exact, not rounded. `null` where there is no price.
 */
export const valueAt = (amount: DecimalText, price: DecimalText | null): DecimalText | null =>
  price === null ? null : plain(exact(amount).times(exact(price)));

/** The exact sum of values in one coin. What has no value counts as nothing. */
export const sumOf = (values: readonly (DecimalText | null)[]): DecimalText =>
  plain(values.reduce((sum, value) => (value === null ? sum : sum.plus(exact(value))), exact("0")));

/**
 * The notional of a position: its quantity, in base coin, at the mark price. In quote coin, exact, for long and short
 * alike positive. `null` where the exchange names no mark price.
 */
export const notionalOf = ({ qty, markPrice }: { readonly qty: DecimalText; readonly markPrice: DecimalText | null }) =>
  valueAt(plain(exact(qty).abs()), markPrice);
