import { describe, expect, it } from "vitest";
import { ticker } from "../src/ticker.js";
import samples from "./samples/ticker.json" with { type: "json" };
import { renamed } from "./support/renamed.js";

const { CANONICAL, CLASSIC } = samples;

const SPOT_ONLY = { indexPrice: null, markPrice: null, fundingRate: null, openInterest: null };

/** v3 does not have the price at midnight. */
const ABSENT = { openUtc: null, changeUtc24h: null, turnover24hUsdt: null };
const UNIFIED = {
  ...renamed({ ...CANONICAL, ...ABSENT }, { change24h: "price24hPcnt", bid1Qty: "bid1Size", ask1Qty: "ask1Size" }),
  category: "USDT-FUTURES",
  deliveryStartTime: "",
  deliveryTime: "",
  deliveryStatus: "",
  ts: "1767225600399",
};
describe("tickers", () => {
  it("read the same from v3, v2 futures and v2 spot", () => {
    expect(ticker.decode(UNIFIED)).toEqual({ ...CANONICAL, ...ABSENT });
    expect(
      ticker.decode({
        ...CLASSIC,
        open24h: "3000",
        indexPrice: "3100.1",
        markPrice: "3100.2",
        fundingRate: "-0.0001",
        holdingAmount: "40000",
        deliveryStartTime: null,
        deliveryTime: null,
        deliveryStatus: "",
      }),
    ).toEqual(CANONICAL);
    expect(ticker.decode({ ...CLASSIC, open: "3000" })).toEqual({ ...CANONICAL, ...SPOT_ONLY });
  });

  it("have no price on an empty side of the book", () => {
    expect(ticker.decode({ ...UNIFIED, bid1Price: "", bid1Size: "0" })).toMatchObject({ bid1Price: null, bid1Qty: "0" });
  });

  it("know how far a delivery has come", () => {
    const wire = { ...UNIFIED, deliveryStatus: "delivery_period", deliveryTime: "1774569600000" };
    expect(ticker.decode(wire)).toMatchObject({ deliveryStatus: "delivery_period", deliveryTime: 1_774_569_600_000 });
  });
});
