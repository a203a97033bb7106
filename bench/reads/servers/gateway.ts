import { systemClock } from "@exchange-graph/contract/clock";
import { createExchange, Secret } from "../../../src/datasources/index.js";
import { WideScheduler } from "../../../test/support/wideScheduler.js";
import { report } from "../../child.js";
import { startGateway } from "../../gateway.js";

/**
 * This gateway as `npm start` composes it, but for the exchange's limits, which would end the comparison after ten calls. With a
 * receiver it records one operation in ten.
 */
const [upstream = "", receiver] = process.argv.slice(2);
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
});
report(`${await startGateway(exchange, { receiver })}/graphql`);
