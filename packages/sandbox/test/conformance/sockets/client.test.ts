import { once } from "node:events";
import {
  RestClientV2,
  RestClientV3,
  WebsocketAPIClient,
  WebsocketClientV2,
  WebsocketClientV3,
  WS_KEY_MAP,
  type WsTopicV2,
  type WsTopicV3,
} from "bitget-api";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox.js";
import { belowMarket } from "../../support/prices.js";
import { credentialOf } from "../../support/signedCall.js";

/**
 * An independent client's sockets, as they come from npm, against the sandbox: public and private topics of both
 * API versions, and an order that is placed by a call, seen in a push, cancelled, seen again and read back.
 */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const open: { closeAll(force?: boolean): void }[] = [];
afterEach(() => {
  for (const client of open.splice(0)) client.closeAll(true);
});

const silent = { trace: () => {}, info: () => {}, error: () => {} };
const keys = (name: "main" | "classic") => {
  const { key, secret, passphrase } = credentialOf(name);
  return { apiKey: key, apiSecret: secret, apiPass: passphrase };
};

/** A pushed record, as far as these tests look at it. */
type Row = Readonly<Record<string, unknown>>;
interface Update {
  readonly action: string;
  readonly arg: Row;
  readonly data: readonly unknown[];
}

/** What a client reports about its socket. */
interface Emitter {
  on(event: "update" | "response" | "exception", listener: (message: never) => void): unknown;
}

/** Collects what a client receives, and lets a test wait for a part of it. */
class Received {
  readonly exceptions: unknown[] = [];
  readonly responses: Row[] = [];
  readonly #updates: Update[] = [];
  #waiting: { readonly wants: (update: Update) => boolean; readonly resolve: (update: Update) => void } | undefined;

  constructor(client: Emitter) {
    client.on("exception", (exception) => this.exceptions.push(exception));
    client.on("response", (response) => this.responses.push(response));
    client.on("update", (update: Update) => {
      this.#updates.push(update);
      if (!this.#waiting?.wants(update)) return;
      this.#waiting.resolve(update);
      this.#waiting = undefined;
    });
  }

  /** The first update that has come, or that comes, of this kind. */
  update(wants: (update: Update) => boolean): Promise<Update> {
    const came = this.#updates.find(wants);
    return came === undefined
      ? new Promise((resolve) => {
          this.#waiting = { wants, resolve };
        })
      : Promise.resolve(came);
  }

  /** The first record that was pushed on a topic and passes. */
  async row(topic: string, wants: (row: Row) => boolean = () => true): Promise<Row> {
    const isRow = (row: unknown): row is Row => typeof row === "object" && row !== null;
    const wanted = (data: readonly unknown[]) => data.filter(isRow).find(wants);
    const { data } = await this.update(({ arg, data }) => (arg.topic ?? arg.channel) === topic && wanted(data) !== undefined);
    return wanted(data) ?? {};
  }
}

function classic(access: "public" | "private"): { readonly client: WebsocketClientV2; readonly received: Received } {
  const account = access === "private" ? keys("classic") : {};
  const client = new WebsocketClientV2({ ...account, wsUrl: `${sandbox.wsUrl}/v2/ws/${access}` }, silent);
  open.push(client);
  return { client, received: new Received(client) };
}

function unified(access: "public" | "private"): { readonly client: WebsocketClientV3; readonly received: Received } {
  const account = access === "private" ? keys("main") : {};
  const client = new WebsocketClientV3({ ...account, wsUrl: `${sandbox.wsUrl}/v3/ws/${access}` }, silent);
  open.push(client);
  return { client, received: new Received(client) };
}

const levels = (side: unknown): number => (Array.isArray(side) ? side.length : 0);

describe("public topics", () => {
  it("of v2 reach the client", async () => {
    const { client, received } = classic("public");
    for (const topic of ["ticker", "trade", "candle1m", "books5", "books15", "books1", "books"]) {
      void client.subscribeTopic("USDT-FUTURES", topic as WsTopicV2, "BTCUSDT");
    }
    void client.subscribeTopic("SPOT", "ticker", "ETHUSDT");
    expect(await received.row("ticker", ({ instId }) => instId === "ETHUSDT")).toMatchObject({ lastPr: expect.any(String) });
    expect(await received.row("ticker", ({ instId }) => instId === "BTCUSDT")).toMatchObject({ symbolType: 1 });
    expect(await received.row("trade")).toMatchObject({ tradeId: expect.stringMatching(/^\d{19}$/), side: expect.any(String) });
    expect(await received.row("candle1m")).toHaveLength(8);
    const depths = await Promise.all(
      ["books1", "books5", "books15"].map(async (topic) => levels((await received.row(topic)).asks)),
    );
    expect(depths).toEqual([1, 5, 15]);
    const update = await received.update(({ arg, action }) => arg.channel === "books" && action === "update");
    expect(update.data).toMatchObject([{ seq: expect.any(Number), checksum: expect.any(Number) }]);
    expect(received.exceptions).toEqual([]);
  });

  it("of v3 reach the client", async () => {
    const { client, received } = unified("public");
    const about = { instType: "usdt-futures", symbol: "BTCUSDT" } as const;
    const topics = ["ticker", "publicTrade", "books5", "books50", "books", "rpi-books1"];
    const plain = topics.map((topic) => ({ topic: topic as WsTopicV3, payload: about }));
    const kline = { topic: "kline" as const, payload: { ...about, interval: "1m" } };
    void client.subscribe([...plain, kline], WS_KEY_MAP.v3Public);
    expect(await received.row("ticker")).toMatchObject({ lastPrice: expect.any(String), markPrice: expect.any(String) });
    expect(await received.row("publicTrade")).toMatchObject({ p: expect.any(String), S: expect.any(String) });
    expect(await received.row("kline")).toMatchObject({ start: expect.any(String), turnover: expect.any(String) });
    expect(levels((await received.row("books5")).a)).toBe(5);
    expect(levels((await received.row("books50")).b)).toBe(50);
    expect(levels((await received.row("rpi-books1")).a)).toBe(1);
    const update = await received.update(({ arg, action }) => arg.topic === "books" && action === "update");
    expect(update.data).toMatchObject([{ seq: expect.any(Number), pseq: expect.any(Number) }]);
    expect(received.exceptions).toEqual([]);
  });

  it("that do not exist are refused by name", async () => {
    const { client, received } = classic("public");
    const refused = once(client, "exception");
    void client.subscribeTopic("SPOT", "ticker", "NOSUCH");
    expect((await refused)[0]).toMatchObject({ event: "error", code: 30001, msg: expect.stringContaining("NOSUCH") });
    expect(received.responses).toHaveLength(1);
  });
});

describe("an order", () => {
  it("of a unified account is pushed when it is placed and when it is cancelled, and is read back", async () => {
    const { client, received } = unified("private");
    const authenticated = once(client, "authenticated");
    const topics = (["order", "fill", "account", "position"] as const).map((topic) => ({
      topic,
      payload: { instType: "UTA" } as const,
    }));
    void client.subscribe(topics, WS_KEY_MAP.v3Private);
    await authenticated;
    expect(await received.row("account")).toMatchObject({ totalEquity: expect.any(String), coin: expect.any(Array) });
    await received.update(({ arg }) => arg.topic === "position");

    const rest = new RestClientV3({ ...keys("main"), baseUrl: sandbox.url });
    const { data: placed } = await rest.submitNewOrder({
      ...{ category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "limit", timeInForce: "gtc" },
      ...{ qty: "0.01", price: belowMarket(sandbox, "USDT-FUTURES", "BTCUSDT"), clientOid: "conformance-3" },
    });
    const mine = (status: string) => (row: Row) => row.orderId === placed.orderId && row.orderStatus === status;
    expect(await received.row("order", mine("new"))).toMatchObject({ clientOid: "conformance-3", cumExecQty: "0" });
    await rest.cancelOrder({ orderId: placed.orderId });
    const pushed = await received.row("order", mine("cancelled"));
    const { data: read } = await rest.getOrderInfo({ orderId: placed.orderId });
    expect(read).toMatchObject({
      orderStatus: "cancelled",
      price: pushed.price,
      qty: pushed.qty,
      updatedTime: pushed.updatedTime,
    });

    const { data: taken } = await rest.submitNewOrder({
      ...{ category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "market", qty: "0.01" },
    });
    const fill = await received.row("fill", ({ orderId }) => orderId === taken.orderId);
    expect(fill).toMatchObject({ symbol: "BTCUSDT", execId: expect.stringMatching(/^\d{19}$/) });
    expect(await received.row("position", ({ size }) => size !== "0")).toMatchObject({ positionStatus: "opening" });
    expect(received.exceptions).toEqual([]);
  });

  it("of a unified account is placed and cancelled over the socket itself", async () => {
    const url = `${sandbox.wsUrl}/v3/ws/private`;
    const client = new WebsocketAPIClient({ ...keys("main"), wsUrl: url, attachEventListeners: false }, silent);
    open.push(client.getWSClient());
    const order = { symbol: "BTCUSDT", side: "buy", orderType: "limit", timeInForce: "gtc", qty: "0.01" } as const;
    const price = belowMarket(sandbox, "USDT-FUTURES", "BTCUSDT");
    const { code, args } = await client.submitNewOrder("usdt-futures", { ...order, price, clientOid: "conformance-ws" });
    expect([code, args[0].clientOid]).toEqual(["0", "conformance-ws"]);
    const { orderId } = args[0];
    const rest = new RestClientV3({ ...keys("main"), baseUrl: sandbox.url });
    expect((await rest.getOrderInfo({ orderId })).data).toMatchObject({ orderStatus: "new", qty: "0.01" });
    expect((await client.cancelOrder("usdt-futures", { orderId })).args[0]).toMatchObject({ orderId });
    expect((await rest.getOrderInfo({ orderId })).data).toMatchObject({ orderStatus: "cancelled" });
    const refused = await client.cancelOrder("usdt-futures", { orderId }).catch((answer: unknown) => answer);
    expect(refused).toMatchObject({ event: "error", code: "25204" });
  });

  it("of a Classic account is pushed, on spot and on futures, and is read back", async () => {
    const { client, received } = classic("private");
    const authenticated = once(client, "authenticated");
    for (const topic of ["orders", "account"] as const) void client.subscribeTopic("SPOT", topic);
    for (const topic of ["orders", "account", "positions", "orders-algo"] as const)
      void client.subscribeTopic("USDT-FUTURES", topic);
    await authenticated;
    await received.row("account", ({ coin }) => coin === "USDT");
    await received.row("account", ({ marginCoin }) => marginCoin === "USDT");
    await received.update(({ arg }) => arg.channel === "positions");

    const rest = new RestClientV2({ ...keys("classic"), baseUrl: sandbox.url });
    const { data: spot } = await rest.spotSubmitOrder({
      ...{ symbol: "BTCUSDT", side: "buy", orderType: "limit", force: "gtc", size: "0.002" },
      price: belowMarket(sandbox, "SPOT", "BTCUSDT"),
    });
    const mine = (orderId: string, status: string) => (row: Row) => row.orderId === orderId && row.status === status;
    expect(await received.row("orders", mine(spot.orderId, "live"))).toMatchObject({ instId: "BTCUSDT", accBaseVolume: "0" });
    await rest.spotCancelOrder({ symbol: "BTCUSDT", orderId: spot.orderId });
    const cancelled = await received.row("orders", mine(spot.orderId, "cancelled"));
    const { data: found } = await rest.getSpotOrder({ orderId: spot.orderId });
    expect(JSON.stringify(found)).toContain(String(cancelled.uTime));

    const about = { symbol: "ETHUSDT", productType: "USDT-FUTURES", marginCoin: "USDT" } as const;
    const { data: futures } = await rest.futuresSubmitOrder({
      ...{ ...about, marginMode: "isolated", side: "buy", orderType: "limit", force: "gtc", size: "0.1" },
      price: belowMarket(sandbox, "USDT-FUTURES", "ETHUSDT"),
    });
    expect(await received.row("orders", mine(futures.orderId, "live"))).toMatchObject({
      posMode: "one_way_mode",
      posSide: "net",
    });
    await rest.futuresCancelOrder({ ...about, orderId: futures.orderId });
    const pushed = await received.row("orders", mine(futures.orderId, "canceled"));
    const { data: detail } = await rest.getFuturesOrder({ ...about, orderId: futures.orderId });
    expect(detail).toMatchObject({ state: "canceled", price: pushed.price, size: pushed.size, uTime: pushed.uTime });
    expect(received.exceptions).toEqual([]);
  });

  it("is not pushed to a client that signs with a wrong secret", async () => {
    const client = new WebsocketClientV3(
      { ...keys("main"), apiSecret: "wrong", wsUrl: `${sandbox.wsUrl}/v3/ws/private` },
      silent,
    );
    open.push(client);
    const refused = once(client, "exception");
    void client.subscribe({ topic: "order", payload: { instType: "UTA" } }, WS_KEY_MAP.v3Private);
    expect((await refused)[0]).toMatchObject({ event: "error", code: 30015, msg: "Invalid sign" });
  });
});
