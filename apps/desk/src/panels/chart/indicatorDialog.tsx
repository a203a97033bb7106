import { change, settings, useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import { Dialog } from "../../ui/dialog.js";
import form from "../../ui/form.module.css";
import { INDICATORS } from "./indicatorNames.js";

/** Chooses the indicators of the chart. */
export function IndicatorDialog({ onClose }: { readonly onClose: () => void }) {
  const { indicators } = useSettings();
  return (
    <Dialog title={t("Indicators")} onClose={onClose}>
      <div className={form.form}>
        {INDICATORS.map(({ value, text }) => (
          <label key={value} className={form.check}>
            <input type="checkbox" checked={indicators.includes(value)} onChange={() => toggle(value)} />
            {text}
          </label>
        ))}
      </div>
    </Dialog>
  );
}

function toggle(name: string): void {
  const { indicators } = settings.value;
  const others = indicators.filter((one) => one !== name);
  change({ indicators: others.length < indicators.length ? others : [...indicators, name] });
}
