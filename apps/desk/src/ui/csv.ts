import type { ReactNode } from "react";

export interface FileColumn<Row> {
  readonly title: string;
  /** The plain value: exact, and without a unit. */
  readonly value: (row: Row) => string | null | undefined;
}

/** One column of a table; its value is also used for sorting. */
export interface Column<Row> extends FileColumn<Row> {
  readonly id: string;
  /** Title in a file. Default: the title. */
  readonly fileTitle?: string;
  /** Read aloud instead of the title, where that is a sign. */
  readonly spokenTitle?: string;
  /** The rendered cell. Default: the value. */
  readonly cell?: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Whether it names the row: it is the title of the card on a phone. */
  readonly isHead?: boolean;
}

/** Quoted where necessary. Text that a spreadsheet would read as a formula is kept as text. */
function field(value: string | null | undefined): string {
  const text = value ?? "";
  const isFormula = /^[=+@\t\r]/.test(text) || /^-(?![\d.]+$)/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The plain values of rows, by RFC 4180. */
export const csvOf = <Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[]): string =>
  [columns.map(({ title }) => field(title)), ...rows.map((row) => columns.map(({ value }) => field(value(row))))]
    .map((fields) => `${fields.join(",")}\r\n`)
    .join("");

/** Saves rows as a file by the browser. */
export const saveCsv = <Row>(name: string, columns: readonly FileColumn<Row>[], rows: readonly Row[]): void =>
  save(`${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.csv`, "text/csv", csvOf(columns, rows));

/** Saves a text, or data, as a file by the browser. */
export function save(name: string, type: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
