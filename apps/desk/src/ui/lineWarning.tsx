import { HELD_MS } from "../graph/heldWrites.js";
import { t } from "../text/text.js";
import form from "./form.module.css";

const SECOND_MS = 1_000;

/** The answer to the warning, from what the button does: `Yes, close position when the line is back`. */
export const whenBack = (verb: string): string =>
  t("Yes, {value}{value2} when the line is back", { value: verb.charAt(0).toLowerCase(), value2: verb.slice(1) });

/** What becomes of a write while the line to the gateway is lost. */
export const LineWarning = () => (
  <p className={form.warning} role="alert">
    {t("The line to the gateway is interrupted. Nothing is sent until it is back; after")} {HELD_MS / SECOND_MS}{" "}
    {t("s it is not sent at all, and until then it can be withdrawn. Press again to confirm.")}
  </p>
);
