import { setTimeout } from "node:timers/promises";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { type Client, createClient } from "graphql-ws";
import { afterAll, beforeAll, it } from "vitest";
import { WebSocket } from "ws";
import { describeUnless } from "../support/missing.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

/** Seconds for which three listeners move from replica to replica. */
const SECONDS = Number.parseInt(process.env.HOP_SECONDS ?? "4", 10);
const HOPPERS = 3;
/** In a long run a topic has closed at a replica before the listeners come back to it. */
const STAY_MS = SECONDS < 20 ? 1_200 : 6_500;
/** Time for which a topic is busy before another replica joins it: long enough for many entries, and for old ones. */
const BUSY_MS = Math.min(20_000, SECONDS * 1_000);
const PACE = "pace: { mode: ALL }";
const BTC = 'category: USDT_FUTURES, symbol: "BTCUSDT"';
const ETH = 'category: USDT_FUTURES, symbol: "ETHUSDT"';

const FIELDS = {
  ticker: `ticker(${ETH}, ${PACE}) { stream { kind time isStale } ticker { lastPrice } }`,
  trades: `trades(${ETH}, ${PACE}) { stream { kind time isStale } trades { execId time } }`,
  candles: `candles(${ETH}, interval: MINUTE_1, ${PACE}) { stream { kind time isStale } candles { close } }`,
  orderBook: `orderBook(${ETH}, depth: L5, ${PACE}) { stream { kind time isStale } orderBook { depth } }`,
} as const;

interface StreamState {
  readonly kind: string;
  readonly time: string;
  readonly isStale: boolean;
}
interface TradesEvent {
  readonly trades: { readonly trades: readonly { readonly execId: string }[] };
}
interface Extensions {
  readonly stream: { readonly position?: string; readonly recovered?: boolean; readonly stale: boolean };
}

describeUnless(noRedis, "listeners at three replicas", () => {
  let redis: RedisServer;
  let sandbox: Sandbox;
  let products: readonly Product[];
  const clients: Client[] = [];
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
    products = await Promise.all([0, 1, 2].map(() => servingProduct(settings)));
  });
  afterAll(async () => {
    for (const client of clients) client.terminate();
    await Promise.all(products.map((product) => product.stop()));
    await sandbox.close();
    await redis.close();
  });

  const clientOf = ({ url }: Product): Client => {
    const client = createClient({ url: `${url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket, retryAttempts: 0 });
    clients.push(client);
    return client;
  };
  const product = (at: number): Product => {
    const one = products[at % products.length];
    if (one === undefined) throw new Error("there are three replicas");
    return one;
  };

  it.concurrent.for(Object.entries(FIELDS))(
    "begin %s with a snapshot of now, also at a replica that joins late",
    async ([name, field], { expect }) => {
      const statesAt = (at: number): { readonly states: readonly StreamState[]; readonly end: () => void } => {
        const states: StreamState[] = [];
        const end = clientOf(product(at)).subscribe<Record<string, { stream: StreamState }>>(
          { query: `subscription { ${field} }` },
          {
            next({ data }) {
              const stream = data?.[name]?.stream;
              if (stream !== undefined) states.push(stream);
            },
            error() {},
            complete() {},
          },
        );
        return { states, end };
      };
      const present = [statesAt(0), statesAt(1)];
      await setTimeout(BUSY_MS);
      for (const { states } of present) await expect.poll(() => states.length).toBeGreaterThan(2);
      const known = present.flatMap(({ states }) => states.map(({ time }) => Date.parse(time))).sort((a, b) => a - b);
      const late = statesAt(2);
      await expect.poll(() => late.states.length).toBeGreaterThan(2);
      for (const { end } of [...present, late]) end();
      const [first, ...later] = late.states;
      expect(first).toMatchObject({ kind: "SNAPSHOT", isStale: false });
      // The topic's entries begin with what the others have had long before.
      expect(Date.parse(first?.time ?? "")).toBeGreaterThan(known[Math.floor(known.length / 2)] ?? 0);
      for (const { time } of later) expect(Date.parse(time)).toBeGreaterThanOrEqual(Date.parse(first?.time ?? ""));
    },
  );

  it.concurrent("get each trade once, wherever they resume", { timeout: 120_000 + 2_000 * SECONDS }, async ({ expect }) => {
    const query = `subscription { trades(${BTC}, ${PACE}) { trades { execId } } }`;
    const order: string[] = [];
    const leave = clientOf(product(0)).subscribe<TradesEvent>(
      { query },
      {
        next({ data }) {
          for (const { execId } of [...(data?.trades.trades ?? [])].reverse()) order.push(execId);
        },
        error() {},
        complete() {},
      },
    );
    await expect.poll(() => order.length).toBeGreaterThan(0);
    const until = Date.now() + 1_000 * SECONDS;
    const hop = async (start: number) => {
      const ids: string[] = [];
      let position: string | null = null;
      const found = { ids, hops: 0, gaps: 0, stale: 0 };
      for (let at = start; Date.now() < until || found.hops < 2; at++) {
        let isFirst = true;
        const client = clientOf(product(at));
        const end = client.subscribe<TradesEvent, Extensions>(
          { query, extensions: { after: position } },
          {
            next({ data, extensions }) {
              if (extensions?.stream.stale === true) found.stale++;
              if (isFirst && position !== null && extensions?.stream.recovered !== true) found.gaps++;
              isFirst = false;
              position = extensions?.stream.position ?? position;
              for (const { execId } of [...(data?.trades.trades ?? [])].reverse()) ids.push(execId);
            },
            error() {},
            complete() {},
          },
        );
        await expect.poll(() => isFirst, { interval: 20 }).toBe(false);
        await setTimeout(STAY_MS);
        end();
        await client.dispose();
        found.hops++;
      }
      return found;
    };
    const all = await Promise.all(Array.from({ length: HOPPERS }, () => hop(1)));
    for (const { ids } of all) await expect.poll(() => order.includes(ids.at(-1) ?? "")).toBe(true);
    leave();
    if (SECONDS > 5)
      process.stdout.write(
        `${JSON.stringify(all.map(({ ids, ...rest }) => ({ trades: ids.length, twice: ids.length - new Set(ids).size, ...rest })))}\n`,
      );
    for (const { ids, gaps } of all) {
      expect([gaps, ids.length - new Set(ids).size]).toEqual([0, 0]);
      const [from, to] = [order.indexOf(ids[0] ?? ""), order.lastIndexOf(ids.at(-1) ?? "")];
      expect(ids).toEqual(order.slice(from, to + 1));
    }
  });
});
