import { DECIMAL_MARK, t } from "../text/text.js";

/** Groups of three digits, of one separator, and decimals after another one. */
const GROUPED = /^([+-]?\d{1,3})(?:([\s'’.,])\d{3})(?:\2\d{3})*(?:[.,]\d*)?$/;
const PLAIN = /^([+-]?)0*(\d*)(\.\d*)?$/;

/** Whether a comma of this text may separate thousands as well as decimals: in English, `60,000` but not `0,125`. */
const isAmbiguous = (text: string): boolean => DECIMAL_MARK === "." && /^[+-]?[1-9]\d{0,2},\d{3}$/.test(text.trim());

/** Without its separators of groups. A single point or comma is a decimal mark. */
function ungrouped(text: string): string {
  const separator = GROUPED.exec(text)?.[2];
  if (separator === undefined) return text;
  const isMark = /[.,]/.test(separator) && text.replaceAll(/\d/g, "").replace(/^[+-]/, "").length === 1;
  return isMark ? text : text.replaceAll(separator, "");
}

/**
 * The decimal number that somebody has typed or pasted: `1 000.5`, `1,000.5`, `1.000,5` and `1000,5` are `1000.5`, `.5` is `0.5`.
 * Undefined if it is none, or could be two.
 */
export function typedDecimal(text: string): string | undefined {
  if (isAmbiguous(text)) return undefined;
  const plain = ungrouped(text.trim().replace("−", "-")).replace(",", ".");
  const [all, sign, whole = "", fraction = ""] = PLAIN.exec(plain) ?? [];
  if (all === undefined || !/\d/.test(all)) return undefined;
  return `${sign === "-" ? "-" : ""}${whole || "0"}${fraction === "." ? "" : fraction}`;
}

/** Why a typed text is no number. */
export const complaintOf = (text: string): string =>
  isAmbiguous(text)
    ? t("Write it without the comma, or with a point: it could be two numbers")
    : t("This is not a number such as {example}", { example: `1234${DECIMAL_MARK}5` });
