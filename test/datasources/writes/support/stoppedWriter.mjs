// A gateway that is stopped (SIGSTOP) when its order has been written down and has not left yet. Runs what was built.

import { Database } from "../../../../dist/packages/replicas/src/database/database.js";
import { databaseStores } from "../../../../dist/packages/replicas/src/journal/databaseStores.js";
import { readDatabaseAddress } from "../../../../dist/src/config/databaseAddress.js";
import { createDataSource, RequestReads, RequestWrites } from "../../../../dist/src/datasources/index.js";
import { placeOrder } from "../../../../dist/src/datasources/writes/mutations/placeOrder.js";
import { accountsOf, clockOf } from "../../../support/childParts.mjs";

const { url, credential, time, databaseUrl, deadlineMs = 30_000 } = JSON.parse(process.argv[2]);
const [account] = accountsOf([{ ...credential, name: "main" }]);

const clock = clockOf(time);
const address = databaseUrl && readDatabaseAddress(databaseUrl);
const database = address && (await Database.open({ address, name: "stopped", clock }));

const exchange = createDataSource({
  ...{ baseUrl: new URL(url), accounts: [account], demo: false, deadlineMs, connections: 2, cacheEntries: 100 },
  ...{ random: () => 0.5, clock, writeStores: database && databaseStores(database, "stopped") },
});

const { journal } = exchange.writes;
const record = journal.record.bind(journal);
journal.record = async (entry) => {
  const recorded = await record(entry);
  process.stdout.write("stopping\n");
  process.kill(process.pid, "SIGSTOP");
  return recorded;
};

const order = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit", qty: "0.001", price: "60000" };
try {
  const { outcome } = await placeOrder(new RequestWrites(exchange.writes, new RequestReads(exchange)), account, {
    ...order,
    clientOid: "stopped",
  });
  process.stdout.write(`${outcome}\n`);
} catch (error) {
  process.stdout.write(`${error.message}\n`);
}
await exchange.close();
await database?.close();
