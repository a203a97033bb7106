import { exact } from "@exchange-graph/contract/decimal";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { ALL_PERMISSIONS, type Credential } from "@exchange-graph/sandbox/credentials";
import { MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import type { Client } from "graphql-ws";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ExchangeAccount, Secret } from "../../../src/datasources/index.js";
import { START } from "../../datasources/streams/support/followed.js";
import { type LiveGateway, liveGateway } from "../../support/gateway/liveGateway.js";

interface Event {
  readonly data: {
    readonly fills?: { readonly fills: readonly Row[] };
    readonly trades?: { readonly trades: readonly Row[] };
    readonly orders?: unknown;
    readonly positions?: unknown;
  };
  readonly extensions: {
    readonly stream: { kind: string; time: string; stale: boolean; position?: string; recovered?: boolean; missed?: object };
  };
}
interface Row {
  readonly execId: string;
}

const status = z.object({ stream: z.object({ kind: z.string(), isStale: z.boolean() }) });
const stateEvent = status.extend({
  gone: z.array(z.string()),
  orders: z.array(z.object({ id: z.string(), clientOid: z.string() })).optional(),
  positions: z.array(z.object({ id: z.string(), symbol: z.string() })).optional(),
});

const FILLS = 'subscription { fills(account: "main") { fills { execId } } }';
const TRADES = 'subscription { trades(category: USDT_FUTURES, symbol: "BTCUSDT") { trades { execId } } }';

/** Another key of `main`'s user. */
const NEXT: Credential = {
  ...{ key: "next-key", secret: "next-secret", passphrase: "mainnext1" },
  ...{ uid: MAIN_UID, permissions: ALL_PERMISSIONS, isDemo: false },
};

/** A third one. */
const OTHER: Credential = { ...NEXT, key: "other-key", secret: "other-secret", passphrase: "mainother1" };

let gateway: LiveGateway;
beforeEach(async () => {
  gateway = await liveGateway("v3", {}, START, [...SANDBOX_CREDENTIALS, NEXT, OTHER]);
});
afterEach(() => gateway.close());

/** A subscriber that resumes after a position. */
async function listening(query: string, after?: string | null) {
  const client: Client = gateway.client();
  const events: Event[] = [];
  const errors: unknown[] = [];
  const leave = client.subscribe(
    { query, ...(after === undefined ? {} : { extensions: { after } }) },
    {
      next: (event) => events.push(JSON.parse(JSON.stringify(event))),
      error: (error) => errors.push(error),
      complete: () => undefined,
    },
  );
  await gateway.until(() => events.length > 0 || errors.length > 0 || (after === undefined && isOpen()));
  return {
    events,
    errors,
    leave,
    get ids() {
      return events.flatMap(({ data }) =>
        [...(data.fills?.fills ?? data.trades?.trades ?? [])].reverse().map(({ execId }) => execId),
      );
    },
    get position() {
      return events.findLast(({ extensions }) => extensions.stream.position !== undefined)?.extensions.stream.position;
    },
    get last() {
      return events.at(-1)?.extensions.stream;
    },
    get first() {
      return events[0]?.extensions.stream;
    },
  };
}

const isOpen = (): boolean => {
  const { topics } = gateway.streams.gauges();
  return topics.length > 0 && topics.every(({ isLive }) => isLive);
};

const credentialsOf = ({ key, secret, passphrase }: Credential) => ({
  ...{ apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
});

/** Gives `main` another key. */
async function replaceKey(next: Credential): Promise<void> {
  const accounts = gateway.exchange.accounts.map(({ name, credentials, isCopyTrader }) => ({ name, credentials, isCopyTrader }));
  await replaceAccounts(
    accounts.map((account) => (account.name === "main" ? { ...account, credentials: credentialsOf(next) } : account)),
  );
}

async function replaceAccounts(accounts: readonly ExchangeAccount[]): Promise<void> {
  let isReplaced = false;
  void gateway.exchange.replaceAccounts(accounts, 5_000).then(() => {
    isReplaced = true;
  });
  await gateway.until(() => isReplaced);
}

/** A user trades without the gateway. */
function tradeInApp(uid: string): void {
  const { world } = gateway.sandbox;
  world.advance();
  world.orders.place({
    ...{ uid, category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "market", quantity: exact("0.01") },
    ...(uid === MAIN_UID ? {} : { posSide: "long", marginMode: "crossed", marginCoin: "USDT" }),
  });
}

let orders = 0;
const trade = async (account = "main"): Promise<void> => {
  const key = `resumed-${orders++}`;
  const input = `{ account: "${account}", category: USDT_FUTURES, symbol: "BTCUSDT", side: BUY, orderType: MARKET, qty: "0.01", idempotencyKey: "${key}" }`;
  const { errors } = await gateway.ask(`mutation { placeOrder(input: ${input}) { outcome } }`);
  expect(errors).toBeUndefined();
};

describe("fills", () => {
  it("that happen while a listener is away reach it when it comes back, and no others", async () => {
    const always = await listening(FILLS, null);
    const first = await listening(FILLS, null);
    expect(first.events).toMatchObject([
      { data: { fills: { fills: [] } }, extensions: { stream: { kind: "update", stale: false } } },
    ]);
    expect(first.first).not.toHaveProperty("recovered");
    await trade();
    await gateway.until(() => first.ids.length > 0);
    first.leave();
    await trade();
    await trade();
    await gateway.until(() => always.ids.length > 2);
    const back = await listening(FILLS, first.position);
    expect(back.first).toMatchObject({ kind: "update", stale: false, recovered: true });
    expect(back.events).toHaveLength(1);
    await trade();
    await gateway.until(() => back.events.length > 1 && always.ids.length === first.ids.length + back.ids.length);
    expect([...first.ids, ...back.ids]).toEqual(always.ids);
    expect(back.events[1]?.extensions.stream).not.toHaveProperty("recovered");
  });

  it("are read from the exchange if there was no listener meanwhile", async () => {
    const first = await listening(FILLS, null);
    first.leave();
    await gateway.pass(6_000, 1_000);
    expect(gateway.streams.gauges().topics).toEqual([]);
    await trade();
    await trade();
    const back = await listening(FILLS, first.position);
    expect(back.first).toMatchObject({ recovered: true });
    expect(new Set(back.ids).size).toBeGreaterThanOrEqual(2);
    const again = await listening(FILLS, back.position);
    expect([again.first?.recovered, again.ids]).toEqual([true, []]);
    // A new subscriber receives only later events.
    const late = await listening(FILLS);
    expect(late.ids).toEqual([]);
  });

  it("reach a listener that comes back after the account's key was replaced by another one of the same user", async () => {
    const first = await listening(FILLS, null);
    first.leave();
    await gateway.pass(6_000, 1_000);
    expect(gateway.streams.gauges().topics).toEqual([]);
    await trade();
    await replaceKey(NEXT);
    await trade();
    const back = await listening(FILLS, first.position);
    expect(back.first).toMatchObject({ stale: false, recovered: true });
    expect(new Set(back.ids).size).toBeGreaterThanOrEqual(2);
  });

  it("that happen while a key is replaced and the exchange is in maintenance reach a connected listener", async () => {
    await replaceAccounts([
      ...gateway.exchange.accounts,
      { name: "main2", credentials: credentialsOf(OTHER), isCopyTrader: false },
    ]);
    const always = await listening(FILLS, null);
    // It records the same events, under another name of the user.
    const beside = await listening('subscription { fills(account: "main2") { fills { execId } } }', null);
    await trade();
    await gateway.until(() => always.ids.length === 1);
    const maintenance = gateway.sandbox.faults.add({ fault: { kind: "answer", status: 503 } });
    await replaceKey(NEXT);
    tradeInApp(MAIN_UID);
    tradeInApp(MAIN_UID);
    await gateway.pass(5_000, 500);
    await gateway.until(() => beside.ids.length === 3);
    expect(always.ids).toHaveLength(1);
    gateway.sandbox.faults.remove(maintenance);
    await gateway.until(() => always.ids.length === 3 && always.last?.stale === false, 60_000);
    await trade();
    await gateway.until(() => always.ids.length === 4);
    expect(new Set(always.ids).size).toBe(4);
    await gateway.until(() => beside.ids.length === 4);
    expect([...beside.ids].sort()).toEqual([...always.ids].sort());
  });

  it("of a key's user do not reach a listener if they happened while the account still had the key of another user", async () => {
    const [, classic] = SANDBOX_CREDENTIALS;
    if (classic === undefined) throw new Error("there is no Classic account");
    const always = await listening(FILLS, null);
    await trade();
    await gateway.until(() => always.ids.length === 1);
    const maintenance = gateway.sandbox.faults.add({ fault: { kind: "answer", status: 503 } });
    await replaceKey(classic);
    tradeInApp(classic.uid);
    gateway.sandbox.faults.remove(maintenance);
    await gateway.until(() => always.last?.stale === false && isOpen(), 60_000);
    tradeInApp(classic.uid);
    await gateway.until(() => always.ids.length > 1);
    expect(always.ids).toHaveLength(2);
  });

  it("of an account are not sent for a position of another one, and an unknown position is reported as a possible gap", async () => {
    const main = await listening(FILLS, null);
    const classic = await listening('subscription { fills(account: "classic") { fills { execId } } }', null);
    await trade();
    await trade("classic");
    await gateway.until(() => main.ids.length > 0 && classic.ids.length > 0);
    main.leave();
    await trade();
    const wrong = await listening('subscription { fills(account: "classic") { fills { execId } } }', main.position);
    expect(wrong.ids).toEqual([]);
    expect(wrong.first).toMatchObject({
      recovered: false,
      missed: { from: expect.stringMatching(/^2\d{3}-/), to: expect.stringMatching(/^2\d{3}-/) },
    });
    const nowhere = await listening(FILLS, "nowhere");
    expect(nowhere.first).toMatchObject({ recovered: false, missed: { from: null, to: expect.any(String) } });
  });
});

it("fills of several accounts have one position", async () => {
  const both = 'subscription { fills(accounts: ["main", "classic"]) { account { name } fills { execId } } }';
  const first = await listening(both, null);
  await trade();
  await trade("classic");
  await gateway.until(() => first.ids.length > 1);
  first.leave();
  const always = await listening(both, null);
  await trade("classic");
  await trade();
  await gateway.until(() => always.ids.length > 1);
  const back = await listening(both, first.position);
  await gateway.until(() => back.events.length > 1);
  expect(back.events.map(({ extensions }) => extensions.stream.recovered)).toEqual([true, true]);
  expect([...back.ids].sort()).toEqual([...always.ids].sort());
  const again = await listening(both, back.position);
  await gateway.until(() => again.events.length > 1);
  expect([again.ids, again.first?.recovered]).toEqual([[], true]);
  const one = await listening('subscription { fills(account: "main") { fills { execId } } }', back.position);
  expect([one.ids, one.first?.recovered]).toEqual([[], false]);
});

it("trades that happen while a listener is away reach it when it comes back", async () => {
  const always = await listening(TRADES);
  const first = await listening(TRADES);
  await gateway.until(() => first.events.length > 2);
  first.leave();
  const seen = always.ids.length;
  await gateway.until(() => always.ids.length > seen);
  const back = await listening(TRADES, first.position);
  expect(back.first).toMatchObject({ kind: "update", recovered: true });
  await gateway.until(() => back.events.length > 2);
  const received = [...first.ids, ...back.ids];
  expect(new Set(received).size).toBe(received.length);
  const from = always.ids.indexOf(received[0] ?? "");
  expect(received).toEqual(always.ids.slice(from, from + received.length));
});

describe("what has a state", () => {
  const STREAM = "stream { kind isStale }";
  const STATES = {
    orders: `subscription { orders(account: "main") { ${STREAM} gone orders { id clientOid } } }`,
    planOrders: `subscription { planOrders(account: "main") { ${STREAM} gone planOrders { id } } }`,
    positions: `subscription { positions(account: "main") { ${STREAM} gone positions { id symbol qty } } }`,
    accountUpdates: `subscription { accountUpdates(account: "main", pace: { mode: ALL }) { ${STREAM} balances { coin } } }`,
    loans: `subscription { loans(account: "main") { ${STREAM} gone loans { id } } }`,
    orderBook: `subscription { orderBook(category: SPOT, symbol: "BTCUSDT") { ${STREAM} orderBook { asks { price } } } }`,
    ticker: `subscription { ticker(category: SPOT, symbol: "BTCUSDT") { ${STREAM} ticker { lastPrice } } }`,
    candles: `subscription { candles(category: SPOT, symbol: "BTCUSDT", interval: MINUTE_1) { ${STREAM} candles { startTime } } }`,
  } as const;
  const KINDS = ["orders", "planOrders", "positions", "accountUpdates", "loans", "orderBook", "ticker", "candles"] as const;
  const listenToAll = (after: string | null) => Promise.all(KINDS.map((kind) => listening(STATES[kind], after)));
  const statusOf = ({ data }: Event, kind: (typeof KINDS)[number]) => z.object({ [kind]: status }).parse(data)[kind]?.stream;

  /** The orders or positions that a subscriber has after these events. */
  const held = (kind: "orders" | "positions", events: readonly Event[]): readonly string[] => {
    const known = new Map<string, string>();
    for (const { data } of events) {
      const { stream, gone, orders = [], positions = [] } = stateEvent.parse(data[kind]);
      if (stream.kind === "SNAPSHOT") known.clear();
      for (const { id, clientOid } of orders) known.set(id, clientOid);
      for (const { id, symbol } of positions) known.set(id, symbol);
      for (const id of gone) known.delete(id);
    }
    return [...known.values()].sort();
  };

  const place = async (clientOid: string): Promise<void> => {
    const terms = 'category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "20000"';
    const { errors } = await gateway.ask(
      `mutation { placeOrder(input: { account: "main", ${terms}, clientOid: "${clientOid}", idempotencyKey: "${clientOid}" }) { outcome } }`,
    );
    expect(errors).toBeUndefined();
  };
  const cancel = async (clientOid: string): Promise<void> => {
    const input = `{ account: "main", category: SPOT, symbol: "BTCUSDT", by: { clientOid: "${clientOid}" } }`;
    expect((await gateway.ask(`mutation { cancelOrder(input: ${input}) { outcome } }`)).errors).toBeUndefined();
  };
  /** Cancels one order, places another and opens a position. */
  const change = async (): Promise<void> => {
    await cancel("before");
    await place("meanwhile");
    await trade();
  };

  it.each([
    ["there was another listener", true],
    ["there was no listener", false],
  ])("starts again with a snapshot for a resuming listener, and says so, if %s meanwhile", async (_, isOpenStill) => {
    await place("before");
    const first = await listenToAll(null);
    if (isOpenStill) await listenToAll(null);
    expect(held("orders", first[0]?.events ?? [])).toEqual(["before"]);
    for (const { leave } of first) leave();
    await gateway.pass(6_000, 1_000);
    expect(gateway.streams.gauges().topics.length > 0).toBe(isOpenStill);
    await change();
    const back = await listenToAll(first[0]?.position ?? "a position of something else");
    for (const [at, kind] of KINDS.entries()) {
      const [event] = back[at]?.events ?? [];
      if (event === undefined) throw new Error(`nothing came of ${kind}: ${JSON.stringify(back[at]?.errors)}`);
      expect([kind, statusOf(event, kind), event.extensions.stream]).toMatchObject([
        kind,
        { kind: "SNAPSHOT", isStale: false },
        { kind: "snapshot", stale: false },
      ]);
      expect(event.extensions.stream).not.toHaveProperty("position");
    }
    expect(held("orders", back[0]?.events.slice(0, 1) ?? [])).toEqual(["meanwhile"]);
    expect(held("positions", back[2]?.events.slice(0, 1) ?? [])).toEqual(["BTCUSDT"]);
  });

  it("is stale for a resuming listener while the exchange is silent, and current as soon as it is not", async () => {
    await gateway.close();
    gateway = await liveGateway("v3", {}, undefined, undefined, false, "none", true);
    await place("before");
    const stays = await listenToAll(null);
    gateway.line?.lose();
    // Loans are read over REST, which keeps working.
    const pushed = () => gateway.streams.gauges().topics.filter(({ stream }) => stream !== "loans");
    await gateway.until(() => pushed().every(({ isLive }) => !isLive));
    await change();
    const back = await listenToAll(null);
    for (const [at, kind] of KINDS.entries()) {
      const [event] = back[at]?.events ?? [];
      if (event === undefined) throw new Error(`nothing came of ${kind}: ${JSON.stringify(back[at]?.errors)}`);
      expect([kind, statusOf(event, kind)]).toEqual([kind, { kind: "SNAPSHOT", isStale: kind !== "loans" }]);
    }
    gateway.line?.mend();
    for (const all of [stays, back]) {
      await gateway.until(() => all.every(({ events }) => events.at(-1)?.extensions.stream.stale === false));
      expect([held("orders", all[0]?.events ?? []), held("positions", all[2]?.events ?? [])]).toEqual([
        ["meanwhile"],
        ["BTCUSDT"],
      ]);
    }
  });
});

it("a position that can be none is refused", async () => {
  const { errors } = await listening(FILLS, "x".repeat(8_001));
  expect(JSON.stringify(errors)).toContain("extensions.after must be the position of an event, or null.");
});

it("an EventSource goes on by itself where it was", async () => {
  const always = await listening(FILLS, null);
  const url = `${gateway.url}/graphql/stream?query=${encodeURIComponent(FILLS)}`;
  const read = async (lastEventId: string) => {
    const headers = { accept: "text/event-stream", ...(lastEventId === "" ? {} : { "last-event-id": lastEventId }) };
    const { body } = await fetch(url, { headers });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    const pump = async (): Promise<void> => {
      const { done, value } = await reader.read();
      if (done) return;
      text += Buffer.from(value).toString();
      await pump();
    };
    void pump();
    return { text: () => text, end: () => reader.cancel() };
  };
  const first = await read("");
  await gateway.until(() => first.text() !== "");
  await gateway.pass(200);
  await trade();
  await gateway.until(() => first.text().includes("execId"));
  const [, id = ""] = /^event: next\nid: (\S+)\ndata: /m.exec(first.text()) ?? [];
  expect(id).toBe(always.position);
  await first.end();
  await trade();
  await gateway.until(() => always.position !== id);
  const back = await read(id);
  await gateway.until(() => back.text().includes("execId"));
  expect(back.text()).toContain('"recovered":true');
  await back.end();
});
