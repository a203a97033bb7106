import { performance } from "node:perf_hooks";
import { systemClock } from "@exchange-graph/contract/clock";
import { openReplicaStores } from "../../packages/replicas/src/redis/replicaStores.js";
import { sharingOver } from "../../packages/replicas/src/relay/relay.js";
import { createExchange, Secret } from "../../src/datasources/index.js";
import { createStreams } from "../../src/datasources/streams/index.js";
import { INSTRUMENTATION } from "../../src/instrumentation/instrumentation.js";
import { report } from "../child.js";

/** One of two replicas with the same subscriptions. Reports when it received each event, by the machine's clock. */

const SYMBOLS = 10;

const [url = "", redisUrl = "", name = ""] = process.argv.slice(2);
const exchange = createExchange({
  baseUrl: new URL(url),
  accounts: [],
  demo: false,
  deadlineMs: 5_000,
  connections: 8,
  cacheEntries: 100,
  random: Math.random,
  clock: systemClock,
});
const stores = await openReplicaStores(
  { url: new Secret(redisUrl), replica: name, egressGroup: "default", realm: "bench-relay" },
  {
    clock: systemClock,
    monotonic: () => performance.now(),
    random: Math.random,
    newName: () => `${process.pid}-${Math.random()}`,
    instrumentation: INSTRUMENTATION,
  },
);
const streams = createStreams({
  exchange,
  wsUrl: new URL(url.replace("http", "ws")),
  clock: systemClock,
  random: Math.random,
  share: sharingOver(stores.relay),
  eventLog: stores.eventLog,
});

const received = new Map<string, number>();
for (let number = 0; number < SYMBOLS; number++)
  streams.market.ticker(
    { category: "USDT-FUTURES", symbol: `SYMBOL${number}USDT` },
    {
      next({ stale, value: { symbol, lastPrice } }) {
        const key = `${symbol} ${lastPrice}`;
        if (!stale && !received.has(key)) received.set(key, performance.timeOrigin + performance.now());
      },
      failed: ({ message }) => {
        throw new Error(message);
      },
    },
  );
report(url);
process.on("message", (message) => {
  if (message !== "received") return;
  process.send?.({ leads: streams.gauges().shared.get("LEADING") ?? 0, received: [...received] });
  received.clear();
});
