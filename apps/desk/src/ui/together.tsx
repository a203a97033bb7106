import { amount } from "../format/format.js";
import type { Total } from "../format/total.js";
import { t } from "../text/text.js";

/** More missing parts than this are counted instead of named. */
const NAMED = 3;

const list = (names: readonly string[]): string =>
  names.length <= NAMED ? names.join(", ") : `${names.slice(0, NAMED).join(", ")}, +${names.length - NAMED}`;

/** A total, and what it does not contain. */
export const Together = ({ label, total }: { readonly label?: string; readonly total: Total }) => (
  <span>
    {label !== undefined && <span className="muted">{label} </span>}
    <b>{amount(total.value, 2)} USDT</b>
    {total.without.length > 0 && (
      <span className="warn">
        {" "}
        {total.value === null ? t("not available for") : t("without")} {list(total.without)}
      </span>
    )}
  </span>
);
