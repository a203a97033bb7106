import { fileURLToPath } from "node:url";
import { systemClock } from "../../../src/clock.js";
import { createExchange, Secret } from "../../../src/datasources/index.js";
import { buildGraph, createContext, createStreamContext } from "../../../src/resolvers/index.js";
import { createGateway } from "../../../src/server/gateway.js";
import { createLog } from "../../../src/server/logs/log.js";
import { Metrics } from "../../../src/server/metrics/metrics.js";
import { WideScheduler } from "../../../test/support/wideScheduler.js";
import { report } from "../../child.js";

/** This gateway as `npm start` composes it, but for the exchange's limits, which would end the comparison after ten calls. */
const [upstream = ""] = process.argv.slice(2);
const metrics = new Metrics();
const exchange = createExchange({
  baseUrl: new URL(upstream),
  accounts: [
    {
      name: "main",
      credentials: { apiKey: new Secret("key"), apiSecret: new Secret("secret"), passphrase: new Secret("passphrase") },
      isCopyTrader: false,
    },
  ],
  demo: false,
  deadlineMs: 10_000,
  connections: 64,
  cacheEntries: 10_000,
  random: Math.random,
  scheduler: new WideScheduler(systemClock),
  observer: { upstream: (...call) => metrics.traffic.upstream(...call), refreshFailed: () => undefined },
});
metrics.watch(exchange);
const gateway = await createGateway({
  schema: buildGraph(),
  contextFor: (caller) => createContext(exchange, caller),
  streamContextFor: (caller) => createStreamContext(exchange, caller),
  traceOf: ({ reads }) => reads.trace,
  readiness: async () => ({ ready: true }),
  log: createLog("error"),
  clock: systemClock,
  metrics,
  introspection: true,
  graphiqlFolder: fileURLToPath(new URL("../../../../dist/server/graphiql", import.meta.url)),
  maxBodyBytes: 1_048_576,
  shutdownTimeoutMs: 1_000,
});
report(`${await gateway.listen({ host: "127.0.0.1", port: 0 })}/graphql`);
