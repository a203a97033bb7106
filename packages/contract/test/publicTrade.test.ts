import { describe, expect, it } from "vitest";
import { classicFuturesTrades, classicSpotTrades, publicTrade, publicTrades } from "../src/publicTrade.js";
import { refused } from "./support/refused.js";

const TRADE = { price: "64250.1", qty: "0.012", side: "buy", sideRaw: "buy", time: 1_767_225_600_101 };

describe("public trades", () => {
  it("read the same from either API version, apart from what v2 does not send", () => {
    const common = { price: "64250.1", size: "0.012", side: "buy", ts: "1767225600101" };
    expect(
      publicTrade.decode({ ...common, execId: "1391230000000000001", execLinkId: "1391230000000000000", isRPI: "yes" }),
    ).toEqual({
      ...TRADE,
      execId: "1391230000000000001",
      execLinkId: "1391230000000000000",
      isRPI: true,
    });
    expect(publicTrade.decode({ ...common, tradeId: "77", symbol: "BTCUSDT" })).toEqual({
      ...TRADE,
      execId: "77",
      execLinkId: null,
      isRPI: null,
    });
  });

  it.each([
    ["publicTrades", (limit: number) => refused(publicTrades, { category: "SPOT", symbol: "BTCUSDT", limit }), 100],
    ["classicSpotTrades", (limit: number) => refused(classicSpotTrades, { symbol: "BTCUSDT", limit }), 500],
    [
      "classicFuturesTrades",
      (limit: number) => refused(classicFuturesTrades, { symbol: "BTCUSDT", productType: "USDT-FUTURES", limit }),
      100,
    ],
  ] as const)("of %s are as many as the exchange allows", (_, refusedAt, most) => {
    for (const limit of [1, most]) expect(refusedAt(limit)).toEqual([]);
    for (const limit of [0, most + 1]) expect(refusedAt(limit)).toEqual(["limit"]);
  });

  it("are asked for by symbol", () => {
    expect(refused(publicTrades, { category: "SPOT" } as never)).toEqual(["symbol"]);
    expect(refused(classicFuturesTrades, { symbol: "BTCUSDT" } as never)).toEqual(["productType"]);
  });
});
