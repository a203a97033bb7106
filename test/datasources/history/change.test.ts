import { HOUR_MS } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { explained, type MoneyChange } from "../../../src/datasources/history/change.js";
import type { CurvePoint } from "../../../src/datasources/history/curve.js";
import { changeOver, returnsOf, tradingOf } from "../../../src/datasources/history/performance.js";
import type { Point } from "../../../src/datasources/history/point.js";
import { type HeldCoin, totalsOf } from "../../../src/datasources/history/sample.js";

const START = Date.UTC(2026, 0, 5);

const held = (coin: string, balance: string, more: Partial<HeldCoin> = {}): HeldCoin => ({
  ...{ pool: "UNIFIED", coin, balance, unrealisedPnl: "0", debt: "0", price: coin === "USDT" ? "1" : "100", ...more },
});
const point = (hour: number, ...coins: readonly HeldCoin[]): Point => {
  const totals = totalsOf(coins);
  const at = START + hour * HOUR_MS;
  const common = { source: "STREAM", mode: "UNIFIED", comparedAt: null, marginInUse: null, count: 1 } as const;
  return { ...common, ...totals, at, time: at + 50, low: totals.equity, high: totals.equity, coins };
};
const changed = (hour: number, coin: string, amount: string, more: Partial<MoneyChange> = {}): MoneyChange => ({
  ...{ at: START + hour * HOUR_MS, pool: "UNIFIED", category: "OTHER", coin, amount, fee: "0", kind: "deposit", type: null },
  symbol: null,
  ...more,
});
const curve = (points: readonly Point[], changes: readonly MoneyChange[] = []): readonly CurvePoint[] => {
  const why = explained(points, changes);
  return points.map((one, at) => ({ ...one, change: why[at - 1]?.change, records: why[at - 1]?.records ?? [] }));
};

describe("a change of equity", () => {
  it("is the sum of its causes, each at the prices of its end", () => {
    const points = [
      point(0, held("USDT", "1000"), held("BTC", "2", { price: "100", unrealisedPnl: "0.1" })),
      point(1, held("USDT", "1150.5"), held("BTC", "2.5", { price: "110", unrealisedPnl: "-0.2", debt: "0.50001" })),
    ];
    const [only] = explained(points, [
      changed(0.1, "USDT", "200"),
      changed(0.2, "USDT", "-50", { kind: "trade", category: "SPOT", fee: "0.5" }),
      changed(0.3, "USDT", "1", { kind: "funding", category: "USDT-FUTURES" }),
      changed(0.4, "BTC", "0.5", { kind: "borrowing" }),
    ]);
    expect(only?.change).toMatchObject({
      ...{ deposits: "200", trades: "-50", fees: "-0.5", funding: "1", interest: "-0.0011", unexplained: "0" },
      // −0.2 × 110 − 0.1 × 100, and 2 × (110 − 100).
      ...{ unrealised: "-32", revaluation: "20", total: "138.4989" },
    });
    expect(plain(exact(points[1]?.equity ?? "0").minus(points[0]?.equity ?? "0"))).toBe("138.4989");
  });

  it("belongs to the interval whose sample shows it, even if its record is dated a moment later or earlier", () => {
    const points = [
      point(0, held("USDT", "100")),
      point(1, held("USDT", "110")),
      point(2, held("USDT", "110")),
      point(3, held("USDT", "117")),
    ];
    const late = { ...changed(1, "USDT", "10"), at: START + HOUR_MS + 900 };
    const early = { ...changed(2, "USDT", "7"), at: START + 2 * HOUR_MS + 20 };
    const all = explained(points, [late, early]).map(({ change }) => [change.deposits, change.unexplained]);
    expect(all).toEqual([
      ["10", "0"],
      ["0", "0"],
      ["7", "0"],
    ]);
  });

  it("says what no record explains", () => {
    const [only] = explained(
      [point(0, held("USDT", "100")), point(1, held("USDT", "90"))],
      [changed(0.5, "USDT", "-4", { kind: "withdrawal" })],
    );
    expect(only?.change).toMatchObject({ withdrawals: "-4", unexplained: "-6", total: "-10" });
  });
});

describe("a performance", () => {
  it("leaves flows out of returns: a deposit is no profit", () => {
    const points = curve(
      [
        point(0, held("USDT", "100")),
        point(1, held("USDT", "110")),
        point(2, held("USDT", "210")),
        point(3, held("USDT", "189")),
      ],
      [
        changed(0.5, "USDT", "10", { kind: "funding" }),
        changed(1.5, "USDT", "100"),
        changed(2.5, "USDT", "-21", { kind: "funding" }),
      ],
    );
    // 1.1 × 1 × 0.9 − 1, and −11 ÷ (100 + 100 × 1 ÷ 3).
    expect(returnsOf(points)).toMatchObject({
      timeWeightedReturn: "-0.01",
      moneyWeightedReturn: "-0.0825",
      maxDrawdown: "0.1",
      longestDrawdownMs: HOUR_MS,
      sharpe: { unknown: "TOO_FEW_DAYS" },
    });
    expect(changeOver(points)).toMatchObject({ deposits: "100", funding: "-11", total: "89" });
  });

  it("has the risk of daily returns, by their formulas", () => {
    const worths = ["100", "101", "99.99", "102.9897", "101.959803", "104.9985", "106"];
    const points = curve(
      worths.map((worth, day) => point(24 * day, held("BTC", "1", { price: worth }))),
      [],
    );
    const { volatility, sharpe, sortino, calmar, maxDrawdown } = returnsOf(points);
    // Computed by another program from the same formulas.
    expect(
      [maxDrawdown, volatility, sharpe, sortino, calmar].map((figure) =>
        typeof figure === "string" ? figure.slice(0, 7) : figure,
      ),
    ).toEqual([...["0.01", "0.34093", "10.5882", "32.7274", "360.991"]]);
  });

  it("says why a figure is not known", () => {
    const [one, two] = [point(0, held("USDT", "100")), point(1, held("USDT", "110"))];
    expect(returnsOf([{ ...one, change: undefined, records: [] }]).timeWeightedReturn).toEqual({ unknown: "TOO_FEW_POINTS" });
    const unexplained = [one, two].map((single): CurvePoint => ({ ...single, change: undefined, records: [] }));
    expect(returnsOf(unexplained).timeWeightedReturn).toEqual({ unknown: "CHANGES_NOT_KNOWN" });
    expect(returnsOf(curve([point(0), two])).timeWeightedReturn).toEqual({ unknown: "NO_EQUITY" });
    expect(tradingOf([]).winRate).toEqual({ unknown: "NO_CLOSED_TRADES" });
  });

  it("counts closed futures positions, and not what opens one or is bought", () => {
    const trade = { kind: "trade", category: "USDT-FUTURES", price: "1", symbol: "BTCUSDT" } as const;
    const records = ["10", "-4", "6", "0"].map((amount) => ({
      ...changed(1, "USDT", amount, { ...trade, fee: "0.5" }),
      price: "1",
    }));
    const bought = { ...changed(1, "USDT", "-500", { kind: "trade", category: "SPOT" }), price: "1" };
    expect(tradingOf([...records, bought])).toEqual({
      ...{ realised: "12", fees: "-2", funding: "0", closings: 3, winRate: "0.6666666666", profitFactor: "4", expectancy: "4" },
    });
  });
});
