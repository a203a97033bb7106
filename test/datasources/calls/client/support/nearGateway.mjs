// A gateway at the near end of a cable. Places an order on demand, reports how its call ended and its answer,
// and then repeats the order under its key. Runs what was built.
import { subscribe } from "node:diagnostics_channel";
import { createInterface } from "node:readline";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { createDataSource, RequestReads, RequestWrites, Secret } from "../../../../../dist/src/datasources/index.js";
import { placeOrder } from "../../../../../dist/src/datasources/writes/mutations/placeOrder.js";

const { url } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);

const [{ key, secret, passphrase }] = SANDBOX_CREDENTIALS;
const credentials = { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) };
const account = { name: "main", credentials, isCopyTrader: false };
const exchange = createDataSource({
  ...{ baseUrl: new URL(url), accounts: [account], demo: false, deadlineMs: 10_000, connections: 1, cacheEntries: 100 },
  random: () => 0.5,
});
subscribe("exchange-graph:upstream-call", ({ endpoint, outcome }) => endpoint === "placeOrder" && say(`${endpoint} ${outcome}`));

const ORDER = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "market", quoteQty: "100", clientOid: "cable" };
const place = async (more) => {
  try {
    return (await placeOrder(new RequestWrites(exchange.writes, new RequestReads(exchange)), account, { ...ORDER, ...more }))
      .outcome;
  } catch (error) {
    return error.message;
  }
};

const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
// Everything that an order needs to be known is known, and the connection is open.
await place({ dryRun: true });
say("ready");
await lines.next();
say(await place());
await lines.next();
say(await place());
process.exit();
