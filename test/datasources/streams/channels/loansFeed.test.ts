import { beforeEach, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import type { LoanEvent } from "../../../../src/datasources/reads/valuation/loanRisk.js";
import { LoansFeed } from "../../../../src/datasources/streams/channels/loans.js";
import type { MarketStreams } from "../../../../src/datasources/streams/listening.js";
import { settled } from "../../../support/eventually.js";
import { startedForEach } from "../../../support/started.js";
import { accountWorld } from "../support/accountWorld.js";
import { Written } from "../support/handFed.js";

const loan = (orderId: string, loanCoin: string, pledgeCoin: string) => ({
  orderId,
  loanCoin,
  loanAmount: "6000",
  interestAmount: "0",
  hourInterestRate: "0.001",
  pledgeCoin,
  pledgeAmount: "0.2",
  pledgeRate: "60",
  supRate: "75",
  forceRate: "83",
  borrowTime: "1767225600000",
  expireTime: "",
});

type TickerListener = Parameters<MarketStreams["ticker"]>[1];
type StreamedTicker = Parameters<TickerListener["next"]>[0]["value"];

const world = startedForEach(accountWorld);
let loans: object[];
let isDown: boolean;
const followed = new Map<string, TickerListener>();
beforeEach(() => {
  loans = [loan("1", "USDT", "BTC"), loan("2", "ETH", "BTC")];
  isDown = false;
  followed.clear();
  world.rest.on("/api/v3/loan/borrow-ongoing", () => (isDown ? { code: "40015", msg: "system error" } : { data: loans }));
  world.rest.on("/api/v3/market/tickers", () => ({
    data: ["BTC", "ETH"].map((coin) => ({ symbol: `${coin}USDT`, lastPrice: "50000" })),
  }));
});

function opened() {
  const ticker: MarketStreams["ticker"] = ({ symbol }, listener) => {
    followed.set(symbol, listener);
    return () => followed.delete(symbol);
  };
  const feed = new LoansFeed(world.upstream, { ticker }, () => new RequestReads(world.exchange), world.account);
  const heard = new Written<LoanEvent>();
  feed.start(heard);
  return { feed, heard };
}

const push = (symbol: string, lastPrice: string, stale = false) =>
  followed.get(symbol)?.next({ kind: "snapshot", time: 1, stale, value: { symbol, lastPrice } as StreamedTicker });

it("follows the price of each coin once, and emits the loans whose price has changed", async () => {
  const { feed, heard } = opened();
  await world.until(() => heard.events.length > 0);
  expect(heard.events[0]).toMatchObject({ kind: "snapshot", stale: false, value: { over: [] } });
  expect([...followed.keys()].sort()).toEqual(["BTCUSDT", "ETHUSDT"]);
  push("ETHUSDT", "3000");
  expect(heard.events[1]).toMatchObject({
    kind: "update",
    value: { loans: [{ orderId: "2", prices: { loanCoin: "3000", pledgeCoin: "50000" } }] },
  });
  push("ETHUSDT", "3000");
  expect(heard.events).toHaveLength(2);
  push("BTCUSDT", "40000", true);
  expect(heard.events[2]).toMatchObject({ stale: true, value: { loans: [] } });
  push("BTCUSDT", "40000");
  expect(heard.events[3]).toMatchObject({ stale: false, value: { loans: [{ orderId: "1" }, { orderId: "2" }] } });
  feed.stop();
  expect(followed.size).toBe(0);
});

it("emits loans that have ended, and leaves tickers that are not needed", async () => {
  const { feed, heard } = opened();
  await world.until(() => heard.events.length > 0);
  loans = [loan("1", "USDT", "BTC")];
  await world.until(() => heard.events.length > 1);
  expect(heard.events[1]).toMatchObject({ kind: "update", value: { loans: [], over: [{ orderId: "2" }] } });
  expect([...followed.keys()]).toEqual(["BTCUSDT"]);
  feed.stop();
});

it("is stale while the loans cannot be read, and ends where they never could", async () => {
  const { feed, heard } = opened();
  await world.until(() => heard.events.length > 0);
  isDown = true;
  await world.until(() => heard.events.length > 1);
  expect(heard.events[1]).toMatchObject({ stale: true });
  isDown = false;
  await world.until(() => feed.isLive);
  expect(heard.events.at(-1)).toMatchObject({ stale: false });
  feed.stop();
  isDown = true;
  world.clock.advance(60_000);
  const { heard: never } = opened();
  await world.until(() => never.fault !== undefined);
});

it("is stale when a reading is not answered within three seconds", async () => {
  const { feed, heard } = opened();
  await world.until(() => heard.events.length > 0);
  world.rest.on("/api/v3/loan/borrow-ongoing", () => "silence");
  world.clock.advance(5_000);
  await settled();
  expect(feed.isLive).toBe(true);
  world.clock.advance(3_000);
  expect([feed.isLive, heard.last.stale]).toEqual([false, true]);
});

it("emits the end of a loan once: a later answer that still has it does not bring it back", async () => {
  const { feed, heard } = opened();
  await world.until(() => heard.events.length > 0);
  const [kept, ended] = loans;
  if (kept === undefined || ended === undefined) throw new Error("there are two loans");
  loans = [kept];
  await world.until(() => heard.events.some(({ value: { over } }) => over.length > 0));
  loans = [kept, ended, loan("3", "USDT", "BTC")];
  await world.until(() => feed.current()?.value.loans.some(({ orderId }) => orderId === "3") === true);
  expect(feed.current()?.value.loans.map(({ orderId }) => orderId)).toEqual(["1", "3"]);
  expect(heard.events.flatMap(({ value: { over } }) => over.map(({ orderId }) => orderId))).toEqual(["2"]);
});
