import { clockTime, span } from "../format/time.js";
import { type Action, actions, dismiss } from "../graph/writes.js";
import { seconds } from "../state/clock.js";
import { useSettings } from "../state/settings.js";
import { useStore } from "../state/store.js";
import { t } from "../text/text.js";
import buttons from "../ui/button.module.css";
import { Icon } from "../ui/icon.js";
import styles from "./actions.module.css";

const SHOWN = 4;
/** Time after which a successful action disappears. */
const GONE_AFTER_MS = 8_000;

const WORDS: { readonly [state in Action["state"]]: string } = {
  held: t("Waiting"),
  sending: t("Sending"),
  accepted: t("Accepted"),
  rejected: t("Rejected"),
  unknown: t("Unknown"),
  forced: t("By the exchange"),
};

/** The user's last actions and their outcomes. */
export function Actions() {
  const all = useStore(actions);
  const time = useStore(seconds);
  const { zone } = useSettings();
  const shown = all.filter(({ state, changed }) => state !== "accepted" || time - changed < GONE_AFTER_MS).slice(0, SHOWN);
  return (
    <ol className={styles.actions} aria-label={t("Outcomes")} aria-live="polite">
      {shown.map(({ key, title, state, message, at, until, withdraw }) => (
        <li key={key} data-state={state}>
          <b>{WORDS[state]}</b>
          <span className={styles.actionTitle}>{title}</span>
          <small>
            {message}
            {until !== undefined && t(", until {until}", { until: clockTime(until, zone) })}
          </small>
          {withdraw !== undefined && (
            <button type="button" onClick={withdraw}>
              {state === "held" ? t("Withdraw") : t("Stop asking")}
            </button>
          )}
          {/* Not read aloud with each second. */}
          <small className={styles.actionAge} aria-live="off">
            {span(Math.max(0, time - at))}
          </small>
          <button
            type="button"
            className={`${buttons.icon} ${styles.dismiss}`}
            aria-label={t("Dismiss {title}", { title })}
            onClick={() => dismiss(key)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ol>
  );
}
