import { type Options, stringify } from "csv-stringify/sync";
import { type Cells, COLUMNS, type ExportKind, isOneOf } from "./table.js";

/**
 * The "Universal" CSV template of Koinly. Source: Koinly's help centre, "How to create a custom CSV file with your data"; labels:
 * "What are tags?", of which profit and loss has another word in files: "Futures and perpetuals (PNL transactions)"; a deposit has no
 * fee: "What are transactions in Koinly".
 */
export const KOINLY_COLUMNS = [
  ...["Date", "Sent Amount", "Sent Currency", "Received Amount", "Received Currency", "Fee Amount", "Fee Currency"],
  ...["Net Worth Amount", "Net Worth Currency", "Label", "Description", "TxHash"],
] as const;

/** Labels by the cause of a change of a balance: of coins that came in, and of coins that left. */
const LABELS = new Map<string, readonly [received: string, sent: string]>([
  ["TRADE", ["realized gain", "realized gain"]],
  ["LIQUIDATION", ["realized gain", "realized gain"]],
  ["COPY_TRADING", ["realized gain", "realized gain"]],
  ["FUNDING", ["realized gain", "realized gain"]],
  ["FEE", ["Fee refund", "Margin fee"]],
  ["INTEREST", ["Lending interest", "Loan fee"]],
  ["LOAN", ["Loan", ""]],
  ["BORROWING", ["Margin loan", ""]],
  ["REWARD", ["Reward", "Cost"]],
]);

const isSpot = ({ category }: Cells): boolean => category === "SPOT" || category === "MARGIN";

/**
 * Rows for Koinly. Spot and margin executions are trades with both coins; everything else is a change of a balance. Neither is in
 * both kinds: futures executions, and records of spot and margin trades, have no row.
 */
function koinlyRows(kind: ExportKind, row: Cells): readonly Cells[] {
  if (kind === "fills") return isSpot(row) ? tradeOf(row) : [];
  if (isSpot(row) && (row.kind === "TRADE" || row.kind === "FEE")) return [];
  return [...moved(row, row.amount, row.coin, row.kind), ...feeOf(row, row.fee, row.coin)];
}

/** Koinly reads times as UTC, and requires the suffix. */
const common = (row: Cells): Cells => ({
  Date: `${row.time?.slice(0, 10)} ${row.time?.slice(11, 19)} UTC`,
  Description: [row.type ?? row.side ?? row.kind, row.symbol, row.id].filter((part) => typeof part === "string").join(" "),
  TxHash: row.id ?? null,
});

function tradeOf(row: Cells): readonly Cells[] {
  const base = { amount: row.qty, coin: row.baseCoin };
  const quote = { amount: row.value, coin: row.quoteCoin };
  const [sent, received] = row.side === "SELL" ? [base, quote] : [quote, base];
  const hasFee = isAboveZero(row.fee);
  return [
    {
      ...common(row),
      "Sent Amount": sent.amount ?? null,
      "Sent Currency": sent.coin ?? null,
      "Received Amount": received.amount ?? null,
      "Received Currency": received.coin ?? null,
      "Fee Amount": hasFee ? (row.fee ?? null) : null,
      "Fee Currency": hasFee ? (row.feeCoin ?? null) : null,
    },
    ...(hasFee ? [] : feeOf(row, row.fee, row.feeCoin)),
    ...feeOf(row, row.secondFee, row.secondFeeCoin),
  ];
}

/** A fee on its own: paid, or received back if it is below zero. */
const feeOf = (row: Cells, fee: string | null | undefined, coin: string | null | undefined): readonly Cells[] =>
  moved(row, fee?.startsWith("-") === true ? fee.slice(1) : fee && `-${fee}`, coin, "FEE");

/** The columns of received or sent coins; empty for zero. */
function moved(
  row: Cells,
  amount: string | null | undefined,
  coin: string | null | undefined,
  kind: string | null | undefined,
): readonly Cells[] {
  if (amount === null || amount === undefined || !/[1-9]/.test(amount)) return [];
  const isSent = amount.startsWith("-");
  const [received, sent] = LABELS.get(kind ?? "") ?? ["", ""];
  const side = isSent ? "Sent" : "Received";
  return [
    {
      ...common(row),
      [`${side} Amount`]: isSent ? amount.slice(1) : amount,
      [`${side} Currency`]: coin ?? null,
      Label: isSent ? sent : received,
    },
  ];
}

const isAboveZero = (amount: string | null | undefined): boolean =>
  amount !== null && amount !== undefined && !amount.startsWith("-") && /[1-9]/.test(amount);

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
