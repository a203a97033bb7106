import { HELD_MS } from "../graph/heldWrites.js";
import { t } from "../text/text.js";
import form from "./form.module.css";

const SECOND_MS = 1_000;

/** What becomes of a write while the line to the gateway is lost. */
export const LineWarning = () => (
  <p className={form.warning} role="alert">
    {t("The line to the gateway is interrupted. Nothing is sent until it is back; after")} {HELD_MS / SECOND_MS}{" "}
    {t("s it is not sent at all, and until then it can be withdrawn. Press again to confirm.")}
  </p>
);
