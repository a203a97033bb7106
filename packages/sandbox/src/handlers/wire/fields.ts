import { type Exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { ZERO } from "../../world/ledger.js";

/** These fields of a record as they are. */
export function picked<T extends object, K extends keyof T>(record: T, ...names: readonly K[]): Pick<T, K> {
  const fields: Partial<T> = {};
  for (const name of names) fields[name] = record[name];
  return fields as Pick<T, K>;
}

/** Unix ms. */
interface Times {
  readonly createdTime: number;
  /** Default: unchanged since. */
  readonly updatedTime?: number;
}

/** Creation and last change in v3 and in v2. */
export const unifiedTimes = ({ createdTime, updatedTime = createdTime }: Times) => ({
  createdTime: String(createdTime),
  updatedTime: String(updatedTime),
});
export const classicTimes = ({ createdTime, updatedTime = createdTime }: Times) => ({
  cTime: String(createdTime),
  uTime: String(updatedTime),
});

/** JSON text that is sent unchanged. */
export class Verbatim {
  constructor(readonly json: string) {}
}

/** `data` as JSON, once and for all. */
export const verbatim = (data: unknown): Verbatim => new Verbatim(JSON.stringify(data));

/**
 * `data` as JSON, with the decimal texts under the given keys as bare numbers. The exchange sends some amounts so; a
 * JavaScript number would round those with more than fifteen digits.
 */
export function withBareNumbers(data: unknown, ...keys: readonly string[]): Verbatim {
  const quoted = new RegExp(`("(?:${keys.join("|")})":)"(-?\\d+(?:\\.\\d+)?)"`, "g");
  return new Verbatim(JSON.stringify(data).replace(quoted, "$1$2"));
}

/** Decimals of amounts that are the result of a division, and of sums in USDT or BTC. */
export const PLACES = 8;

/** An amount with at most eight decimals. */
export const text = (amount: Exact): string => plain(truncated(amount, PLACES));
export const orNull = (amount: Exact | undefined): string | null => (amount === undefined ? null : plain(amount));
export const orEmpty = (amount: Exact | undefined): string => (amount === undefined ? "" : plain(amount));
export const orZero = (amount: Exact | undefined): string => (amount === undefined ? "0" : plain(amount));

/** A record with empty text for what is null. */
export const withoutNulls = (record: object): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]: [string, unknown]) => [name, value ?? ""]));

/** The worth of amounts of coins, as `btc…` and `usdt…` with this ending. */
export function worthAs(
  ending: string,
  rows: readonly { readonly coin: string; readonly amount: Exact }[],
  usdtPrice: (coin: string) => Exact,
) {
  const sum = rows.reduce((total, { coin, amount }) => total.plus(amount.times(usdtPrice(coin))), ZERO);
  const { btc, usdt } = inBtcAndUsdt(sum, usdtPrice);
  return { [`btc${ending}`]: btc, [`usdt${ending}`]: usdt };
}

/** A value in USDT, as text in USDT and in BTC. The latter is computed at the printed price of BTC. */
export function inBtcAndUsdt(value: Exact, usdtPrice: (coin: string) => Exact): { readonly btc: string; readonly usdt: string } {
  const usdt = value.round(PLACES);
  return { btc: usdt.div(usdtPrice("BTC")).toFixed(PLACES), usdt: usdt.toFixed(PLACES) };
}
