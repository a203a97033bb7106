import { useState } from "react";
import { change, settings, useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import buttons from "./button.module.css";
import styles from "./columnChooser.module.css";
import type { Column } from "./csv.js";
import { Dialog } from "./dialog.js";
import dialog from "./dialog.module.css";
import form from "./form.module.css";
import { Icon } from "./icon.js";

/** Columns of a table of which the user chooses. */
export interface Choosable {
  /** Name of the choice in the settings: tables with the same one share it. */
  readonly id: string;
  /** Ids of the columns that are shown before the user has chosen. */
  readonly standard: readonly string[];
}

/** The columns that are shown: those of the user's choice, and the one that names the row. */
export function useChosen<Row>(columns: readonly Column<Row>[], choosable: Choosable | undefined): readonly Column<Row>[] {
  const { columns: kept } = useSettings();
  if (choosable === undefined) return columns;
  const ids = kept[choosable.id] ?? choosable.standard;
  return columns.filter(({ id, isHead }) => isHead === true || ids.includes(id));
}

interface ChooserProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly choosable: Choosable;
}

/** The button that opens the choice of columns. */
export function ColumnChooser<Row>({ name, columns, choosable: { id: table, standard } }: ChooserProps<Row>) {
  const { columns: kept } = useSettings();
  const [isOpen, open] = useState(false);
  const ids = kept[table] ?? standard;
  const label = t("Columns of {name}", { name });
  const keep = (chosen: readonly string[]) => change({ columns: { ...settings.value.columns, [table]: chosen } });
  const toggle = (id: string) => {
    // Read now, because the last choice may not be rendered yet.
    const chosen = settings.value.columns[table] ?? standard;
    keep(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  };
  return (
    <>
      <button type="button" className={buttons.tool} aria-label={label} title={t("Columns")} onClick={() => open(true)}>
        <Icon name="columns" />
      </button>
      {isOpen && (
        <Dialog title={label} onClose={() => open(false)}>
          <div className={`${form.form} ${styles.columns}`}>
            {columns
              .filter(({ isHead }) => isHead !== true)
              .map(({ id, title }) => (
                <label key={id} className={form.check}>
                  <input type="checkbox" checked={ids.includes(id)} onChange={() => toggle(id)} />
                  {title}
                </label>
              ))}
          </div>
          <div className={dialog.end}>
            <button type="button" onClick={() => keep(standard)}>
              {t("Usual columns")}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
