import type { ReactNode } from "react";

/** One column of a table of ours. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** The bare value: what is sorted by, and what stands in the CSV. */
  readonly value: (row: Row) => string | null | undefined;
  /** What is shown. Default: the value. */
  readonly cell?: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** The row is named by it: the head of its card on a phone. */
  readonly isHead?: boolean;
}

/** Quoted where it must be. What a spreadsheet would take for a formula is kept text. */
function field(value: string | null | undefined): string {
  const text = value ?? "";
  const isFormula = /^[=+@\t\r]/.test(text) || /^-(?![\d.]+$)/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The bare values of rows, by RFC 4180. */
export const csvOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  [columns.map(({ title }) => field(title)), ...rows.map((row) => columns.map(({ value }) => field(value(row))))]
    .map((fields) => `${fields.join(",")}\r\n`)
    .join("");

/** Has the browser save them as a file. */
export function saveCsv<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const address = URL.createObjectURL(new Blob([csvOf(columns, rows)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}
