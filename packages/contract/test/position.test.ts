import { describe, expect, it } from "vitest";
import { encoded, type ParametersOf, violations } from "../src/endpoint.js";
import { classicPositions, classicPositionsOfSymbol, classicSetMargin, positions } from "../src/position.js";
import { classicPositionHistory, positionHistory } from "../src/positionHistory.js";
import { withCategory } from "../src/trading.js";
import samples from "./samples/position.json" with { type: "json" };
import { everyRow } from "./support/everyRow.js";
import { renamed } from "./support/renamed.js";

const NOW = 1_767_225_600_000;

const { CLOSED, CLASSIC_CLOSED, OPEN, CLASSIC_OPEN } = samples;

const READ_CLOSED = {
  ...renamed(CLOSED, {
    openPriceAvg: "avgPrice",
    closePriceAvg: "avgClosePrice",
    openTotalPos: "openedQty",
    closeTotalPos: "closedQty",
    cumRealisedPnl: "realisedPnl",
    openFeeTotal: "openFee",
    closeFeeTotal: "closeFee",
  }),
  openFee: "0.256",
  closeFee: "0.77106",
  categoryRaw: "USDT-FUTURES",
  holdModeRaw: "one_way_mode",
  posSideRaw: "long",
  marginModeRaw: "crossed",
  cashDividend: null,
  createdTime: 1_767_225_600_100,
  updatedTime: 1_767_225_700_000,
};

describe("a closed position", () => {
  it("reads every part of a unified page", () => {
    expect(positionHistory.data.decode({ list: [CLOSED], cursor: "1391230000000000900" })).toEqual({
      list: [READ_CLOSED],
      cursor: "1391230000000000900",
    });
  });

  it("is the same record from a Classic account once the call's category is put back", () => {
    const { list, cursor } = classicPositionHistory.data.decode({ list: [CLASSIC_CLOSED], endId: "9" });
    expect(cursor).toBe("9");
    expect(list.map((position) => withCategory("USDT-FUTURES", position))).toEqual([READ_CLOSED]);
  });

  it("takes its times under either key", () => {
    const { ctime, utime, ...rest } = CLASSIC_CLOSED;
    const { list } = classicPositionHistory.data.decode({ list: [{ ...rest, cTime: ctime, uTime: utime }], endId: "" });
    expect(list[0]).toMatchObject({ createdTime: 1_767_225_600_100, updatedTime: 1_767_225_700_000 });
  });

  it.each([{ list: [], cursor: "" }, { list: null, cursor: null }, null])("is absent from %j", (wire) => {
    expect(positionHistory.data.decode(wire)).toEqual({ list: [], cursor: null });
  });
});

describe("the profit rate of a Classic position", () => {
  const read = (wire: object) => everyRow(classicPositions.data.decode([{ ...CLASSIC_OPEN, ...wire }]).list)[0]?.profitRate;

  it.each([
    ["as the exchange counts it on v3", { unrealizedPL: "5", marginSize: "64.25" }, "0.0778210116"],
    ["as its own pushes have it", { unrealizedPL: "5", marginSize: "64" }, "0.078125"],
    ["toward zero", { unrealizedPL: "-1", marginSize: "3" }, "-0.3333333333"],
    ["whatever a push sends besides", { unrealizedPL: "5", marginSize: "64", unrealizedPLR: "0.07" }, "0.078125"],
    ["or as it is sent", { unrealizedPL: "", marginSize: "64", unrealizedPLR: "0.5" }, "0.5"],
    ["if one of the two is missing", { unrealizedPL: "", marginSize: "64" }, null],
    ["where there is no margin", { unrealizedPL: "5", marginSize: "0.00" }, null],
  ])("is profit by margin, %s", (_, wire, rate) => {
    expect(read(wire)).toBe(rate);
  });
});

describe("an open position", () => {
  it("reads every part of a unified page", () => {
    expect(positions.data.decode({ list: [OPEN] }).list[0]).toEqual({
      ...renamed(OPEN, {
        positionBalance: "margin",
        available: "availableQty",
        frozen: "frozenQty",
        total: "qty",
        curRealisedPnl: "realisedPnl",
        mmr: "maintenanceMarginRate",
        openFeeTotal: "openFee",
        positionStatus: "status",
        closeFeeTotal: "closeFee",
      }),
      openFee: "0.256",
      categoryRaw: "USDT-FUTURES",
      holdModeRaw: "one_way_mode",
      posSideRaw: "long",
      marginModeRaw: "crossed",
      statusRaw: "normal",
      liquidationPrice: null,
      cashDividend: null,
      openOrderQty: null,
      marginRatio: null,
      assetMode: null,
      assetModeRaw: null,
      hasAutoMargin: null,
      takeProfit: null,
      takeProfitId: null,
      stopLoss: null,
      stopLossId: null,
      createdTime: 1_767_225_600_100,
      updatedTime: 1_767_225_600_102,
    });
  });

  it("reads a Classic position in the unified vocabulary", () => {
    const { list, cursor } = classicPositions.data.decode([CLASSIC_OPEN]);
    expect(cursor).toBeNull();
    expect(list[0]).toMatchObject(samples["reads a Classic position in the unified vocabulary"]);
    const unified = positions.data.decode({ list: [OPEN] }).list[0];
    expect(Object.keys(withCategory("USDT-FUTURES", list[0] ?? {})).sort()).toEqual(Object.keys(unified ?? {}).sort());
  });

  it("says whether margin is added automatically if one symbol was requested", () => {
    expect(everyRow(classicPositionsOfSymbol.data.decode([{ ...CLASSIC_OPEN, autoMargin: "on" }]).list)[0]?.hasAutoMargin).toBe(
      true,
    );
    expect(everyRow(classicPositionsOfSymbol.data.decode([{ ...CLASSIC_OPEN, autoMargin: "off" }]).list)[0]?.hasAutoMargin).toBe(
      false,
    );
  });

  it("is absent from a null list", () => {
    expect(positions.data.decode({ list: null })).toEqual({ list: [], cursor: null });
    expect(classicPositions.data.decode([])).toEqual({ list: [], cursor: null });
  });
});

describe("adjusting the margin of a position", () => {
  const ADJUSTMENT: ParametersOf<typeof classicSetMargin> = {
    symbol: "BTCUSDT",
    productType: "USDT-FUTURES",
    marginCoin: "USDT",
    holdSide: "long",
    amount: "10.5",
  };
  const broken = (changes: Partial<typeof ADJUSTMENT>) => violations(classicSetMargin, { ...ADJUSTMENT, ...changes }, NOW);

  it("goes out as it came", () => {
    expect(broken({})).toEqual([]);
    expect(encoded(classicSetMargin, ADJUSTMENT)).toEqual(ADJUSTMENT);
  });

  it("answers with nothing", () => {
    expect(classicSetMargin.data.decode("")).toBeNull();
  });
});
