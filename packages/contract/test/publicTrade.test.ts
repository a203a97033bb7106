import { describe, expect, it } from "vitest";
import { publicTrade } from "../src/publicTrade.js";

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
});
