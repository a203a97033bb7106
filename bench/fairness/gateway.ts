import { systemClock } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox/credentials";
import { ConfiguredClients } from "../../src/access/clients.js";
import { createDataSource, Secret } from "../../src/datasources/index.js";
import { createStreams } from "../../src/datasources/streams/index.js";
import { WatchedFiles } from "../../src/files/watchedFiles.js";
import { INSTRUMENTATION, listen } from "../../src/instrumentation/instrumentation.js";
import { report } from "../child.js";
import { startGateway } from "../gateway.js";

/** The gateway as `npm start` composes it, with the exchange's rate limits and with clients. */
const [upstream = "", sockets = "", tokensPath = ""] = process.argv.slice(2);
const fail = (message: string): never => {
  throw new Error(message);
};
listen(INSTRUMENTATION, INSTRUMENTATION.fileChange, ({ mistakes }) => mistakes && fail(mistakes.join("; ")));
const files = new WatchedFiles(systemClock);
const clients = new ConfiguredClients({ tokensPath, jwt: undefined }, { clock: systemClock, files, report: fail });
const exchange = createDataSource({
  baseUrl: new URL(upstream),
  accounts: SANDBOX_CREDENTIALS.slice(0, 1).map(({ key, secret, passphrase }) => ({
    name: "main",
    credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
    isCopyTrader: false,
  })),
  demo: false,
  deadlineMs: 10_000,
  operationMs: 30_000,
  connections: 64,
  cacheEntries: 10_000,
  random: Math.random,
});
const streams = createStreams({ exchange, wsUrl: new URL(sockets), clock: systemClock, random: Math.random, live: "auto" });
report(`${await startGateway(exchange, { streams, clients })}/graphql`);
