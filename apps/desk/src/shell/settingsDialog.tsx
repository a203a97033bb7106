import { compareDecimals, isDecimal } from "@exchange-graph/client";
import { useState } from "react";
import { change, settings, useSettings } from "../state/settings.js";
import { Choice, Field } from "../ui/controls.js";
import { Dialog } from "../ui/dialog.js";
import { LayoutSettings } from "./layoutSettings.js";

/** Notifications need the browser's permission, which it asks the user for. */
async function notifyMe(notifications: boolean): Promise<void> {
  const { notices } = settings.value;
  const isAllowed = notifications && "Notification" in window && (await Notification.requestPermission()) === "granted";
  change({ notices: { ...notices, notifications: isAllowed } });
}

/** Settings of the user; stored in this browser. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { confirmAbove, theme, zone, notices } = useSettings();
  const [text, setText] = useState(confirmAbove);
  const isSound = isDecimal(text) && compareDecimals(text, "0") >= 0;
  return (
    <Dialog title="Settings" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          change({ confirmAbove: text });
          onClose();
        }}
      >
        <Field
          label="Ask once more about orders that trade at once and are worth more than"
          value={text}
          onChange={setText}
          unit="quote coin"
          error={isSound ? undefined : "It must be a number, 0 or more"}
          isDecimal
        />
        <Choice
          label="Theme"
          value={theme}
          onChange={(next) => change({ theme: next })}
          options={[
            { value: "system", text: "System" },
            { value: "dark", text: "Dark" },
            { value: "light", text: "Light" },
          ]}
        />
        <Choice
          label="Times"
          value={zone}
          onChange={(next) => change({ zone: next })}
          options={[
            { value: "local", text: "Local time" },
            { value: "UTC", text: "UTC" },
          ]}
        />
        <fieldset className="checks">
          <legend>Report fills, refusals and positions close to liquidation</legend>
          <label className="check">
            <input type="checkbox" checked={notices.notifications} onChange={(event) => void notifyMe(event.target.checked)} />
            By a browser notification
          </label>
          <label className="check">
            <input
              type="checkbox"
              checked={notices.sound}
              onChange={(event) => change({ notices: { ...notices, sound: event.target.checked } })}
            />
            By a sound
          </label>
        </fieldset>
        <LayoutSettings />
        <div className="dialog-end">
          <button type="submit" className="primary" disabled={!isSound}>
            Keep
          </button>
        </div>
      </form>
    </Dialog>
  );
}
