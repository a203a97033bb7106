import { type Fill, fill } from "@exchange-graph/contract/fill";
import { describe, expect, it } from "vitest";
import type { AccountMode } from "../../../../src/datasources/calls/accounts/exchangeAccount.js";
import { FillLedger } from "../../../../src/datasources/streams/state/fillLedger.js";

const HELD = { posSide: "long", enterPointSource: "api" } as const;

const executed = (execId: string, createdTime: number, changes: Partial<Fill> = {}): Fill => ({
  ...fill.decode({ execId, category: "SPOT", symbol: "BTCUSDT", feeDetail: [] }),
  createdTime,
  ...changes,
});
const futures = (execId: string, time: number, changes: Partial<Fill> = {}) =>
  executed(execId, time, { category: "USDT-FUTURES", categoryRaw: "USDT-FUTURES", ...changes });

const idsOf = (ledger: FillLedger) => ledger.completeFills?.list.map(({ execId }) => execId);

describe("known executions", () => {
  it("are nothing before the past was read, and newest first after that, each once", () => {
    const ledger = new FillLedger("UNIFIED");
    ledger.pushed([executed("3", 30)]);
    expect(ledger.completeFills).toBeUndefined();
    ledger.read([executed("3", 30), executed("1", 10)], 0);
    ledger.reaches(["SPOT"], 5);
    ledger.pushed([executed("9", 30), executed("10", 30), executed("3", 30)]);
    expect(idsOf(ledger)).toEqual(["10", "9", "3", "1"]);
    expect(ledger.completeFills?.since).toEqual(new Map([["SPOT", 5]]));
    expect(ledger.completeFills).toBe(ledger.completeFills);
  });

  it.each<[AccountMode, Partial<Fill>]>([
    ["CLASSIC", { enterPointSource: null }],
    ["UNIFIED", { posSide: null }],
  ])("of futures on a %s account lack what pushes leave out until it is read", (mode, left) => {
    const ledger = new FillLedger(mode);
    ledger.pushed([futures("1", 10, { ...HELD, orderType: "limit", ...left })]);
    expect(ledger.partialCategories).toEqual(["USDT-FUTURES"]);
    ledger.read([futures("1", 10, { ...HELD, orderType: null })], 0);
    ledger.reaches(["USDT-FUTURES"], 0);
    expect(ledger.partialCategories).toEqual([]);
    expect(ledger.completeFills?.list).toMatchObject([{ ...HELD, orderType: "limit" }]);
  });

  it("do not keep what pushes alone have said and the lists ought to have by now", () => {
    const ledger = new FillLedger("CLASSIC");
    ledger.pushed([futures("1", 10), futures("2", 90)]);
    ledger.read([], 50);
    ledger.reaches(["USDT-FUTURES"], 0);
    expect([idsOf(ledger), ledger.partialCategories]).toEqual([["2"], ["USDT-FUTURES"]]);
  });

  it("reach less far back in a category that has many, and as far as ever in the others", () => {
    const ledger = new FillLedger("UNIFIED");
    ledger.read([futures("1", 1, HELD), ...Array.from({ length: 200 }, (_, at) => executed(`${1_000 + at}`, 100 + at))], 0);
    ledger.reaches(["SPOT", "USDT-FUTURES"], 0);
    expect(ledger.completeFills?.list).toHaveLength(101);
    expect(ledger.completeFills?.since).toEqual(
      new Map([
        ["SPOT", 200],
        ["USDT-FUTURES", 0],
      ]),
    );
  });

  it("are nothing while one of them does not say when it was", () => {
    const ledger = new FillLedger("UNIFIED");
    ledger.reaches(["SPOT"], 0);
    ledger.pushed([executed("1", 10, { createdTime: null })]);
    expect(ledger.completeFills).toBeUndefined();
    ledger.clear();
    expect(ledger.hasPast).toBe(false);
  });
});
