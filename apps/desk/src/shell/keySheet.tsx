import { type KeyboardEvent, useState } from "react";
import { assign, HOTKEYS, type Hotkey, keyOf, keysOf } from "../state/hotkeys.js";
import { PAGES } from "../state/route.js";
import { change, useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import { Dialog } from "../ui/dialog.js";
import figures from "../ui/figures.module.css";
import form from "../ui/form.module.css";

const FIXED: readonly { readonly keys: string; readonly text: string }[] = [
  { keys: "Ctrl K", text: t("Go to a page, a market or an account") },
  ...PAGES.map(({ key, name }) => ({ keys: `g ${key}`, text: name })),
  { keys: "↑ ↓", text: t("In the book: move between levels") },
  { keys: "+ −", text: t("In the book: change the grouping") },
  { keys: "← →, Enter", text: t("In the chart: move the cursor, choose its price") },
  { keys: "↑ ↓, Enter", text: t("On a level of the chart: move it, drop it") },
  { keys: t("arrows, Shift arrows"), text: t("On the grip ⠿ of a panel: move it, resize it") },
  { keys: "Esc", text: t("Close a dialog") },
];

/** The keyboard shortcuts, of which some can be changed. Those that lead to a write are off until the user allows them. */
export function KeySheet({ onClose }: { readonly onClose: () => void }) {
  const { keys, tradeKeys } = useSettings();
  const [changed, setChanged] = useState<Hotkey>();
  const [taken, setTaken] = useState("");

  function pressed(event: KeyboardEvent): void {
    if (changed === undefined || ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const pressedKeys = keysOf(event.nativeEvent);
    if (event.key !== "Escape" && !assign(changed.id, pressedKeys)) {
      setTaken(pressedKeys);
      return;
    }
    setTaken("");
    setChanged(undefined);
  }

  return (
    <Dialog title={t("Keyboard shortcuts")} onClose={onClose}>
      <dl className={figures.rows}>
        {HOTKEYS.map((hotkey) => (
          <div key={hotkey.id}>
            <dt>
              <button
                type="button"
                disabled={hotkey.isTrade === true && !tradeKeys}
                aria-label={t("Change the key of {text}", { text: hotkey.text })}
                onClick={() => setChanged(hotkey)}
                onKeyDown={pressed}
                onBlur={() => setChanged(undefined)}
              >
                <kbd>{changed?.id === hotkey.id ? t("press a key") : (keyOf(hotkey, { keys, tradeKeys }) ?? t("off"))}</kbd>
              </button>
            </dt>
            <dd>{hotkey.text}</dd>
          </div>
        ))}
      </dl>
      {taken !== "" && (
        <p className={form.warning} role="alert">
          <kbd>{taken}</kbd> {t("has another meaning.")}
        </p>
      )}
      <label className={form.check}>
        <input type="checkbox" checked={tradeKeys} onChange={({ target }) => change({ tradeKeys: target.checked })} />
        {t("Keys that lead to an order, a cancel or a close. What asks before it sends still asks.")}
      </label>
      <button type="button" disabled={Object.keys(keys).length === 0} onClick={() => change({ keys: {} })}>
        {t("Reset the keys")}
      </button>
      <dl className={figures.rows}>
        {FIXED.map(({ keys: fixed, text }) => (
          <div key={`${fixed}${text}`}>
            <dt>
              <kbd>{fixed}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
