import type { FinancialRecord } from "@exchange-graph/contract/financialRecord";
import { changeOf } from "../datasources/reads/index.js";
import { screamingSnake, UNKNOWN } from "../schema/enums/exchangeEnum.js";
import type { Cells } from "./table.js";

/** A row of an export. Rows are in the order of `time`; those of the same time in the order of `id`, then of `list`. */
export interface ExportRow {
  /** Unix ms. */
  readonly time: number;
  readonly id: string;
  /** The list that it is from: an identifier is unique within it. */
  readonly list: string;
  readonly cells: Cells;
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export const inOrder = (one: ExportRow, other: ExportRow): number =>
  one.time - other.time || byText(one.id, other.id) || byText(one.list, other.list);

export const utc = (time: unknown): string | null => (typeof time === "number" ? new Date(time).toISOString() : null);

/** The first of these fields that has a text, a number or a flag. */
export function textIn(record: object, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value: unknown = Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined;
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
  }
  return null;
}

/** The same for enum values, under their names in the graph; one that the graph does not have in the exchange's own word. */
export function wordIn(record: object, ...names: readonly string[]): string | null {
  for (const name of names) {
    const word = textIn(record, name);
    if (word !== null) return word === UNKNOWN ? textIn(record, `${name}Raw`) : screamingSnake(word);
  }
  return null;
}

/** The fee, and a second one in another coin. */
export function feesIn(record: object): Cells {
  const fees: readonly object[] = "fees" in record && Array.isArray(record.fees) ? record.fees : [];
  const [fee = {}, second = {}] = fees;
  return {
    ...{ fee: textIn(fee, "amount"), feeCoin: textIn(fee, "coin") },
    ...{ secondFee: textIn(second, "amount"), secondFeeCoin: textIn(second, "coin") },
  };
}

/** Cells of these fields: texts as they are, and words. */
export const cellsIn = (record: object, texts: readonly string[], enums: readonly string[]): Cells => ({
  ...Object.fromEntries(texts.map((name) => [name, textIn(record, name)])),
  ...Object.fromEntries(enums.map((name) => [name, wordIn(record, name)])),
});

const FLOW_TEXTS = ["symbol", "type", "coin", "amount", "fee", "balance"] as const;
const FLOW_WORDS = ["category", "kind"] as const;
type Flow = Pick<FinancialRecord, (typeof FLOW_TEXTS)[number] | "createdTime" | "recordId"> & {
  readonly [word in (typeof FLOW_WORDS)[number]]: string | null;
};

/** A change of a balance in a wallet. */
export const flowRow = <F extends Flow>(wallet: string, record: F) => ({
  ...{ time: record.createdTime as F["createdTime"], id: record.recordId, list: `${wallet} ${record.category ?? ""}` },
  cells: { ...cellsIn(record, FLOW_TEXTS, FLOW_WORDS), wallet, change: changeOf(record.amount, record.fee) },
});
