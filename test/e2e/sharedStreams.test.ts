import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { type Client, createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { post } from "../support/ask.js";
import { describeUnless } from "../support/missing.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

/** Number of orders placed while the leading replica is killed, and afterwards. */
const ORDERS = Number(process.env.SHARED_STREAM_ORDERS ?? "12");

const openOrdersAnswer = z.object({
  data: z.object({
    account: z.object({
      openOrders: z.object({ edges: z.array(z.object({ node: z.object({ clientOid: z.string() }) })) }),
    }),
  }),
  extensions: z.object({
    exchange: z.object({ upstreamCalls: z.number(), reads: z.array(z.object({ source: z.string() })) }),
  }),
});

interface Replica {
  readonly product: Product;
  readonly client: Client;
  /** Orders that its subscriber has received. */
  readonly orders: Set<string>;
  prices: number;
  readonly trades: Counted;
  readonly fills: Counted;
}

/** Events and position of a subscriber that must not miss an event. */
interface Counted {
  readonly ids: string[];
  position: string | null;
  /** Stream extensions of the first event. */
  first: Said | undefined;
}

interface Said {
  readonly position?: string;
  readonly recovered?: boolean;
}

const COUNTED = {
  trades: 'subscription { trades(category: USDT_FUTURES, symbol: "BTCUSDT") { trades { execId } } }',
  fills: "subscription { fills { fills { execId } } }",
} as const;
const STATES = {
  orders: "subscription { orders { stream { kind } } }",
  positions: "subscription { positions { stream { kind } } }",
  orderBook: 'subscription { orderBook(category: USDT_FUTURES, symbol: "BTCUSDT") { stream { kind } } }',
} as const;
const RESTING = 'category: SPOT, orderType: LIMIT, qty: "0.001", price: "20000"';
const AT_MARKET = 'category: USDT_FUTURES, orderType: MARKET, qty: "0.01"';
const newCounted = (position: string | null = null): Counted => ({ ids: [], position, first: undefined });

describeUnless(noRedis, "replicas that share the exchange's streams", () => {
  let redis: RedisServer;
  let sandbox: Sandbox;
  const replicas: Replica[] = [];
  beforeAll(async () => {
    redis = await redisServer({ realm: "live" });
    sandbox = await startSandbox({ hasPast: false });
    const settings = {
      EXCHANGE_BASE_URL: sandbox.url,
      EXCHANGE_WS_URL: sandbox.wsUrl,
      ...MAIN_KEYS,
      REDIS_URL: redis.url,
      LIVE_ACCOUNTS: "none",
    };
    for (const product of await Promise.all([0, 1, 2].map(() => servingProduct(settings)))) {
      const url = `${product.url.replace("http", "ws")}/graphql`;
      replicas.push({
        product,
        client: createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, onNonLazyError: () => undefined }),
        orders: new Set(),
        prices: 0,
        trades: newCounted(),
        fills: newCounted(),
      });
    }
  });
  afterAll(async () => {
    for (const { client } of replicas) client.terminate();
    await Promise.all(replicas.map(({ product }) => product.stop()));
    await sandbox.close();
    await redis.close();
  });

  const listen = (replica: Replica): void => {
    const { client, orders } = replica;
    // The subscribers of the killed replica end with it.
    const ended = { error: () => undefined, complete: () => undefined };
    client.subscribe(
      {
        query: 'subscription { ticker(category: USDT_FUTURES, symbol: "BTCUSDT", pace: { mode: ALL }) { ticker { lastPrice } } }',
      },
      { next: () => replica.prices++, ...ended },
    );
    client.subscribe<{ orders: { orders: { clientOid: string }[] } }>(
      { query: "subscription { orders(pace: { mode: ALL }) { orders { clientOid } } }" },
      {
        next: ({ data }) => {
          for (const { clientOid } of data?.orders.orders ?? []) if (clientOid.startsWith("shared-")) orders.add(clientOid);
        },
        ...ended,
      },
    );
  };

  /** Resumes from the last position. */
  const resume = ({ client }: Replica, kind: keyof typeof COUNTED, counted: Counted): void => {
    client.subscribe<Record<string, Record<string, { execId: string }[]>>, { stream: Said }>(
      { query: COUNTED[kind], extensions: { after: counted.position } },
      {
        next({ data, extensions }) {
          counted.first ??= extensions?.stream;
          counted.position = extensions?.stream.position ?? counted.position;
          for (const { execId } of [...(data?.[kind]?.[kind] ?? [])].reverse()) counted.ids.push(execId);
        },
        error: () => undefined,
        complete: () => undefined,
      },
    );
  };

  /** The kind of a subscription's first event. */
  const firstKind = async ({ client }: Replica, query: string): Promise<unknown> => {
    for await (const { data } of client.iterate<Record<string, { stream: unknown }>>({
      query,
      extensions: { after: "elsewhere" },
    }))
      return Object.values(data ?? {})[0]?.stream;
    return undefined;
  };

  const parts = async ({ product }: Replica): Promise<Record<string, number>> => {
    const metrics = await (await fetch(`${product.url}/metrics`)).text();
    const found = [...metrics.matchAll(/^exchange_graph_shared_streams\{part="(\w+)"\} (\d+)$/gm)];
    return Object.fromEntries(found.map(([, part = "", count]) => [part, Number(count)]));
  };
  const total = async (part: string, of: readonly Replica[]): Promise<number> =>
    (await Promise.all(of.map(parts))).reduce((sum, counts) => sum + (counts[part] ?? 0), 0);

  const place = async ({ product }: Replica, clientOid: string, terms = RESTING): Promise<void> => {
    const input = `{ account: "main", ${terms}, symbol: "BTCUSDT", side: BUY, clientOid: "${clientOid}", idempotencyKey: "${clientOid}" }`;
    const answer = await post(product.url, {
      query: `mutation { placeOrder(input: ${input}) { outcome userErrors { message } } }`,
    });
    expect(await answer.json()).toMatchObject({ data: { placeOrder: { outcome: "ACCEPTED" } } });
  };

  /** Open orders from a query, and their source. */
  const openOrders = async ({ product }: Replica) => {
    const answer = await post(
      product.url,
      { query: "{ account { openOrders(first: 100) { edges { node { clientOid } } } } }" },
      { "x-exchange-trace": "1" },
    );
    const { data, extensions } = openOrdersAnswer.parse(await answer.json());
    return {
      ids: data.account.openOrders.edges.map(({ node }) => node.clientOid).sort(),
      sources: [...new Set(extensions.exchange.reads.map(({ source }) => source))],
      calls: extensions.exchange.upstreamCalls,
    };
  };
  const fromState = (placed: readonly string[]) => ({ ids: [...placed].sort(), sources: ["STREAM"], calls: 0 });

  it("follow each account and symbol once, and go on without a gap when the one that leads is killed", async () => {
    for (const replica of replicas) {
      listen(replica);
      await expect.poll(() => replica.prices).toBeGreaterThan(0);
      for (const kind of ["trades", "fills"] as const) {
        resume(replica, kind, replica[kind]);
        await expect.poll(() => replica[kind].position).not.toBeNull();
      }
    }
    await expect.poll(() => total("LEADING", replicas)).toBe(2);
    await expect.poll(() => total("FOLLOWING", replicas)).toBe(4);

    const placed: string[] = [];
    const placeSome = async (by: Replica, count: number) => {
      for (let one = 0; one < count; one++) {
        const clientOid = `shared-${placed.length}`;
        await place(by, clientOid);
        placed.push(clientOid);
      }
    };
    const [leader] = (
      await Promise.all(replicas.map(async (replica) => ({ replica, leads: (await parts(replica)).LEADING ?? 0 })))
    )
      .sort((one, other) => other.leads - one.leads)
      .map(({ replica }) => replica);
    const [one, other] = replicas.filter((replica) => replica !== leader);
    if (leader === undefined || one === undefined || other === undefined) throw new Error("nobody leads");
    await placeSome(one, ORDERS / 4);
    await placeSome(leader, ORDERS / 4);
    await expect.poll(() => [...other.orders].sort()).toEqual([...placed].sort());

    for (const replica of replicas) await expect.poll(() => openOrders(replica)).toEqual(fromState(placed));

    const buy = (by: Replica, clientOid: string) => place(by, clientOid, AT_MARKET);
    await buy(one, "bought-before");
    await expect.poll(() => leader.fills.ids.length).toBeGreaterThan(0);

    const killed = leader.product.stop("SIGKILL");
    await placeSome(one, ORDERS / 2);
    await killed;
    const survivors = [one, other];
    // Clients of the killed replica resume at another replica and miss no event.
    await buy(other, "bought-meanwhile");
    const goingOn = { trades: newCounted(leader.trades.position), fills: newCounted(leader.fills.position) };
    for (const kind of ["trades", "fills"] as const) resume(one, kind, goingOn[kind]);
    // Until a follower's state is confirmed again it reads from the exchange, so its responses are always correct.
    for (const replica of survivors) expect((await openOrders(replica)).ids).toEqual(fromState(placed).ids);
    for (const replica of survivors) await expect.poll(() => openOrders(replica)).toEqual(fromState(placed));
    // State streams start again with a snapshot and report it.
    for (const [kind, query] of Object.entries(STATES))
      expect([kind, await firstKind(one, query)]).toEqual([kind, { kind: "SNAPSHOT" }]);
    await expect.poll(() => total("LEADING", survivors)).toBe(2);
    for (const replica of survivors) {
      await expect.poll(() => [...replica.orders].sort()).toEqual([...placed].sort());
      const before = replica.prices;
      await expect.poll(() => replica.prices).toBeGreaterThan(before);
    }

    await expect.poll(() => goingOn.fills.ids.length).toBeGreaterThan(0);
    await expect.poll(() => goingOn.trades.ids.length).toBeGreaterThan(0);
    expect([goingOn.trades.first, goingOn.fills.first]).toMatchObject([{ recovered: true }, { recovered: true }]);
    await expect.poll(() => [...leader.fills.ids, ...goingOn.fills.ids].sort()).toEqual([...one.fills.ids].sort());
    const trades = [...leader.trades.ids, ...goingOn.trades.ids];
    expect(new Set(trades).size).toBe(trades.length);
    const from = one.trades.ids.indexOf(goingOn.trades.ids[0] ?? "");
    expect(one.trades.ids[from - 1]).toBe(leader.trades.ids.at(-1));

    // A replica that stops gracefully hands over its leases first.
    await one.product.stop();
    await expect.poll(() => total("LEADING", [other])).toBe(2);
  });
});
