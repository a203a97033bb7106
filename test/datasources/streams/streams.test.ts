import type { Candle } from "@exchange-graph/contract/candle";
import type { StreamedOrder } from "@exchange-graph/contract/channels/order";
import type { StreamedTicker } from "@exchange-graph/contract/channels/ticker";
import { exact } from "@exchange-graph/contract/decimal";
import type { Fill } from "@exchange-graph/contract/fill";
import type { Position } from "@exchange-graph/contract/position";
import type { PublicTrade } from "@exchange-graph/contract/publicTrade";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ShownBook } from "../../../src/datasources/streams/index.js";
import type { AccountHoldings } from "../../../src/datasources/streams/state/holdings.js";
import { Heard, type StreamedSandbox, streamedSandbox } from "./support/streamedSandbox.js";

const BTC = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
const GENERATIONS = ["v3", "v2"] as const;

let world: StreamedSandbox;
afterEach(async () => {
  await world.close();
});

const place = (uid: string, side: "buy" | "sell", far: boolean) => {
  const { markets } = world.sandbox.world.state;
  const market = markets.of(BTC.category, BTC.symbol);
  const { order } = world.sandbox.world.orders.place({
    uid,
    ...BTC,
    side,
    orderType: far ? "limit" : "market",
    ...(far ? { price: market.listing.grid.price(market.listing.steps(markets.tick) - 500) } : {}),
    quantity: exact("0.01"),
    ...(uid === CLASSIC_UID ? { marginCoin: "USDT", marginMode: "crossed" as const } : {}),
  });
  return order;
};

describe.each(GENERATIONS)("public streams over %s", (apiVersion) => {
  beforeEach(async () => {
    world = await streamedSandbox(apiVersion);
  });

  it("emit the current state, then changes, with one subscription at the exchange each", async () => {
    const { streams, sandbox } = world;
    const ticker = new Heard<StreamedTicker>();
    const trades = new Heard<readonly PublicTrade[]>();
    const candles = new Heard<readonly Candle[]>();
    const books = [new Heard<ShownBook>(), new Heard<ShownBook>()];
    const leaves = [
      streams.market.ticker(BTC, ticker),
      streams.market.trades(BTC, trades),
      streams.market.candles({ ...BTC, interval: "1m" }, candles),
      ...books.map((book) => streams.market.orderBook(BTC, { depth: 5 }, book)),
    ];
    await world.pass(5_000);
    expect(ticker.events[0]).toMatchObject({ kind: "snapshot", stale: false, value: { symbol: "BTCUSDT" } });
    expect(ticker.events.length).toBeGreaterThan(5);
    expect(trades.events[0]).toMatchObject({ kind: "snapshot" });
    expect(candles.events[0]).toMatchObject({ kind: "snapshot" });
    expect(candles.events[0]?.value.length).toBeGreaterThan(10);
    expect(books[0]?.last.value.asks).toHaveLength(5);
    expect(books[0]?.events).toEqual(books[1]?.events);
    expect(sandbox.sockets.gauges).toMatchObject({ connections: 1, subscriptions: 4 });
    const late = new Heard<StreamedTicker>();
    leaves.push(streams.market.ticker(BTC, late));
    expect(late.events).toEqual([{ ...ticker.last, kind: "snapshot" }]);
    for (const leave of leaves) leave();
    await world.pass(15_000, 500);
    expect(streams.gauges()).toMatchObject({ topics: [], connections: [] });
    expect(sandbox.sockets.gauges).toMatchObject({ connections: 0, subscriptions: 0, violations: 0 });
    expect(world.unreadable).toEqual([]);
  });

  it("answer for queries while they are live, and only then", async () => {
    const { streams, sandbox } = world;
    expect(streams.market.liveTicker(BTC)).toBeUndefined();
    const ticker = new Heard<StreamedTicker>();
    const book = new Heard<ShownBook>();
    streams.market.ticker(BTC, ticker);
    streams.market.orderBook(BTC, { depth: 5 }, book);
    await world.until(() => ticker.events.length > 0 && book.events.length > 0);
    expect(streams.market.liveTicker(BTC)).toEqual(ticker.last.value);
    expect(streams.market.liveBook(BTC, { depth: 1 })?.asks).toEqual(book.last.value.asks.slice(0, 1));
    expect(streams.market.liveBook(BTC, { depth: 50 })).toBeUndefined();
    sandbox.sockets.drop();
    await world.until(() => ticker.last.stale && book.last.stale);
    expect(streams.market.liveTicker(BTC)).toBeUndefined();
    expect(streams.market.liveBook(BTC, { depth: 1 })).toBeUndefined();
    await world.until(() => !ticker.last.stale && !book.last.stale);
    expect(streams.market.liveTicker(BTC)).toEqual(ticker.last.value);
  });

  it("say what the exchange says to a symbol that it does not have, and go on with the others", async () => {
    const ticker = new Heard<StreamedTicker>();
    const bad = new Heard<StreamedTicker>();
    world.streams.market.ticker(BTC, ticker);
    world.streams.market.ticker({ ...BTC, symbol: "NOSUCHSYMBOL" }, bad);
    await world.until(() => bad.fault !== undefined && ticker.events.length > 0);
    expect(bad.fault).toMatchObject({ code: "BAD_USER_INPUT", extensions: { exchange: { code: "30001" } } });
    expect(world.streams.gauges().topics).toMatchObject([{ stream: "ticker", listeners: 1, isLive: true }]);
  });
});

describe("private streams", () => {
  const ACCOUNTS = [
    ["a unified account", "main", MAIN_UID],
    ["a Classic account", "classic", CLASSIC_UID],
  ] as const;
  beforeEach(async () => {
    world = await streamedSandbox();
  });

  it.each(ACCOUNTS)("of %s emit orders, fills, positions and holdings as they change", async (_, name, uid) => {
    const { streams } = world;
    const account = world.account(name);
    const orders = new Heard<readonly StreamedOrder[]>();
    const fills = new Heard<readonly Fill[]>();
    const positions = new Heard<readonly Position[]>();
    const holdings = new Heard<AccountHoldings>();
    const leaves = [
      streams.accounts.listen("orders", account, orders),
      streams.accounts.listen("fills", account, fills),
      streams.accounts.listen("positions", account, positions),
      streams.accounts.listen("accountUpdates", account, holdings),
    ];
    await world.until(() => [orders, positions, holdings].every(({ events }) => events.length > 0));
    await world.pass(2_000);
    expect([orders.events[0]?.kind, positions.events[0]?.kind, holdings.events[0]?.kind]).toEqual([
      "snapshot",
      "snapshot",
      "snapshot",
    ]);
    const { orderId: id } = place(uid, "buy", false);
    await world.until(() =>
      orders.events.some(({ value }) => value.some((one) => one.orderId === id && one.status === "filled")),
    );
    await world.pass(2_000);
    const fill = fills.events.flatMap(({ value }) => value).find(({ orderId }) => orderId === id);
    expect(fill).toMatchObject({ category: "USDT-FUTURES", side: "buy" });
    expect(positions.last.value).toMatchObject([{ category: "USDT-FUTURES", symbol: "BTCUSDT", posSide: "long" }]);
    expect(holdings.events.length).toBeGreaterThan(1);
    expect([orders, fills, positions, holdings].map(({ fault }) => fault)).toEqual([undefined, undefined, undefined, undefined]);
    for (const leave of leaves) leave();
    await world.pass(15_000, 500);
    expect(streams.gauges()).toMatchObject({ topics: [], connections: [] });
    expect(world.sandbox.sockets.gauges).toMatchObject({ connections: 0, subscriptions: 0, violations: 0 });
    expect(world.unreadable).toEqual([]);
  });

  it("make cached reads stale as soon as a push says so", async () => {
    const account = world.account("main");
    const dropped: string[] = [];
    const { reader } = world.exchange;
    const drop = reader.drop.bind(reader);
    reader.drop = (owner, endpoints) => {
      dropped.push(...endpoints);
      drop(owner, endpoints);
    };
    const orders = new Heard<readonly StreamedOrder[]>();
    world.streams.accounts.listen("orders", account, orders);
    await world.until(() => orders.events.length > 0);
    dropped.length = 0;
    place(MAIN_UID, "buy", true);
    await world.until(() => orders.events.length > 1);
    expect(dropped).toEqual(expect.arrayContaining(["openOrders", "unifiedAssets"]));
  });

  it("notify listeners of the end when they are closed", async () => {
    const orders = new Heard<readonly StreamedOrder[]>();
    world.streams.accounts.listen("orders", world.account("main"), orders);
    await world.until(() => orders.events.length > 0);
    await world.streams.close();
    expect(orders.fault?.code).toBe("EXCHANGE_UNAVAILABLE");
    await world.pass(1_000);
    expect(world.streams.gauges()).toMatchObject({ topics: [], connections: [] });
  });
});
