import { type Options, stringify } from "csv-stringify/sync";
import { KOINLY_COLUMNS, koinlyRows } from "./koinly.js";
import { type Cells, COLUMNS, type ExportKind, isOneOf } from "./table.js";

/** Formats of a file: CSV (RFC 4180), a JSON object per line, or the CSV that Koinly imports. */
export const EXPORT_FORMATS = ["csv", "jsonl", "koinly"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Kinds that Koinly can import: together they are every change of a balance, each once. */
const KOINLY_KINDS = ["fills", "flows"] as const;

/** Whether a kind can be written in a format. */
export const isWritable = (kind: ExportKind, format: ExportFormat): boolean => format !== "koinly" || isOneOf(KOINLY_KINDS, kind);

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A cell that a spreadsheet would take for a formula begins with an apostrophe, as OWASP recommends. A number is none: the
 * apostrophe would turn a negative amount into text. (`escape_formulas` of the library has no exception for numbers.)
 */
const withoutFormula = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

const CSV: Options = { record_delimiter: "\r\n", quoted_match: /[\r\n]/, cast: { string: withoutFormula } };

/** The first line of a file; empty if the format has none. */
export const headOf = (kind: ExportKind, format: ExportFormat): string =>
  format === "jsonl" ? "" : stringify([format === "koinly" ? KOINLY_COLUMNS : COLUMNS[kind]], CSV);

/** Rows as they are written, each a line. Rows that the format has no use for are left out. */
export function linesOf(kind: ExportKind, format: ExportFormat, rows: readonly Cells[]): string {
  if (format === "jsonl") return rows.map((row) => `${JSON.stringify(ordered(kind, row))}\n`).join("");
  const columns = format === "koinly" ? KOINLY_COLUMNS : COLUMNS[kind];
  const written = format === "koinly" ? rows.flatMap((row) => koinlyRows(kind, row)) : rows;
  return written.length === 0 ? "" : stringify([...written], { ...CSV, columns: [...columns] });
}

const ordered = (kind: ExportKind, row: Cells): Cells =>
  Object.fromEntries(COLUMNS[kind].map((column) => [column, row[column] ?? null]));
