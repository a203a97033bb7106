// One of several replicas that share the exchange's streams, in a process that the test kills. Subscribes to the full books of
// symbols and prints each event. Runs the build output.
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { performance } from "node:perf_hooks";
import { systemClock } from "@exchange-graph/contract/clock";
import { openReplicaStores } from "../../../dist/packages/replicas/src/redis/replicaStores.js";
import { createDataSource, Secret } from "../../../dist/src/datasources/index.js";
import { createStreams } from "../../../dist/src/datasources/streams/index.js";
import { INSTRUMENTATION } from "../../../dist/src/instrumentation/instrumentation.js";

const { url, wsUrl, redisUrl, ownName, symbols } = JSON.parse(process.argv[2]);

const exchange = createDataSource({
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
  { url: new Secret(redisUrl), replica: ownName, egressGroup: "default", realm: "live" },
  {
    clock: systemClock,
    monotonic: () => performance.now(),
    random: Math.random,
    newName: () => ownName,
    instrumentation: INSTRUMENTATION,
  },
);
const streams = createStreams({
  exchange,
  wsUrl: new URL(wsUrl),
  clock: systemClock,
  random: Math.random,
  share: stores.share,
});

// Written by another thread: a slow reader of the pipe would block the process, and its leases would expire.
const output = createWriteStream("", { fd: 1 });
const say = (line) => output.write(`${line}\n`);

const textOf = (levels) => levels.map(({ price, qty }) => `${price} ${qty}`).join();
for (const name of symbols) {
  const [category, symbol] = name.split("/");
  streams.market.orderBook(
    { category, symbol },
    { depth: "full" },
    {
      next({ stale, value: { asks, bids, seq } }) {
        const digest = createHash("md5")
          .update(`${textOf(asks)}|${textOf(bids)}`)
          .digest("base64");
        say(`${name} ${seq} ${stale ? 1 : 0} ${digest}`);
      },
      failed: ({ code }) => say(`${name} ended ${code}`),
    },
  );
}
const report = setInterval(() => say(`leads ${streams.gauges().shared.get("LEADING") ?? 0}`), 100);

process.once("SIGTERM", async () => {
  await streams.handOver();
  clearInterval(report);
  await streams.close();
  await stores.close();
  process.exit(0);
});
