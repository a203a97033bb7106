import { Suspense, useState } from "react";
import { amount, words } from "../../format/format.js";
import { useAccounts } from "../../live/accounts.js";
import { t } from "../../text/text.js";
import { atRest, lazily } from "../../ui/parts.js";
import { type FuturesProps, leveragesOf } from "./futures.js";
import styles from "./futuresSettings.module.css";

const dialogs = atRest(() => import("./futuresDialogs.js"));
const Leverage = lazily(dialogs, ({ Leverage }) => Leverage);
const Margin = lazily(dialogs, ({ Margin }) => Margin);
const Hold = lazily(dialogs, ({ Hold }) => Hold);

/** Leverage, margin mode and position mode of the market: each opens its dialog. */
export function FuturesModes(props: FuturesProps) {
  const { settings } = props;
  const { long, short } = leveragesOf(settings);
  const isClassic = useAccounts().current?.mode === "CLASSIC";
  const [opened, open] = useState<"leverage" | "margin" | "hold">();
  const close = () => open(undefined);
  return (
    <div className={styles.modes}>
      <button
        type="button"
        onClick={() => open("margin")}
        disabled={!isClassic}
        title={isClassic ? t("Margin mode") : t("Margin mode: the exchange has no call to set it for unified accounts")}
      >
        {settings?.marginMode ? words(settings.marginMode) : t("Margin mode")}
      </button>
      <button
        type="button"
        onClick={() => open("leverage")}
        title={long === short ? t("Leverage") : t("Leverage of long and short positions")}
      >
        {long === short ? (long === null ? t("Leverage") : `${amount(long)}×`) : `${amount(long)}× / ${amount(short)}×`}
      </button>
      <button type="button" onClick={() => open("hold")} title={t("Position mode")}>
        {settings?.holdMode === "HEDGE_MODE"
          ? t("Hedge")
          : settings?.holdMode === "ONE_WAY_MODE"
            ? t("One-way")
            : t("Position mode")}
      </button>
      <Suspense>
        {opened === "leverage" && <Leverage {...props} onClose={close} />}
        {opened === "margin" && <Margin {...props} onClose={close} />}
        {opened === "hold" && <Hold {...props} onClose={close} />}
      </Suspense>
    </div>
  );
}
