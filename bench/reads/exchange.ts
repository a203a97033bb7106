import { systemClock } from "@exchange-graph/contract/clock";
import { createDataSource, type DataSource, type ExchangeSettings, Secret } from "../../src/datasources/index.js";
import { WideScheduler } from "../../test/support/wideScheduler.js";

/** The gateway's data source over the simulated exchange, without its rate limits, which would stop the load after ten calls. */
export const exchangeOver = (upstream: string, engines: Pick<ExchangeSettings, "stores" | "writeStores"> = {}): DataSource =>
  createDataSource({
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
    ...engines,
  });
