import type { Outcome } from "@exchange-graph/client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useIsLost } from "../graph/session.js";
import { isUnsent, wordsOf } from "../graph/writes.js";
import { t } from "../text/text.js";
import buttons from "./button.module.css";
import { Dialog } from "./dialog.js";
import dialog from "./dialog.module.css";
import styles from "./eachDialog.module.css";
import { Ended } from "./ended.js";
import { LineWarning, whenBack } from "./lineWarning.js";
import { useIsGone } from "./useIsGone.js";
import { useQuestion } from "./useQuestion.js";

interface Props<Row> {
  /** By the number of rows. */
  readonly title: (length: number) => string;
  /** What the button does, for example `Cancel`. */
  readonly verb: string;
  /** As they are now; undefined while they are not known. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly children: (row: Row) => ReactNode;
  /** Shown below the rows. */
  readonly note?: string | undefined;
  /** Writes one of them; undefined where that is not possible. */
  readonly write: (row: Row) => Promise<Outcome<unknown>> | undefined;
  readonly onClose: () => void;
}

/**
 * Lists the rows, and writes each by its own write, one after the other, until it is closed or a lost line to the gateway keeps one
 * from being sent. Rows that have ended meanwhile are reported and left out. While some are refused it stays open for them.
 */
export function EachDialog<Row>({ title, verb, rows, keyOf, children, note, write, onClose }: Props<Row>) {
  // Those that were shown at the start.
  const [listed] = useState(rows ?? []);
  const [done, setDone] = useState<number>();
  const newest = useRef(rows);
  useEffect(() => {
    newest.current = rows;
  }, [rows]);
  const isGone = useIsGone();
  const [length, setLength] = useState(0);
  const [results, setResults] = useState<ReadonlyMap<string, Outcome<unknown>>>(new Map());
  const refusalOf = (row: Row) => {
    const result = results.get(keyOf(row));
    return result?.outcome === "rejected" ? wordsOf(result.errors) : undefined;
  };
  const isOpen = (row: Row, all = rows) => all === undefined || all.some((one) => keyOf(one) === keyOf(row));
  // What was accepted may be in the list for a moment.
  const open = listed.filter((row) => isOpen(row) && (!results.has(keyOf(row)) || refusalOf(row) !== undefined));
  const refused = open.filter((row) => refusalOf(row) !== undefined);
  const isLost = useIsLost();
  const [isSure = false, ask] = useQuestion<boolean>();
  const run = async () => {
    if (done !== undefined) return;
    if (isLost && !isSure) {
      ask(true);
      return;
    }
    ask(false);
    setDone(0);
    setLength(open.length);
    let isRefused = false;
    for (const [index, row] of open.entries()) {
      const { current } = newest;
      if (isGone.current) return;
      const result = isOpen(row, current) && (await write(current?.find((one) => keyOf(one) === keyOf(row)) ?? row));
      // The others would be sent when nobody expects it any more.
      if (result && isUnsent(result)) {
        setDone(undefined);
        return;
      }
      if (result) {
        setResults((old) => new Map(old).set(keyOf(row), result));
        isRefused ||= result.outcome === "rejected";
      }
      setDone(index + 1);
    }
    if (isRefused) setDone(undefined);
    else if (!isGone.current) onClose();
  };
  const words = t("{verb} these {length}", { verb, length: open.length });
  return (
    <Dialog title={title(done === undefined ? open.length : length)} onClose={onClose}>
      <ul className={styles.rows}>
        {listed.map((row) => (
          <li key={keyOf(row)}>
            {children(row)}
            {done === undefined && !isOpen(row) && <small className="muted">{t("no longer open")}</small>}
            {isOpen(row) && <small className="down">{refusalOf(row)}</small>}
          </li>
        ))}
      </ul>
      {note !== undefined && <p>{note}</p>}
      {done === undefined && open.length === 0 && <Ended>{t("None of these is open any more. Nothing is left to send.")}</Ended>}
      {done === undefined && refused.length > 0 && (
        <Ended>{t("Refused, and still open: {length}", { length: refused.length })}</Ended>
      )}
      {isLost && isSure && <LineWarning />}
      <div className={dialog.end}>
        <button type="button" onClick={onClose}>
          {done === undefined ? t("Keep them") : t("Keep the others")}
        </button>
        <button
          type="button"
          className={buttons.danger}
          disabled={done === undefined && open.length === 0}
          aria-disabled={done !== undefined}
          onClick={() => void run()}
        >
          {done !== undefined ? t("{done} of {length}", { done, length }) : isLost && isSure ? whenBack(words) : words}
        </button>
      </div>
    </Dialog>
  );
}
