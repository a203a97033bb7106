import { unknownRecord } from "@exchange-graph/contract/codec";
import { exact } from "@exchange-graph/contract/decimal";
import { type Position, position as positionCodec } from "@exchange-graph/contract/position";
import { rowsRead } from "@exchange-graph/contract/rows";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { describe, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import { distanceToLiquidationOf, markedTo } from "../../../../src/datasources/reads/valuation/markToMarket.js";
import { passing } from "../../../support/eventually.js";
import { startedForEach } from "../../../support/started.js";
import { streamedSandbox } from "../../streams/support/streamedSandbox.js";

const world = startedForEach(() => streamedSandbox());

const MARKETS = [
  { category: "USDT-FUTURES", symbol: "BTCUSDT", marginCoin: "USDT", quantity: "0.013" },
  { category: "USDC-FUTURES", symbol: "BTCPERP", marginCoin: "USDC", quantity: "0.007" },
  { category: "COIN-FUTURES", symbol: "BTCUSD", marginCoin: "BTC", quantity: "0.011" },
] as const;

const figures = ({ category, posSide, markPrice, unrealisedPnl, margin, profitRate }: Position) => ({
  category,
  posSide,
  markPrice,
  unrealisedPnl,
  margin,
  profitRate,
});

describe("a position at another mark price", () => {
  it.each([
    ["main", "crossed"],
    ["main", "isolated"],
    ["classic", "crossed"],
    ["classic", "isolated"],
  ] as const)("has the exchange's own figures to the last digit: %s, %s", async (name, marginMode) => {
    const uid = name === "main" ? MAIN_UID : CLASSIC_UID;
    for (const { quantity, ...market } of MARKETS)
      for (const [at, share] of [1, 2].entries()) {
        world.sandbox.world.orders.place({
          uid,
          ...market,
          side: market.category === "USDC-FUTURES" ? "sell" : "buy",
          orderType: "market",
          quantity: exact(quantity).times(String(share)),
          marginMode,
        });
        // At several prices, so that the average is no round number.
        await world.pass(1_000 * (at + 1), 500);
      }
    const read = async () => {
      world.exchange.reader.drop(name, ["positions", "classicPositions"]);
      return rowsRead(await passing(world.clock, 10, readPositions(new RequestReads(world.exchange), world.account(name), {})));
    };
    const first = await read();
    expect(new Set(first.map(({ category }) => category)).size).toBe(3);
    for (let minute = 0; minute < 6; minute++) {
      await world.pass(20_000, 2_000);
      for (const position of await read()) {
        const before = first.find(({ symbol, posSide }) => symbol === position.symbol && posSide === position.posSide);
        if (before === undefined || position.markPrice === null) throw new Error("a position is missing");
        expect(figures(markedTo(before, position.markPrice))).toEqual(figures(position));
      }
    }
  });

  const HELD: Position = {
    ...unknownRecord(positionCodec),
    category: "USDT-FUTURES",
    categoryRaw: "USDT-FUTURES",
    symbol: "BTCUSDT",
    marginCoin: "USDT",
    posSide: "long",
    posSideRaw: "long",
    qty: "0.5",
    avgPrice: "60000",
    markPrice: "61000",
    leverage: "10",
    marginMode: "crossed",
    margin: "3050",
    unrealisedPnl: "500",
    profitRate: "0.1639344262",
  };

  it("stays as it was said where a formula does not give what the exchange said", () => {
    expect(markedTo({ ...HELD, unrealisedPnl: "500.1" }, "62000")).toMatchObject({ markPrice: "61000", unrealisedPnl: "500.1" });
    expect(markedTo({ ...HELD, margin: "3051", profitRate: "0.2" }, "62000")).toMatchObject({
      markPrice: "62000",
      unrealisedPnl: "1000",
      margin: "3051",
      profitRate: "0.2",
    });
  });
});

describe("the distance to liquidation", () => {
  it.each([
    ["long", "100", "80", "0.2"],
    ["long", "100", "120", "-0.2"],
    ["short", "100", "130", "0.3"],
    ["long", "100", null, null],
  ] as const)("of a %s at %s, liquidated at %s, is %s", (posSide, markPrice, liquidationPrice, distance) => {
    expect(distanceToLiquidationOf({ posSide, markPrice, liquidationPrice })).toBe(distance);
  });
});
