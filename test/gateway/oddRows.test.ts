import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { classicPlan, unifiedOrder, unifiedPosition, wireInstrument } from "../datasources/support/wireRows.js";
import { accountNamed } from "../support/exchangeOver.js";
import { type GraphGateway, graphGateway } from "../support/gateway/graphGateway.js";
import { post } from "../support/gateway/tinyGateway.js";

const SETTINGS = "/api/v3/account/settings";
const POSITIONS = "/api/v3/position/current-position";
const OPEN = "/api/v3/trade/unfilled-orders";
const ORDER = "/api/v3/trade/order-info";
const PLANS = "/api/v2/mix/order/orders-plan-pending";
const SUB_ACCOUNTS = "/api/v2/mix/account/sub-account-assets";
const T0 = Date.UTC(2028, 4, 31, 11);

interface Answered {
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on the query
  readonly data: any;
  readonly errors?: readonly {
    readonly message: string;
    readonly path: readonly (string | number)[];
    readonly extensions: { readonly code: string; readonly retryable: boolean; readonly endpoint?: string };
  }[];
}

describe("unusual data from the exchange", () => {
  let gateway: GraphGateway;
  beforeEach(async () => {
    gateway = await graphGateway({ accounts: [accountNamed("main"), accountNamed("other"), accountNamed("classic")] });
    gateway.upstream.on(SETTINGS, ({ headers }) =>
      headers["access-key"] === "classic-key"
        ? { code: "40084", msg: "You are in Classic Account mode" }
        : { data: { uid: "1", accountMode: "unified", holdMode: "one_way_mode" } },
    );
  });
  afterEach(() => gateway.close());
  const ask = async (query: string): Promise<Answered> => (await gateway.while(post(gateway.url, { query }))).json();
  const of = (account: string, selection: string) => ask(`{ account(name: "${account}") { ${selection} } }`);

  it("empty text counts as a missing key: a plan order without an update time gets its creation time", async () => {
    gateway.upstream.on(PLANS, ({ query }) => ({
      data: {
        entrustedList: query.get("planType") === "normal_plan" ? [{ ...classicPlan("1", T0, "normal_plan"), uTime: "" }] : [],
      },
    }));
    const { data, errors } = await of(
      "classic",
      "planOrders(category: USDT_FUTURES) { nodes { orderId createdTime updatedTime } }",
    );
    expect(errors).toBeUndefined();
    const at = new Date(T0).toISOString();
    expect(data.account.planOrders.nodes).toEqual([{ orderId: "1", createdTime: at, updatedTime: at }]);
  });

  it("empty text at an endpoint with a low rate limit costs one call, and no figure is invented", async () => {
    gateway.upstream.on(SUB_ACCOUNTS, {
      data: [{ userId: "7", assetList: [{ marginCoin: "USDT", available: "5", coupon: "", locked: "" }] }],
    });
    const { data, errors } = await of(
      "classic",
      "subAccountFuturesAssets(productType: USDT_FUTURES) { subUid assets { marginCoin available bonus locked equityUsdt } }",
    );
    expect(errors).toBeUndefined();
    expect(data.account.subAccountFuturesAssets).toEqual([
      { subUid: "7", assets: [{ marginCoin: "USDT", available: "5", bonus: null, locked: null, equityUsdt: null }] },
    ]);
  });

  it("an invalid row affects only itself, and its error names the index and the field", async () => {
    const list = [unifiedPosition("USDT-FUTURES", "BTCUSDT"), { ...unifiedPosition("USDT-FUTURES", "ETHUSDT"), total: "much" }];
    gateway.upstream.on(POSITIONS, { data: { list: [...list, unifiedPosition("USDT-FUTURES", "SOLUSDT")] } });
    gateway.upstream.on("/api/v3/market/instruments", { data: ["BTCUSDT", "SOLUSDT"].map(wireInstrument) });
    const { data, errors } = await of("main", "positions(category: USDT_FUTURES) { symbol qty instrument { symbol } }");
    expect(data.account.positions).toEqual([
      { symbol: "BTCUSDT", qty: "0.02", instrument: { symbol: "BTCUSDT" } },
      null,
      { symbol: "SOLUSDT", qty: "0.02", instrument: { symbol: "SOLUSDT" } },
    ]);
    expect(errors).toMatchObject([
      {
        message: "positions: data.list[1].total: expected a decimal number",
        path: ["account", "positions", 1],
        extensions: { code: "EXCHANGE_BAD_RESPONSE", retryable: false, endpoint: "positions" },
      },
    ]);
    expect(gateway.upstream.callsOf(POSITIONS)).toHaveLength(1);
    expect(await gateway.metrics.registry.metrics()).toContain(
      'exchange_graph_unread_total{source="positions",field="list.total"} 1',
    );
  });

  it("a list that is filtered by name reports whether the invalid row may be the requested one", async () => {
    const named = (symbol: string) => of("main", `positions(category: USDT_FUTURES, symbol: "${symbol}") { symbol }`);
    const odd = { ...unifiedPosition("USDT-FUTURES", "ETHUSDT"), total: "much" };
    gateway.upstream.on(POSITIONS, { data: { list: [unifiedPosition("USDT-FUTURES", "BTCUSDT"), odd] } });
    expect(await named("BTCUSDT")).toMatchObject({ data: { account: { positions: [{ symbol: "BTCUSDT" }] } } });
    expect((await named("BTCUSDT")).errors).toBeUndefined();
    expect((await named("ethusdt")).errors?.map(({ path }) => path)).toEqual([["account", "positions", 0]]);
  });

  it("an invalid row keeps its index in edges and nodes, and cursors lead past it", async () => {
    const rows = [1, 2, 3, 4].map((at) => unifiedOrder(String(at), T0 - at));
    const wire = [rows[0], { ...rows[1], orderId: "" }, { ...rows[2], side: 7, qty: [] }, rows[3]];
    gateway.upstream.on(OPEN, ({ query }) => {
      const begin = Number.parseInt(query.get("cursor") ?? "0", 10);
      const limit = Number.parseInt(query.get("limit") ?? "100", 10);
      return { data: { list: wire.slice(begin, begin + limit), cursor: String(begin + limit) } };
    });
    const page = (first: number, after?: string) =>
      of(
        "main",
        `openOrders(first: ${first}${after === undefined ? "" : `, after: "${after}"`}) { edges { node { orderId } } nodes { orderId } pageInfo { endCursor hasNextPage } }`,
      );
    const whole = await page(4);
    expect(whole.data.account.openOrders.nodes).toEqual([{ orderId: "1" }, null, null, { orderId: "4" }]);
    expect(whole.data.account.openOrders.edges.map(({ node }: { node: unknown }) => node)).toEqual(
      whole.data.account.openOrders.nodes,
    );
    expect(whole.errors?.map(({ path }) => path.slice(2).join("."))).toEqual([
      "edges.1.node",
      "edges.2.node",
      "nodes.1",
      "nodes.2",
    ]);
    for (const first of [1, 2, 3]) {
      const seen: unknown[] = [];
      for (let after: string | undefined; ; ) {
        const { data } = await page(first, after);
        const { nodes, pageInfo } = data.account.openOrders;
        seen.push(...nodes);
        if (!pageInfo.hasNextPage || seen.length > 10) break;
        after = pageInfo.endCursor;
      }
      expect(seen).toEqual([{ orderId: "1" }, null, null, { orderId: "4" }]);
    }
  });

  it("a record without its identifier is an error immediately: no retry, and no circuit breaker opens", async () => {
    gateway.upstream.on(ORDER, { data: { ...unifiedOrder("1", T0), orderId: "" } });
    for (let time = 0; time < 6; time++) {
      const { errors } = await of("main", 'order(by: { orderId: "1" }) { orderId }');
      expect(errors).toMatchObject([
        { message: "order: data.orderId: expected text", extensions: { code: "EXCHANGE_BAD_RESPONSE", retryable: false } },
      ]);
    }
    expect(gateway.upstream.callsOf(ORDER)).toHaveLength(6);
    expect(gateway.exchange.reader.breakers()).toEqual([]);
  });

  it("problems of one account do not affect others, and their errors name the cause", async () => {
    gateway.upstream.on(POSITIONS, ({ headers }) =>
      headers["access-key"] === "main-key"
        ? { raw: "", status: 502 }
        : { data: { list: [unifiedPosition("USDT-FUTURES", "BTCUSDT")] } },
    );
    const positions = "positions(category: USDT_FUTURES) { symbol }";
    for (let time = 0; time < 2; time++) await of("main", positions);
    expect((await of("main", positions)).errors?.[0]?.message).toBe(
      "positions: the last calls have failed, so none is sent for a moment; the last error: positions: the exchange answered with HTTP 502",
    );
    expect((await of("other", positions)).data.account.positions).toEqual([{ symbol: "BTCUSDT" }]);
    expect(gateway.exchange.reader.breakers()).toEqual([{ endpoint: "positions", account: "main", state: "OPEN" }]);
  });

  it("a retry without rate budget reports the previous attempt's error", async () => {
    gateway.upstream.on(SUB_ACCOUNTS, { raw: "", status: 502 });
    const { errors } = await of("classic", "subAccountFuturesAssets(productType: USDT_FUTURES) { subUid }");
    expect(errors?.map(({ message }) => message)).toEqual(["sub-account futures assets: the exchange answered with HTTP 502"]);
  });

  it("a figure that its record does not need is null if it cannot be decoded, and is counted", async () => {
    gateway.upstream.on("/api/v2/mix/account/accounts", {
      data: [{ marginCoin: "USDT", available: "5", unionTotalMargin: "111,1", assetMode: { union: true } }],
    });
    const { data, errors } = await of(
      "classic",
      "futuresAccounts(productType: USDT_FUTURES) { marginCoin available assetMode unionTotalMargin }",
    );
    expect(errors).toBeUndefined();
    expect(data.account.futuresAccounts).toEqual([
      { marginCoin: "USDT", available: "5", assetMode: null, unionTotalMargin: null },
    ]);
    const counted = await gateway.metrics.registry.metrics();
    for (const field of ["unionTotalMargin", "assetMode"])
      expect(counted).toContain(`exchange_graph_unread_total{source="futuresAccounts",field="${field}"} 1`);
  });

  it("fields and values that the interface does not have are counted once each, by endpoint", async () => {
    const order = { ...unifiedOrder("1", T0), orderStatus: "paused", newFigure: "1", inner: { deep: "1" } };
    gateway.upstream.on(OPEN, {
      data: { list: [order, { ...order, orderId: "2", stpMode: "maybe" }], cursor: null, more: true },
    });
    for (let time = 0; time < 2; time++) {
      const { data, errors } = await of("main", "openOrders(first: 2) { nodes { orderId status statusRaw } }");
      expect(errors).toBeUndefined();
      expect(data.account.openOrders.nodes[0]).toEqual({ orderId: "1", status: "UNRECOGNIZED", statusRaw: "paused" });
      gateway.clock.advance(5_000);
    }
    expect(gateway.upstream.callsOf(OPEN).length).toBeGreaterThan(1);
    const counted = (await gateway.metrics.registry.metrics())
      .split("\n")
      .filter((line) => line.startsWith("exchange_graph_unknown"));
    expect(counted.sort()).toEqual([
      'exchange_graph_unknown_total{source="openOrders",kind="field"} 3',
      'exchange_graph_unknown_total{source="openOrders",kind="value"} 2',
    ]);
  });

  it("a value computed from a list is an error if a row of it cannot be decoded, and null if a part is missing", async () => {
    const assets = (second: object) => ({ data: { assets: [{ coin: "USDT", equity: "5" }, second] } });
    gateway.upstream.on("/api/v3/market/tickers", { data: [{ symbol: "BTCUSDT", lastPrice: "10" }] });
    gateway.upstream.on("/api/v3/account/assets", assets({ coin: ["BTC"], equity: "5" }));
    const broken = await of("main", "totalEquity balances { coin equity valueUsdt }");
    expect(broken.data.account).toEqual({ totalEquity: null, balances: [{ coin: "USDT", equity: "5", valueUsdt: "5" }, null] });
    expect(broken.errors?.map(({ path }) => path.slice(1))).toEqual(expect.arrayContaining([["totalEquity"], ["balances", 1]]));
    gateway.clock.advance(1_000);
    for (const equity of ["", "x"]) {
      gateway.upstream.on("/api/v3/account/assets", assets({ coin: "BTC", equity }));
      const withoutEquity = await of("main", "totalEquity balances { coin equity valueUsdt }");
      expect(withoutEquity.errors).toBeUndefined();
      expect(withoutEquity.data.account.totalEquity).toBeNull();
      expect(withoutEquity.data.account.balances[1]).toEqual({ coin: "BTC", equity: null, valueUsdt: null });
      gateway.clock.advance(1_000);
    }
  });

  it("a join into a list reports why its row is invalid, and is null for unlisted rows", async () => {
    gateway.upstream.on(POSITIONS, {
      data: { list: ["BTCUSDT", "ETHUSDT", "SOLUSDT"].map((symbol) => unifiedPosition("USDT-FUTURES", symbol)) },
    });
    gateway.upstream.on("/api/v3/market/instruments", {
      data: [wireInstrument("BTCUSDT"), { ...wireInstrument("ETHUSDT"), symbol: ["ETHUSDT"] }],
    });
    const query = "positions(category: USDT_FUTURES) { symbol instrument { symbol } }";
    const joined = [
      { symbol: "BTCUSDT", instrument: { symbol: "BTCUSDT" } },
      { symbol: "ETHUSDT", instrument: null },
      { symbol: "SOLUSDT", instrument: null },
    ];
    const { data, errors } = await of("main", query);
    expect(data.account.positions).toEqual(joined);
    // The invalid row may be either of them.
    expect(errors?.map(({ message, path }) => [message, path.slice(1)])).toEqual([
      ["instruments: data[1].symbol: expected text", ["positions", 1, "instrument"]],
      ["instruments: data[1].symbol: expected text", ["positions", 2, "instrument"]],
    ]);
    gateway.clock.advance(2 * 3_600_000);
    gateway.upstream.on("/api/v3/market/instruments", { data: [wireInstrument("BTCUSDT")] });
    const unlisted = await of("main", query);
    expect(unlisted.data.account.positions).toEqual(joined);
    expect(unlisted.errors).toBeUndefined();
  });
});
