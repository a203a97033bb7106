import { dateTime } from "../format/time.js";
import { useHalts } from "../live/halts.js";
import { addressOf } from "../state/route.js";
import { useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import styles from "./haltBanner.module.css";

/** The halts of trading, on every page. */
export function HaltBanner() {
  const { zone } = useSettings();
  const halted = useHalts().filter(({ halt }) => halt !== null);
  const [first] = halted;
  if (!first?.halt) return null;
  const isAll = halted.length > 1 && halted.every(({ halt }) => halt?.account === null);
  const names = isAll ? t("all accounts") : halted.map(({ name }) => name).join(", ");
  const { startTime, reason } = first.halt;
  return (
    <p className={styles.haltBanner} role="alert">
      <b>
        {t("Trading of")} {names} {t("is halted")}
      </b>{" "}
      {t("since")} {dateTime(startTime, zone)}
      {reason !== null && `: ${reason}`}
      {t(". Only what reduces risk is sent.")} <a href={addressOf("health")}>{t("Halts")}</a>
    </p>
  );
}
