import { type DecimalText, exact, plain } from "@exchange-graph/contract/decimal";

/** Value of `amount` at `price` per unit: in the price's coin, exact, not rounded. `null` without either of them. */
export const valueAt = (amount: DecimalText | null, price: DecimalText | null): DecimalText | null =>
  amount === null || price === null ? null : plain(exact(amount).times(exact(price)));

/** The exact sum of values in one coin. Null values count as zero. */
export const sumOf = (values: readonly (DecimalText | null)[]): DecimalText =>
  plain(values.reduce((sum, value) => (value === null ? sum : sum.plus(exact(value))), exact("0")));

/** The exact sum of amounts in one coin; `null` if one of them is not known. */
export const sumIfKnown = (amounts: readonly (DecimalText | null)[]): DecimalText | null =>
  amounts.includes(null) ? null : sumOf(amounts);

/**
 * The notional of a position: its quantity, in base coin, times the mark price. In quote coin, exact, positive for long and
 * short. `null` without a quantity or mark price.
 */
export const notionalOf = (position: { readonly qty: DecimalText | null; readonly markPrice: DecimalText | null }) =>
  valueAt(position.qty === null ? null : plain(exact(position.qty).abs()), position.markPrice);

/** The change of a balance by a signed amount and a fee. A paid fee is positive. `null` without an amount. */
export const changeOf = (amount: DecimalText | null, fee: DecimalText | null): DecimalText | null =>
  amount === null ? null : plain(exact(amount).minus(fee ?? "0"));
