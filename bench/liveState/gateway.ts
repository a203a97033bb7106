import { systemClock } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { createDataSource, type ExchangeAccount, Secret } from "../../src/datasources/index.js";
import { createStreams } from "../../src/datasources/streams/index.js";
import { report } from "../child.js";
import { startGateway } from "../gateway.js";

/** The gateway with live state, over the sandbox at the given addresses. */

const NAMES = ["main", "classic", "broker"];
const [rest = "", sockets = ""] = process.argv.slice(2);
const accounts = SANDBOX_CREDENTIALS.map(
  ({ key, secret, passphrase }, at): ExchangeAccount => ({
    name: NAMES[at] ?? key,
    credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
    isCopyTrader: false,
  }),
);
const exchange = createDataSource({
  baseUrl: new URL(rest),
  accounts,
  demo: false,
  deadlineMs: 10_000,
  connections: 64,
  cacheEntries: 10_000,
  random: Math.random,
});
const streams = createStreams({ exchange, wsUrl: new URL(sockets), clock: systemClock, random: Math.random, live: "auto" });
report(`${await startGateway(exchange, { streams })}/graphql`);
