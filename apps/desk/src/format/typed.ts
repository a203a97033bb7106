import { isDecimal } from "@exchange-graph/client";
import { DECIMAL_MARK, t } from "../text/text.js";

/** Groups of three digits, of one separator, and decimals after another one. */
const GROUPED = /^\d{1,3}(?:([\s'’.,])\d{3})(?:\1\d{3})*(?:[.,]\d*)?$/;
const PLAIN = /^0*(\d*)(\.\d*)?$/;

/** Separates thousands in the user's language, and decimals in others. */
const OTHER_MARK = DECIMAL_MARK === "." ? "," : ".";
const AMBIGUOUS = new RegExp(`^[1-9]\\d{0,2}[${OTHER_MARK}]\\d{3}$`);

/** Whether a separator may be of thousands as well as of decimals: in English, that of `60,000` but not of `0,125`. */
const isAmbiguous = (text: string): boolean => AMBIGUOUS.test(text);

/** Without its separators of groups. A single point or comma is a decimal mark. */
function ungrouped(text: string): string {
  const separator = GROUPED.exec(text)?.[1];
  return separator === undefined || /^\d+[.,]\d+$/.test(text) ? text : text.replaceAll(separator, "");
}

/**
 * The decimal number that somebody has typed or pasted: `1 000.5`, `1,000.5`, `1.000,5` and `1000,5` are `1000.5`, `.5` is `0.5`.
 * It may have its unit, and no sign. Undefined if it is none, or could be two.
 */
export function typedDecimal(text: string, unit?: string | null): string | undefined {
  const all = text.trim();
  const number = unit && all.endsWith(unit) ? all.slice(0, -unit.length).trim() : all;
  const [, whole, fraction = ""] = (!isAmbiguous(number) && PLAIN.exec(ungrouped(number).replace(",", "."))) || [];
  return whole === undefined || !/\d/.test(number) ? undefined : `${whole || "0"}${fraction === "." ? "" : fraction}`;
}

/** What a field passes on for a text that is no number, which nothing may take for one: `60.000` is one of the graph. */
export const unreadDecimal = (text: string): string => (isDecimal(text.trim()) ? `${text.trim()}?` : text.trim());

/** A decimal number as it is typed in the user's language. */
export const localDecimal = (value: string): string => (isDecimal(value) ? value.replace(".", DECIMAL_MARK) : value);

/** Why a typed text is no number. */
export const complaintOf = (text: string): string =>
  isAmbiguous(text)
    ? t("{number} or {other}?", { number: text.replace(OTHER_MARK, ""), other: text.replace(OTHER_MARK, DECIMAL_MARK) })
    : t("Not a number such as {example}", { example: `1234${DECIMAL_MARK}5` });
