import { compareDecimals, isDecimal } from "@exchange-graph/client";
import { amount } from "../format/format.js";
import { t } from "../text/text.js";

/** Why the exchange refuses a trigger price: it lies on the wrong side of another price. Undefined if it does not. */
export function sideFault(price: string, isAbove: boolean, of: string): string | undefined {
  if (!isDecimal(price) || compareDecimals(price, of) === (isAbove ? 1 : -1)) return undefined;
  return isAbove ? t("It must be above {price}", { price: amount(of) }) : t("It must be below {price}", { price: amount(of) });
}
