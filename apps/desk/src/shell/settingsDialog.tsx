import { compareDecimals, isDecimal } from "@exchange-graph/client";
import { Suspense, useState } from "react";
import { areStored, change, settings, useSettings } from "../state/settings.js";
import { useStore } from "../state/store.js";
import { t } from "../text/text.js";
import buttons from "../ui/button.module.css";
import { Choice, Field } from "../ui/controls.js";
import { Dialog } from "../ui/dialog.js";
import dialog from "../ui/dialog.module.css";
import form from "../ui/form.module.css";
import { lazily } from "../ui/parts.js";

const LayoutSettings = lazily(
  () => import("./layoutSettings.js"),
  ({ LayoutSettings }) => LayoutSettings,
);

/** Notifications need the browser's permission, which it asks the user for. */
async function notifyMe(notifications: boolean): Promise<void> {
  const { notices } = settings.value;
  const isAllowed = notifications && "Notification" in window && (await Notification.requestPermission()) === "granted";
  change({ notices: { ...notices, notifications: isAllowed } });
}

/** Settings of the user; stored in this browser. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { confirmAbove, theme, language, zone, notices } = useSettings();
  const isStored = useStore(areStored);
  // Until it is edited here, it is what another tab may have set meanwhile.
  const [text = confirmAbove, setText] = useState<string>();
  const isSound = isDecimal(text) && compareDecimals(text, "0") >= 0;
  return (
    <Dialog title={t("Settings")} onClose={onClose}>
      <form
        className={form.form}
        onSubmit={(event) => {
          event.preventDefault();
          change({ confirmAbove: text });
          onClose();
        }}
      >
        <Field
          label={t("Ask once more about orders that trade at once and are worth more than")}
          value={text}
          onChange={setText}
          unit={t("quote coin")}
          error={isSound ? undefined : t("It must be a number, 0 or more")}
          isDecimal
        />
        <Choice
          label={t("Theme")}
          value={theme}
          onChange={(next) => change({ theme: next })}
          options={[
            { value: "system", text: t("System") },
            { value: "dark", text: t("Dark") },
            { value: "light", text: t("Light") },
          ]}
        />
        <Choice
          label={t("Language")}
          value={language}
          onChange={(next) => {
            change({ language: next });
            // Texts are read once, before the page is drawn.
            location.reload();
          }}
          options={[
            { value: "en", text: t("English") },
            { value: "de", text: t("Deutsch") },
          ]}
        />
        <Choice
          label={t("Times")}
          value={zone}
          onChange={(next) => change({ zone: next })}
          options={[
            { value: "local", text: t("Local time") },
            { value: "UTC", text: "UTC" },
          ]}
        />
        <fieldset className={form.checks}>
          <legend>{t("Report fills, refusals and positions close to liquidation")}</legend>
          <label className={form.check}>
            <input type="checkbox" checked={notices.notifications} onChange={(event) => void notifyMe(event.target.checked)} />
            {t("By a browser notification")}
          </label>
          <label className={form.check}>
            <input
              type="checkbox"
              checked={notices.sound}
              onChange={(event) => change({ notices: { ...notices, sound: event.target.checked } })}
            />
            {t("By a sound")}
          </label>
        </fieldset>
        {!isStored && (
          <p className={form.warning}>
            {t("This browser stores nothing for the desk: its storage is full, or blocked. Settings are lost with the tab.")}
          </p>
        )}
        <Suspense>
          <LayoutSettings />
        </Suspense>
        <div className={dialog.end}>
          <button type="submit" className={buttons.primary} disabled={!isSound}>
            {t("Keep")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
