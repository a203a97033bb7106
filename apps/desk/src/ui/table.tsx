import { compareDecimals, isDecimal } from "@exchange-graph/client";
import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { t } from "../text/text.js";
import buttons from "./button.module.css";
import { type Choosable, ColumnChooser, useChosen } from "./columnChooser.js";
import { type Column, type FileColumn, saveCsv } from "./csv.js";
import { Icon } from "./icon.js";
import type { More } from "./more.js";
import { usePanelTools } from "./panelTools.js";
import { lazily } from "./parts.js";
import styles from "./table.module.css";

interface TableProps<Row> {
  /** Names the table, and its file. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined: they are not known, and there is no table. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** Columns of the file. Default: those of the table. */
  readonly file?: readonly FileColumn<Row>[] | undefined;
  /** The user chooses which columns are shown. Default: all are. */
  readonly choosable?: Choosable | undefined;
  /** Buttons at the end of a row. */
  readonly actions?: (row: Row) => ReactNode;
  /** Further rows, which are read when the last one becomes visible. */
  readonly more?: More;
}

const VirtualRows = lazily(
  () => import("./virtualRows.js"),
  ({ VirtualRows }) => VirtualRows,
);

/** With more rows than this only the visible ones are rendered. */
const MANY = 60;
/** With more rows than this the table scrolls in its own frame. */
const TALL = 14;

function inOrder(a: string | null | undefined, b: string | null | undefined): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  return isDecimal(a) && isDecimal(b) ? compareDecimals(a, b) : a.localeCompare(b);
}

type Direction = "ascending" | "descending" | "none";
const MARKS: { readonly [direction in Direction]: string } = { ascending: " ▴", descending: " ▾", none: "" };
/** The direction after the next click on a column's title. */
const NEXT: { readonly [direction in Direction]: Direction } = { none: "ascending", ascending: "descending", descending: "none" };

/** The rows in the order of a column, or else in their own, and what changes it. */
function useSorted<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  const [{ by, direction }, sort] = useState<{ readonly by: string; readonly direction: Direction }>({
    by: "",
    direction: "none",
  });
  const sorted = useMemo(() => {
    const column = columns.find(({ id }) => id === by);
    if (column === undefined || direction === "none") return rows;
    const sign = direction === "ascending" ? 1 : -1;
    return [...rows].sort((a, b) => sign * inOrder(column.value(a), column.value(b)));
  }, [columns, rows, by, direction]);
  const directionOf = ({ id }: Column<Row>) => (id === by ? direction : "none");
  return { sorted, directionOf, sortBy: (column: Column<Row>) => sort({ by: column.id, direction: NEXT[directionOf(column)] }) };
}

/** A table that sorts, is saved as CSV, and becomes cards on a phone. */
export const Table = <Row extends object>({ rows, ...props }: TableProps<Row>) =>
  rows === undefined ? null : <Rows {...props} rows={rows} />;

type RowsProps<Row> = TableProps<Row> & { readonly rows: readonly Row[] };

function Rows<Row extends object>({ name, columns: all, rows, keyOf, file, choosable, actions, more }: RowsProps<Row>) {
  const columns = useChosen(all, choosable);
  const tools = usePanelTools();
  const scroller = useRef<HTMLDivElement>(null);
  const { sorted, directionOf, sortBy } = useSorted(all, rows);
  const width = columns.length + (actions === undefined ? 0 : 1);
  const rowAt = (index: number, measure?: Ref<HTMLTableRowElement>) => {
    const row = sorted[index];
    return row === undefined ? null : (
      <tr key={keyOf(row)} data-index={index} ref={measure}>
        {columns.map((column) => (
          <td
            key={column.id}
            className={`${column.isNumber ? "number" : ""} ${column.isHead ? styles.head : ""}`}
            data-label={column.title}
          >
            {column.cell === undefined ? (column.value(row) ?? "–") : column.cell(row)}
          </td>
        ))}
        {actions !== undefined && <td className={styles.actions}>{actions(row)}</td>}
      </tr>
    );
  };
  const pointed = usePointed();
  const first = sorted.slice(0, MANY).map((_, index) => rowAt(index));
  return (
    <div className={styles.frame}>
      {tools !== null &&
        createPortal(
          <>
            {choosable !== undefined && <ColumnChooser {...{ name, choosable }} columns={all} />}
            <SaveButton name={name} columns={file ?? all.map(asFileColumn)} rows={() => sorted} />
          </>,
          tools,
        )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
      <div className={`${styles.scroll} ${sorted.length > TALL ? styles.tall : ""}`} ref={scroller} tabIndex={0}>
        <table className={styles.table} aria-label={name}>
          <thead>
            <tr>
              {columns.map((column) => {
                const direction = directionOf(column);
                return (
                  <th key={column.id} className={column.isNumber ? "number" : ""} aria-sort={direction}>
                    <button type="button" aria-label={column.spokenTitle} onClick={() => sortBy(column)}>
                      {column.title}
                      <span aria-hidden="true">{MARKS[direction]}</span>
                    </button>
                  </th>
                );
              })}
              {actions !== undefined && (
                <th className={styles.actions}>
                  <span className="hidden">{t("Actions")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody {...pointed}>
            {sorted.length > MANY ? (
              <Suspense fallback={first}>
                <VirtualRows count={sorted.length} {...{ width, scroller, rowAt }} />
              </Suspense>
            ) : (
              first
            )}
            {more?.isThere === true && <Rest key={rows.length} more={more} width={width} />}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const rowOf = (target: EventTarget): Element | null => (target instanceof Element ? target.closest("tr") : null);

/**
 * A click reaches the row that the pointer was moved to, and no other: rows move under it when one above them ends, or by
 * themselves. A second click does. Keys and touches are not concerned.
 */
function usePointed() {
  /** Undefined: any. */
  const row = useRef<Element | null>(undefined);
  return {
    // What is scrolled is moved by the user.
    onWheel() {
      row.current = undefined;
    },
    onPointerMove({ target }: PointerEvent) {
      row.current = rowOf(target);
    },
    onPointerDown({ target, pointerType }: PointerEvent) {
      if (pointerType !== "mouse") row.current = rowOf(target);
    },
    onClickCapture(event: MouseEvent) {
      const clicked = rowOf(event.target);
      if (event.detail > 0 && row.current !== undefined && clicked !== row.current) {
        event.preventDefault();
        event.stopPropagation();
      }
      row.current = clicked;
    },
  };
}

const asFileColumn = <Row,>({ title, fileTitle, value }: Column<Row>): FileColumn<Row> => ({ title: fileTitle ?? title, value });

interface SaveProps<Row> extends Pick<TableProps<Row>, "name"> {
  readonly columns: readonly FileColumn<Row>[];
  readonly rows: () => readonly Row[];
}

/** Placed in the panel's header: above the table it would cover a column. */
const SaveButton = <Row,>({ name, columns, rows }: SaveProps<Row>) => (
  <button
    type="button"
    className={buttons.tool}
    aria-label={t("Save {name} as CSV", { name })}
    title={t("Save as CSV")}
    onClick={() => saveCsv(name, columns, rows())}
  >
    <Icon name="download" />
  </button>
);

/**
 * Reads more rows when it becomes visible. Its `key` is the number of rows, so that it is mounted, and observed, again after each
 * page.
 */
function Rest({ more, width }: { readonly more: More; readonly width: number }) {
  const place = useRef<HTMLTableRowElement>(null);
  const load = useEffectEvent(more.load);
  useEffect(() => {
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) load();
    });
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <tr className={styles.rest} ref={place}>
      <td colSpan={width}>
        <button type="button" onClick={more.load} aria-disabled={more.isBusy}>
          {more.isBusy ? t("Reading older rows…") : t("Older rows")}
        </button>
      </td>
    </tr>
  );
}
