import { useState } from "react";
import { MAX_LAYOUT_NAME } from "../state/layout.js";
import { exported, forget, imported, keepAs, take } from "../state/namedLayouts.js";
import { useRoute } from "../state/route.js";
import { useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import { resetLayout } from "../ui/board.js";
import { Field } from "../ui/controls.js";
import { save } from "../ui/csv.js";
import form from "../ui/form.module.css";
import styles from "./layoutSettings.module.css";

/** Maximum size of a file of layouts, bytes. */
const MAX_FILE = 500_000;

/** Layouts of the pages: reset, kept by a name, and as a file. */
export function LayoutSettings() {
  const { layouts, named } = useSettings();
  const { page } = useRoute();
  const [name, setName] = useState("");
  const [words, setWords] = useState("");

  async function read(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const names = file.size > MAX_FILE ? [] : imported(await file.text());
    setWords(names.length === 0 ? t("This file has no layouts of the desk.") : t("Read: {value}", { value: names.join(", ") }));
  }

  return (
    <fieldset className={`${form.checks} ${styles.layouts}`}>
      <legend>{t("Layouts of the pages")}</legend>
      <ul>
        {Object.keys(named).map((kept) => (
          <li key={kept}>
            <span>{kept}</span>
            <button type="button" aria-label={t("Take the layout {kept}", { kept })} onClick={() => take(kept)}>
              {t("Take it")}
            </button>
            <button type="button" aria-label={t("Delete the layout {kept}", { kept })} onClick={() => forget(kept)}>
              {t("Delete")}
            </button>
          </li>
        ))}
      </ul>
      <div className={`${form.pair} ${styles.name}`}>
        <Field
          label={t("Name of the present layout")}
          value={name}
          onChange={(text) => setName(text.slice(0, MAX_LAYOUT_NAME))}
        />
        <button
          type="button"
          disabled={name.trim() === ""}
          onClick={() => {
            keepAs(name);
            setName("");
          }}
        >
          {t("Save it by this name")}
        </button>
      </div>
      <div className={styles.reset}>
        <button type="button" disabled={layouts[page] === undefined} onClick={() => resetLayout(page)}>
          {t("Reset the layout of this page")}
        </button>
        <button type="button" onClick={() => save("desk-layouts.json", "application/json", exported())}>
          {t("Save all as a file")}
        </button>
        <label data-button>
          {t("Read a file")}
          <input
            type="file"
            className="hidden"
            accept="application/json"
            onChange={({ target }) => void read(target.files?.[0])}
          />
        </label>
      </div>
      <p role="status">{words}</p>
    </fieldset>
  );
}
