import { t } from "../text/text.js";

/** Text about a position that is no longer open. */
export const CLOSED = t("This position was closed meanwhile. Nothing is left to send.");
