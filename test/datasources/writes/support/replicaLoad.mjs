// One of several gateways on one database under load, in a separate process, which is killed or stopped: it places orders, its own
// and some that others are given too, and prints each outcome once its client would have it. Runs what was built.

import { Database } from "../../../../dist/packages/replicas/src/database/database.js";
import { databaseStores } from "../../../../dist/packages/replicas/src/journal/databaseStores.js";
import { readDatabaseAddress } from "../../../../dist/src/config/databaseAddress.js";
import { createDataSource, RequestReads, RequestWrites } from "../../../../dist/src/datasources/index.js";
import { placeOrder } from "../../../../dist/src/datasources/writes/mutations/placeOrder.js";
import { accountsOf, clockOf } from "../../../support/childParts.mjs";

const { url, databaseUrl, name, accounts, time, everyMs, sharedMs } = JSON.parse(process.argv[2]);

const clock = clockOf(time);

const database = await Database.open({ address: readDatabaseAddress(databaseUrl), name, clock });
const exchange = createDataSource({
  baseUrl: new URL(url),
  accounts: accountsOf(accounts),
  ...{
    demo: false,
    deadlineMs: 20_000,
    connections: 32,
    cacheEntries: 1_000,
    random: () => 0.5,
    clock,
    writeStores: databaseStores(database, name),
  },
});
// The line to the database may be cut at any moment.
for (let isReady = false; !isReady; )
  try {
    await exchange.writes.journal.ready();
    await exchange.writes.writer.resume();
    isReady = true;
  } catch (error) {
    if (error.code !== "JOURNAL_UNAVAILABLE") throw error;
  }
process.stdout.write("ready\n");

async function place(account, clientOid) {
  const order = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit", timeInForce: "ioc" };
  try {
    const input = { ...order, qty: "0.001", price: "60000", clientOid };
    const { outcome } = await placeOrder(new RequestWrites(exchange.writes, new RequestReads(exchange)), account, input);
    process.stdout.write(`${account.name} ${clientOid} ${outcome}\n`);
  } catch (error) {
    process.stdout.write(`${account.name} ${clientOid} NOTHING ${error.message}\n`);
  }
}

let count = 0;
let shared = 0;
const next = () => {
  void place(exchange.accounts[count % exchange.accounts.length], `${name}-${count++}`);
  // The others are given the same key at about the same time.
  const round = Math.floor(clock.now() / sharedMs);
  if (round !== shared) void place(exchange.accounts[round % exchange.accounts.length], `shared-${round}`);
  shared = round;
  clock.after(everyMs, next);
};
next();

process.on("SIGTERM", () => {
  void exchange
    .close(5_000)
    .then(() => database.close())
    .then(() => process.exit(0));
});
