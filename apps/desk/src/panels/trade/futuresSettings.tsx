import { Suspense, useState } from "react";
import { amount, words } from "../../format/format.js";
import { useAccounts } from "../../live/accounts.js";
import { t } from "../../text/text.js";
import { atRest, lazily } from "../../ui/parts.js";
import { type FuturesProps, leverageOf } from "./futures.js";
import styles from "./futuresSettings.module.css";

const dialogs = atRest(() => import("./futuresDialogs.js"));
const Leverage = lazily(dialogs, ({ Leverage }) => Leverage);
const Margin = lazily(dialogs, ({ Margin }) => Margin);
const Hold = lazily(dialogs, ({ Hold }) => Hold);

/** Leverage, margin mode and position mode of the market: each opens its dialog. */
export function FuturesModes(props: FuturesProps) {
  const { settings } = props;
  const isClassic = useAccounts().current?.mode === "CLASSIC";
  const [asked, ask] = useState<"leverage" | "margin" | "hold">();
  const close = () => ask(undefined);
  return (
    <div className={styles.modes}>
      <button
        type="button"
        onClick={() => ask("margin")}
        disabled={!isClassic}
        title={isClassic ? t("Margin mode") : t("Margin mode: the exchange has no call to set it for unified accounts")}
      >
        {settings?.marginMode ? words(settings.marginMode) : t("Margin mode")}
      </button>
      <button type="button" onClick={() => ask("leverage")} title={t("Leverage")}>
        {leverageOf(settings) === null ? t("Leverage") : `${amount(leverageOf(settings))}×`}
      </button>
      <button type="button" onClick={() => ask("hold")} title={t("Position mode")}>
        {settings?.holdMode === "HEDGE_MODE"
          ? t("Hedge")
          : settings?.holdMode === "ONE_WAY_MODE"
            ? t("One-way")
            : t("Position mode")}
      </button>
      <Suspense>
        {asked === "leverage" && <Leverage {...props} onClose={close} />}
        {asked === "margin" && <Margin {...props} onClose={close} />}
        {asked === "hold" && <Hold {...props} onClose={close} />}
      </Suspense>
    </div>
  );
}
