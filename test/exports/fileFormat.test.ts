import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { headOf, KOINLY_COLUMNS, linesOf } from "../../src/exports/fileFormat.js";
import { COLUMNS, EXPORT_KINDS } from "../../src/exports/table.js";

const PAGE = readFileSync("docs/exports.md", "utf8");
const code = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
const FILL = {
  ...{ time: "2026-11-01T10:20:30.456Z", id: "1795", category: "SPOT", symbol: "BTCUSDT", side: "BUY" },
  ...{ baseCoin: "BTC", quoteCoin: "USDT", qty: "0.1", value: "6000.5", fee: "0.0001", feeCoin: "BTC", clientOid: null },
};
const RECORD = {
  ...{ time: "2026-11-01T10:20:30.456Z", id: "77", category: "USDT_FUTURES", symbol: "ETHUSDT", kind: "TRADE" },
  ...{ type: "CLOSE_LONG", coin: "USDT", amount: "-12.5", fee: "0.6" },
};

/** The rows that Koinly reads, by its columns. */
function koinly(kind: "fills" | "flows", row: object): readonly Readonly<Record<string, string>>[] {
  const lines = linesOf(kind, "koinly", [row as Readonly<Record<string, string | null>>])
    .split("\r\n")
    .slice(0, -1);
  return lines.map((line) => {
    const cells = line.split(",");
    expect(cells).toHaveLength(KOINLY_COLUMNS.length);
    return Object.fromEntries(KOINLY_COLUMNS.map((column, at) => [column, cells[at] ?? ""]).filter(([, cell]) => cell !== ""));
  });
}

describe("a file of an export", () => {
  it.each(EXPORT_KINDS)("of %s has the columns that the documentation lists", (kind) => {
    const rows = [...PAGE.matchAll(/^\| `(\w+)` \| (`time`.*) \|$/gm)];
    expect(code(rows.find(([, name]) => name === kind)?.[2] ?? "")).toEqual(COLUMNS[kind]);
    expect(headOf(kind, "csv")).toBe(`${COLUMNS[kind].join(",")}\r\n`);
  });

  it("of CSV has no formula, and leaves amounts below zero as numbers", () => {
    const texts = ["=1+1", "+cmd", "-x", "@SUM(A1)", "\tx", "\rx", 'say "no", twice', "-12.50", "+1", "plain"];
    const lines = texts.map((clientOid) => linesOf("fills", "csv", [{ ...FILL, clientOid }]));
    expect(lines.map((line) => line.slice(line.lastIndexOf(",,") + 2).replace("\r\n", ""))).toEqual([
      ...["'=1+1", "'+cmd", "'-x", "'@SUM(A1)", "'\tx", '"\'\rx"'],
      ...['"say ""no"", twice"', "-12.50", "'+1", "plain"],
    ]);
  });

  it("of JSON lines has every column of each row as it is, in the order of the columns", () => {
    const [line = ""] = linesOf("fills", "jsonl", [{ ...FILL, clientOid: "=1+1" }]).split("\n");
    expect(Object.keys(JSON.parse(line))).toEqual(COLUMNS.fills);
    expect(JSON.parse(line)).toMatchObject({ ...FILL, clientOid: "=1+1", price: null });
  });

  it("for Koinly has the columns of its Universal template, as the documentation lists them", () => {
    expect(headOf("fills", "koinly")).toBe(
      "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash\r\n",
    );
    const section = PAGE.slice(PAGE.indexOf("## Koinly"));
    expect(
      code(section)
        .filter((word) => KOINLY_COLUMNS.some((column) => column === word))
        .slice(0, 12),
    ).toEqual(KOINLY_COLUMNS);
  });

  it("for Koinly has spot trades with both coins, rebates and second fees in rows of their own", () => {
    const common = { Date: "2026-11-01 10:20:30 UTC", Description: "BUY BTCUSDT 1795", TxHash: "1795" };
    expect(koinly("fills", FILL)).toEqual([
      {
        ...common,
        ...{ "Sent Amount": "6000.5", "Sent Currency": "USDT", "Received Amount": "0.1", "Received Currency": "BTC" },
        ...{ "Fee Amount": "0.0001", "Fee Currency": "BTC" },
      },
    ]);
    const [sold] = koinly("fills", { ...FILL, side: "SELL", fee: "0", feeCoin: "USDT" });
    expect(sold).toMatchObject({ "Sent Amount": "0.1", "Sent Currency": "BTC", "Received Amount": "6000.5" });
    expect(koinly("fills", { ...FILL, fee: "-0.2", feeCoin: "USDT", secondFee: "1", secondFeeCoin: "XYZ" }).slice(1)).toEqual([
      { ...common, "Received Amount": "0.2", "Received Currency": "USDT", Label: "Fee refund" },
      { ...common, "Sent Amount": "1", "Sent Currency": "XYZ", Label: "Margin fee" },
    ]);
    expect(koinly("fills", { ...FILL, category: "USDT_FUTURES" })).toEqual([]);
  });

  it("for Koinly has every other change of a balance once, with its label", () => {
    const common = { Date: "2026-11-01 10:20:30 UTC", Description: "CLOSE_LONG ETHUSDT 77", TxHash: "77" };
    expect(koinly("flows", RECORD)).toEqual([
      { ...common, "Sent Amount": "12.5", "Sent Currency": "USDT", Label: "realized gain" },
      { ...common, "Sent Amount": "0.6", "Sent Currency": "USDT", Label: "Margin fee" },
    ]);
    const [came] = koinly("flows", { ...RECORD, kind: "DEPOSIT", amount: "3", fee: "0" });
    expect(came).toEqual({ ...common, "Received Amount": "3", "Received Currency": "USDT" });
    expect(koinly("flows", { ...RECORD, category: "SPOT" })).toEqual([]);
    expect(koinly("flows", { ...RECORD, amount: "0.000", fee: null })).toEqual([]);
  });
});
