import { compareDecimals, formatDecimal, formatPercent, isDecimal, trimDecimal } from "@exchange-graph/client";

import { DECIMAL_MARK, LOCALE, t } from "../text/text.js";

/** Shown for a missing value. */
export const NONE = "–";

/**
 * Groups of three digits are separated by a narrow no-break space in every language: a point or a comma would be the decimal mark
 * of another one. The decimal mark is that of the language.
 */
const FORMAT = { group: "\u202f", point: DECIMAL_MARK };
const MINUS = "−";

type Maybe = string | null | undefined;
const isNone = (text: Maybe): text is null | undefined => text === null || text === undefined;
const minus = (text: string): string => text.replace("-", MINUS);

/** `0.01` for two decimals. */
export const stepOf = (decimals: number): string => (decimals <= 0 ? "1" : `0.${"0".repeat(decimals - 1)}1`);

const formatted = (text: string, decimals: number | null | undefined, sign: boolean): string =>
  minus(
    decimals === null || decimals === undefined
      ? formatDecimal(trimDecimal(text), { ...FORMAT, sign })
      : formatDecimal(text, { ...FORMAT, sign, step: stepOf(decimals) }),
  );

/** Rounded to the decimals of the tick size; unchanged if that is not known. */
export const amount = (text: Maybe, decimals?: number | null): string => (isNone(text) ? NONE : formatted(text, decimals, false));

/** The same with a sign, for profits and changes. */
export const signed = (text: Maybe, decimals?: number): string => (isNone(text) ? NONE : formatted(text, decimals, true));

/** Decimals of an amount of a coin that is no dollar. Four decimals of a bitcoin are several dollars. */
const COIN_DECIMALS = 8;

/** An amount of a coin, with its name: these decimals if it is a dollar, and otherwise eight. */
export const amountIn = (coin: Maybe, text: Maybe, decimals: number): string =>
  `${amount(text, /^USD[CT]?$/.test(coin ?? "") ? decimals : COIN_DECIMALS)} ${coin ?? ""}`;

/** A fraction as a percentage: `0.0004` is `0.04 %`. */
export const percent = (fraction: Maybe, decimals = 2): string =>
  isNone(fraction) ? NONE : minus(formatPercent(fraction, { ...FORMAT, step: stepOf(decimals) }));

export const signedPercent = (fraction: Maybe, decimals = 2): string =>
  isNone(fraction) ? NONE : minus(formatPercent(fraction, { ...FORMAT, step: stepOf(decimals), sign: true }));

/** Name of the colour for a sign. The colour is never the only indication. */
export function tone(text: Maybe): "up" | "down" | "flat" {
  const direction = isNone(text) ? 0 : compareDecimals(text, "0");
  return direction > 0 ? "up" : direction < 0 ? "down" : "flat";
}

/** Whether a typed text is a number above zero. */
export const isPositive = (text: string): boolean => isDecimal(text) && compareDecimals(text, "0") > 0;

/** Order of a list with the highest value first; rows without a value are last. */
export function highestFirst(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareDecimals(b, a);
}

let compact: Intl.NumberFormat | undefined;
/** Loaded with the first large amount: the browser reads its words for it. */
const compactFormat = (): Intl.NumberFormat => {
  compact ??= new Intl.NumberFormat(LOCALE, {
    notation: "compact",
    roundingMode: "trunc",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return compact;
};
/** Digits of the whole part above which an amount has a short form. */
const LONG = 3;

/**
 * A large amount in the short form of the user's language, for example `12.44M` or `12,44 Mio.`; truncated, not rounded. Where the
 * language has none for it, as German has for thousands, without decimals.
 */
export function short(text: Maybe): string {
  if (isNone(text)) return NONE;
  const whole = text.replace(/^-|\..*$/g, "");
  if (whole.length <= LONG) return amount(text, 2);
  const parts = compactFormat().formatToParts(BigInt(whole));
  const isShort = parts.some(({ type }) => type === "compact");
  return `${text.startsWith("-") ? MINUS : ""}${isShort ? parts.map(inGroups).join("") : amount(whole)}`;
}

const inGroups = ({ type, value }: Intl.NumberFormatPart): string => (type === "group" ? FORMAT.group : value);

/** `SOME_WORD` as `Some word`, in the user's language where that has it. */
export function words(text: Maybe): string {
  if (isNone(text)) return NONE;
  const plain = text.replaceAll("_", " ").toLowerCase();
  return t(plain.charAt(0).toUpperCase() + plain.slice(1));
}
