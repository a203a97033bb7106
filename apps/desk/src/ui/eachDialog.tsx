import { type ReactNode, useState } from "react";
import { t } from "../text/text.js";
import buttons from "./button.module.css";
import { Dialog } from "./dialog.js";
import dialog from "./dialog.module.css";
import styles from "./eachDialog.module.css";

interface Props<Row> {
  readonly title: string;
  /** What the button does, for example `Cancel`. */
  readonly verb: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly children: (row: Row) => ReactNode;
  /** Writes one of them. */
  readonly write: (row: Row) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Shows what is written, and writes each row by its own write, one after the other. */
export function EachDialog<Row>({ title, verb, rows, keyOf, children, write, onClose }: Props<Row>) {
  // Those that were shown at the start.
  const [asked] = useState(rows);
  const [done, setDone] = useState<number>();
  const run = async () => {
    setDone(0);
    for (const [index, row] of asked.entries()) {
      await write(row);
      setDone(index + 1);
    }
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <ul className={styles.rows}>
        {asked.map((row) => (
          <li key={keyOf(row)}>{children(row)}</li>
        ))}
      </ul>
      <div className={dialog.end}>
        <button type="button" onClick={onClose}>
          {t("Keep them")}
        </button>
        <button type="button" className={buttons.danger} disabled={done !== undefined} onClick={() => void run()}>
          {done === undefined
            ? t("{verb} these {length}", { verb, length: asked.length })
            : t("{done} of {length}", { done, length: asked.length })}
        </button>
      </div>
    </Dialog>
  );
}
