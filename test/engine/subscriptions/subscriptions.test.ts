import { exact } from "@exchange-graph/contract/decimal";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { describe, expect, it } from "vitest";
import { eventually, settled } from "../../support/eventually.js";
import { liveGateway } from "../../support/gateway/liveGateway.js";
import { startedForEach } from "../../support/started.js";

const gateway = startedForEach(() => liveGateway());

const listen = (query: string, variables?: Readonly<Record<string, unknown>>) =>
  gateway.subscribe(gateway.client(), query, variables);

const MARKET = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
const BTC = 'category: USDT_FUTURES, symbol: "BTCUSDT"';
const TICKER = `subscription { ticker(${BTC}) { ticker { symbol lastPrice bid1Price } } }`;

const EACH = {
  ticker: `subscription { ticker(${BTC}) { ticker { symbol lastPrice instrument { symbol baseCoin } } } }`,
  orderBook: `subscription { orderBook(${BTC}, depth: L5) { orderBook { symbol isStale asks { price qty } bids { price qty } } } }`,
  trades: `subscription { trades(${BTC}) { trades { price qty side } } }`,
  candles: `subscription { candles(${BTC}, interval: MINUTE_1) { candles { open close } } }`,
  orders: "subscription { orders { orders { orderId status account { name } } } }",
  positions: "subscription { positions { positions { symbol posSide account { name } } } }",
  accountUpdates: "subscription { accountUpdates { account { name } balances { coin } } }",
} as const;

it.each(Object.entries(EACH))("%s: the current state comes first", async (field, query) => {
  const received = listen(query);
  await gateway.until(() => received.events.length > 0 || received.end !== "open");
  expect(received.end).toBe("open");
  expect(received.events[0]?.errors).toBeUndefined();
  expect(received.events[0]).toMatchObject({
    data: { [field]: expect.anything() },
    extensions: { stream: { kind: "snapshot", stale: false } },
  });
});

it("accepts a symbol in any letter case, letters outside ASCII included, and subscribes to it once", async () => {
  const client = gateway.client();
  const books = ["龙虾USDT", "龙虾usdt", "龙虾Usdt"].map((symbol) =>
    gateway.subscribe(
      client,
      `subscription { orderBook(category: SPOT, symbol: "${symbol}") { orderBook { symbol asks { price } } } }`,
    ),
  );
  const ticker = gateway.subscribe(
    client,
    'subscription { ticker(category: USDT_FUTURES, symbol: "龙虾usdt") { ticker { symbol } } }',
  );
  const candles = `subscription { candles(category: USDT_FUTURES, symbol: "龙虾usdt", interval: MINUTE_1) { candles { close } } }`;
  const each = [...books, ticker, gateway.subscribe(client, candles)];
  await gateway.until(() => each.every(({ events }) => events.length > 0));
  for (const book of books)
    expect(book.last.data.orderBook.orderBook).toMatchObject({ symbol: "龙虾USDT", asks: expect.any(Array) });
  expect(ticker.last.data.ticker.ticker).toEqual({ symbol: "龙虾USDT" });
  const topics = gateway.streams.gauges().topics.length;
  expect(topics).toBe(3);
  const reached = await gateway.ask(
    '{ orderBook(category: SPOT, symbol: "龙虾usdt") { symbol } ticker(category: USDT_FUTURES, symbol: "龙虾USDT") { symbol } }',
  );
  expect(reached.data).toEqual({ orderBook: { symbol: "龙虾USDT" }, ticker: { symbol: "龙虾USDT" } });
});

it("shows an order and its execution, from the mutation that placed it to its end", async () => {
  const client = gateway.client();
  const orders = gateway.subscribe(client, 'subscription { orders(account: "main") { orders { orderId status } } }');
  const fills = gateway.subscribe(client, 'subscription { fills(account: "main") { fills { orderId symbol } } }');
  await gateway.until(() => orders.events.length > 0 && gateway.streams.gauges().topics.every(({ isLive }) => isLive));
  const placed = gateway.subscribe(
    client,
    'mutation { placeOrder(input: { account: "main", category: USDT_FUTURES, symbol: "BTCUSDT", side: BUY, orderType: MARKET, qty: "0.01", idempotencyKey: "one" }) { order { orderId } } }',
  );
  await gateway.until(() => placed.end !== "open");
  expect(placed.last.errors).toBeUndefined();
  const { orderId } = placed.last.data.placeOrder.order;
  const states = () =>
    orders.events.flatMap(({ data }) => data.orders.orders).filter((order: { orderId: string }) => order.orderId === orderId);
  await gateway.until(() => states().at(-1)?.status === "FILLED");
  await gateway.until(() =>
    fills.events.some(({ data }) => data.fills.fills.some((fill: { orderId: string }) => fill.orderId === orderId)),
  );
});

it("emits a Classic spot order that waits for its trigger, and the order that it places", async () => {
  const query = 'subscription { orders(account: "classic") { orders { orderId tpslType triggerPrice status } } }';
  const received = listen(query);
  await gateway.until(() => received.events.length > 0 && gateway.streams.gauges().topics.every(({ isLive }) => isLive));
  const emitted = () => received.events.slice(1).flatMap(({ data }) => data.orders.orders);
  const { plans, state } = gateway.sandbox.world;
  const { listing } = state.markets.of("SPOT", "BTCUSDT");
  // A stop-loss that the price has already passed triggers at the next tick.
  const plan = plans.placeEntry({
    ...{ kind: "spot", role: "stopLoss", attachedTo: "1", triggerBy: "market" },
    triggerPrice: listing.grid.price(listing.steps(state.markets.tick) + 5_000),
    order: {
      ...{ uid: CLASSIC_UID, category: "SPOT", symbol: "BTCUSDT", side: "sell", orderType: "market" },
      quantity: exact("0.001"),
    },
  });
  await gateway.until(() => emitted().some(({ status }) => status === "FILLED"));
  const states = (id: string | undefined) => emitted().flatMap(({ orderId, status }) => (orderId === id ? [status] : []));
  expect(states(plan.planId)).toEqual(["NEW", "TRIGGERED"]);
  expect(emitted()[0]).toMatchObject({ orderId: plan.planId, tpslType: "TPSL", triggerPrice: expect.any(String) });
  expect(states(plan.orderId).at(-1)).toBe("FILLED");
});

/** Opens a position with a market order. */
function opened(uid: string) {
  const { orders, state } = gateway.sandbox.world;
  const terms = uid === CLASSIC_UID ? { marginCoin: "USDT", marginMode: "crossed" as const } : {};
  orders.place({ uid, ...MARKET, side: "buy", orderType: "market", quantity: exact("0.1"), ...terms });
  const found = state.positions.find({ uid, category: MARKET.category, symbol: MARKET.symbol, side: "long" });
  if (found === undefined) throw new Error("there is no position");
  return found;
}

it("liquidations: each as it happens, the largest of a second, of every symbol of the category", async () => {
  const received = listen("subscription { liquidations(category: USDT_FUTURES) { liquidations { symbol side price qty } } }");
  await gateway.until(() => gateway.streams.gauges().topics.some(({ isLive }) => isLive));
  const position = opened(MAIN_UID);
  const { events } = gateway.sandbox.world.state;
  for (const size of ["1.5", "3", "2"])
    events.emit({ kind: "liquidation", position, price: exact("60000.1"), size: exact(size) });
  await gateway.until(() => received.events.length > 0);
  const liquidation = { symbol: "BTCUSDT", price: "60000.1", qty: "3" };
  expect(received.events).toMatchObject([
    { data: { liquidations: { liquidations: [liquidation] } }, extensions: { stream: { kind: "update", stale: false } } },
  ]);
});

it.each([
  ["a unified account", "main", MAIN_UID, "tpsl"],
  ["a Classic account", "classic", CLASSIC_UID, "profit_plan"],
] as const)("plan orders of %s: what waits, what changes, and what ended while the line was cut", async (_, name, uid, kind) => {
  const { plans, state } = gateway.sandbox.world;
  opened(uid);
  const place = (away: number) => {
    const { listing } = state.markets.of(MARKET.category, MARKET.symbol);
    const triggerPrice = listing.grid.price(listing.steps(state.markets.tick) + away);
    return plans.placeTpsl({
      ...{ uid, ...MARKET, side: "long", kind, quantity: exact("0.05") },
      tpsl: [{ role: "takeProfit", triggerPrice, triggerBy: "mark" }],
    });
  };
  const [first, lost] = [place(5_000), place(6_000)];
  const query = `subscription { planOrders(account: "${name}") { planOrders { orderId status qty account { name } } } }`;
  const received = listen(query);
  await gateway.until(() => received.events.length > 0);
  expect(received.events[0]?.errors).toBeUndefined();
  expect(received.events[0]?.data.planOrders.planOrders.map(({ orderId }: { orderId: string }) => orderId).sort()).toEqual(
    [first.planId, lost.planId].sort(),
  );
  const emitted = () => received.events.slice(1).flatMap(({ data }) => data.planOrders.planOrders);
  plans.cancel(first);
  const second = place(7_000);
  await gateway.until(() => emitted().length === 2);
  const account = { name };
  expect(emitted()).toEqual([
    { orderId: first.planId, status: "CANCELLED", qty: "0.05", account },
    { orderId: second.planId, status: "LIVE", qty: "0.05", account },
  ]);
  gateway.sandbox.sockets.drop();
  await gateway.until(() => received.last.extensions?.stream?.stale === true);
  plans.cancel(lost);
  await gateway.until(() => received.last.extensions?.stream?.stale === false);
  // Fields of the pushed order that only the list contains are emitted as well.
  const ended = emitted().slice(2);
  expect(ended.filter(({ orderId }: { orderId: string }) => orderId !== second.planId)).toMatchObject([{ orderId: lost.planId }]);
});

it.each([
  ["a unified account", "main", MAIN_UID, "tpsl"],
  ["a Classic account", "classic", CLASSIC_UID, "pos_profit"],
] as const)("positions of %s: with their take-profit, after a push as well", async (_, name, uid, kind) => {
  const { plans, state } = gateway.sandbox.world;
  const { side } = opened(uid);
  const { listing } = state.markets.of(MARKET.category, MARKET.symbol);
  const place = (away: number) => {
    const triggerPrice = listing.grid.price(listing.steps(state.markets.tick) + away);
    return plans.placeTpsl({
      ...{ uid, ...MARKET, side, kind },
      tpsl: [{ role: "takeProfit", triggerPrice, triggerBy: "mark" }],
    });
  };
  const query = `subscription { positions(account: "${name}") { positions { symbol qty takeProfit { planOrderId } stopLoss { planOrderId } } } }`;
  const received = listen(query);
  await gateway.until(() => received.events.length > 0);
  const own = () =>
    received.events.flatMap(({ data, errors }) => {
      expect(errors).toBeUndefined();
      return data.positions.positions.filter(({ symbol }: { symbol: string }) => symbol === MARKET.symbol);
    });
  expect(own().at(-1)).toMatchObject({ takeProfit: null, stopLoss: null });
  const { planId } = place(9_000);
  opened(uid);
  await gateway.until(() => own().at(-1).qty === "0.2");
  expect(own().at(-1)).toMatchObject({ takeProfit: { planOrderId: planId }, stopLoss: null });
});

describe("listeners of the same", () => {
  it("share one subscription at the exchange, and each gets every event", async () => {
    const received = Array.from({ length: 20 }, () => listen(TICKER));
    await gateway.until(() => received.every(({ events }) => events.length > 3));
    expect(gateway.sandbox.sockets.gauges).toMatchObject({ connections: 1, subscriptions: 1 });
    expect(await gateway.open()).toEqual({ sockets: 20, listeners: 20, groups: 1 });
    const [first, ...others] = received.map(({ events }) => events.slice(-3));
    for (const other of others) expect(other).toEqual(first);
  });

  it("share it for any order of their variables, with a default given or omitted", async () => {
    const query =
      "subscription($c: ProductCategoryInput!, $s: String!, $p: PaceInput! = { mode: ALL }) { ticker(category: $c, symbol: $s, pace: $p) { ticker { symbol } } }";
    const [category, symbol] = [{ c: "USDT_FUTURES" }, { s: "BTCUSDT" }];
    const equal = [
      { ...category, ...symbol },
      { ...symbol, ...category },
      { ...category, ...symbol, p: { mode: "ALL" }, x: 1 },
    ];
    const received = equal.map((variables) => listen(query, variables));
    const other = listen(query, { ...category, s: "ETHUSDT" });
    await gateway.until(() => [...received, other].every(({ events }) => events.length > 0));
    expect(await gateway.open()).toEqual({ sockets: 4, listeners: 4, groups: 2 });
    expect(other.last.data.ticker.ticker.symbol).toBe("ETHUSDT");
  });

  it("who join later receive the current state before any change", async () => {
    const early = listen(TICKER);
    await gateway.until(() => early.events.length > 3);
    const late = listen(TICKER);
    await gateway.until(() => late.events.length > 3);
    expect(late.events[0]?.extensions?.stream?.kind).toBe("snapshot");
    const { data } = late.events[0] ?? { data: undefined };
    expect(early.events.map((event) => event.data)).toContainEqual(data);
    const times = late.events.map(({ extensions }) => extensions?.stream?.time ?? "");
    expect(times).toEqual(times.toSorted());
    expect(early.events.at(-1)).toEqual(late.events.at(-1));
    expect((await gateway.open()).groups).toBe(1);
  });
});

it("what is open at the exchange is shown to an operator, and when it is interrupted", async () => {
  const QUERY = "{ exchange { streams { stream topics live } connections { apiVersion account status topics } } }";
  const received = [TICKER, EACH.trades, EACH.orders].map((query) => listen(query));
  await gateway.until(() => received.every(({ events }) => events.length > 0));
  const { data } = await gateway.ask(QUERY);
  expect(data.exchange.streams).toEqual(["ticker", "trades", "orders"].map((stream) => ({ stream, topics: 1, live: 1 })));
  expect(data.exchange.connections).toEqual([
    { apiVersion: "v3", account: null, status: "READY", topics: 2 },
    { apiVersion: "v3", account: "main", status: "READY", topics: 1 },
  ]);
  gateway.sandbox.sockets.drop();
  await gateway.until(() => received.every(({ last }) => last.extensions?.stream?.stale === true));
  const cut = await gateway.ask("{ exchange { streams { live } } }");
  expect(cut.data.exchange.streams).toEqual([{ live: 0 }, { live: 0 }, { live: 0 }]);
});

describe("pace", () => {
  it("LATEST emits one event per interval, and counts the replaced events", async () => {
    const all = listen(`subscription { ticker(${BTC}, pace: { mode: ALL }) { ticker { lastPrice } } }`);
    const paced = listen(`subscription { ticker(${BTC}, pace: { mode: LATEST, everyMs: 5000 }) { ticker { lastPrice } } }`);
    await gateway.until(() => all.events.length > 0 && paced.events.length > 0);
    await gateway.pass(20_000);
    expect(paced.events.length).toBeGreaterThanOrEqual(3);
    expect(paced.events.length).toBeLessThanOrEqual(6);
    const missed = paced.events.reduce((sum, { extensions }) => sum + (extensions?.missed ?? 0), 0);
    expect(missed).toBeGreaterThan(10);
    expect(all.events.every(({ extensions }) => extensions?.missed === undefined)).toBe(true);
    expect(missed + paced.events.length).toBeLessThanOrEqual(all.events.length);
    expect(gateway.sandbox.sockets.gauges.subscriptions).toBe(1);
  });

  it("LATEST is current however long its joins take: events that arrived meanwhile are skipped and counted", async () => {
    gateway.sandbox.faults.add({ endpoint: "classicFuturesTickers", fault: { kind: "latency", delayMs: 3_000 } });
    const joined = `ticker(${BTC}) { ticker { lastPrice changeUtc24h } }`;
    const slow = listen(`subscription { ${joined} }`);
    const all = listen(`subscription { ticker(${BTC}, pace: { mode: ALL }) { ticker { lastPrice } } }`);
    await gateway.until(() => slow.events.length > 0);
    const lags: number[] = [];
    for (let received = slow.events.length; lags.length < 5; received = slow.events.length) {
      await gateway.until(() => slow.events.length > received);
      lags.push(gateway.clock.now() - Date.parse(slow.last.extensions?.stream?.time ?? ""));
    }
    expect(slow.last.errors).toBeUndefined();
    expect(Math.max(...lags)).toBeLessThan(4_000);
    const emitted = slow.events.reduce((sum, { extensions }) => sum + 1 + (extensions?.missed ?? 0), 0);
    expect(emitted).toBeGreaterThan(slow.events.length * 5);
    expect(emitted).toBeLessThanOrEqual(all.events.length);
    slow.leave();
    // The call in progress completes before everything is closed.
    await gateway.pass(3_000);
  });

  it("LATEST emits an account's complete state each time, which includes the skipped changes", async () => {
    const client = gateway.client();
    const followed = (field: string) => gateway.subscribe(client, `subscription { ${field} }`);
    const holdings = followed('accountUpdates(account: "classic") { balances { coin } futuresAccounts { category marginCoin } }');
    const positions = followed('positions(account: "classic", pace: { mode: LATEST }) { positions { symbol posSide qty } }');
    const orders = followed('orders(account: "classic", pace: { mode: LATEST }) { orders { orderId } }');
    const changes = followed('positions(account: "classic") { positions { symbol } }');
    const all = [holdings, positions, orders, changes];
    await gateway.until(() => all.every(({ events }) => events.length > 0));
    opened(CLASSIC_UID);
    opened(CLASSIC_UID);
    await gateway.until(() => positions.last.data.positions.positions.some(({ qty }: { qty: string }) => qty === "0.2"));
    await gateway.until(() => all.every(({ events }) => events.length > 1));
    for (const { events } of [holdings, positions, orders])
      for (const { extensions } of events) expect(extensions?.stream?.kind).toBe("snapshot");
    expect(changes.last.extensions?.stream?.kind).toBe("update");
    const [first] = holdings.events;
    for (const { data } of holdings.events) expect(data).toEqual(first?.data);
    expect(first?.data.accountUpdates.balances).not.toEqual([]);
    expect(first?.data.accountUpdates.futuresAccounts).not.toEqual([]);
  });

  it("is read from variables and their defaults", async () => {
    const query = `subscription($pace: PaceInput! = { mode: LATEST, everyMs: 60000 }) { ticker(${BTC}, pace: $pace) { ticker { lastPrice } } }`;
    const slow = listen(query);
    const fast = listen(query, { pace: { mode: "ALL" } });
    await gateway.until(() => fast.events.length > 10);
    expect(slow.events.length).toBe(1);
  });

  it("rejects an invalid interval", async () => {
    const received = listen(`subscription { ticker(${BTC}, pace: { mode: ALL, everyMs: 5 }) { ticker { lastPrice } } }`);
    await gateway.until(() => received.end !== "open");
    expect(received.last.errors).toMatchObject([{ extensions: { code: "BAD_USER_INPUT" } }]);
  });
});

describe("queries while a topic is live", () => {
  const trace = { "x-exchange-trace": "1" };
  const QUERY = `{ ticker(${BTC}) { symbol lastPrice } orderBook(${BTC}, depth: 5) { isStale asks { price } } }`;

  it("are answered from it, and report that source", async () => {
    const ticker = listen(TICKER);
    const book = listen(EACH.orderBook);
    await gateway.until(() => ticker.events.length > 0 && book.events.length > 0);
    const { data, extensions } = await gateway.ask(QUERY, trace);
    expect(extensions.exchange).toMatchObject({ upstreamCalls: 0, reads: [{ source: "STREAM" }, { source: "STREAM" }] });
    expect(data.ticker.symbol).toBe("BTCUSDT");
    expect(data.orderBook.asks).toHaveLength(5);
  });
});

it("calls that an event waits for are dropped once all its listeners have left", async () => {
  const { scheduler } = gateway.exchange;
  const deadlineAt = gateway.clock.now() + 60_000;
  const take = () => scheduler.acquire("instruments", "IP", { limit: 20, windowMs: 1_000, per: "IP" }, "read", deadlineAt);
  // Uses all connections that reads may have.
  const taken = await Promise.all(Array.from({ length: 7 }, take));
  const waiting = () => scheduler.buckets().find(({ endpoint }) => endpoint === "instruments")?.waiting ?? 0;
  const clients = [gateway.client(), gateway.client()];
  for (const client of clients) gateway.subscribe(client, EACH.ticker);
  await gateway.until(() => waiting() === 1);
  gateway.sandbox.calls.clear();
  clients[0]?.terminate();
  await settled();
  expect(waiting()).toBe(1);
  clients[1]?.terminate();
  await eventually(() => waiting() === 0);
  for (const permit of taken) permit.settle();
  await gateway.pass(2_000);
  expect(gateway.sandbox.calls.of("instruments").total).toBe(0);
});
