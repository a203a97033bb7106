// A gateway's write path under load, in a separate process, which is killed: it places orders as fast as the exchange
// allows, and prints each outcome once its client would have it. Runs what was built.
import { createDataSource, RequestReads, RequestWrites } from "../../../../dist/src/datasources/index.js";
import { placeOrders } from "../../../../dist/src/datasources/writes/mutations/placeOrder.js";
import { accountsOf, clockOf } from "../../../support/childParts.mjs";

const { url, journalPath, prefix, accounts, time } = JSON.parse(process.argv[2]);

const clock = clockOf(time);

const exchange = createDataSource({
  baseUrl: new URL(url),
  accounts: accountsOf(accounts),
  demo: false,
  deadlineMs: 10_000,
  connections: 32,
  cacheEntries: 1_000,
  random: () => 0.5,
  clock,
  journalPath,
});

/** Places orders together; one is sent as a single order is. */
async function place(account, clientOids) {
  const order = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit", timeInForce: "ioc" };
  const inputs = clientOids.map((clientOid) => ({ ...order, qty: "0.001", price: "60000", clientOid }));
  const print = (at, text) => process.stdout.write(`${account.name} ${clientOids[at]} ${text}\n`);
  try {
    const results = await placeOrders(new RequestWrites(exchange.writes, new RequestReads(exchange)), account, inputs);
    for (const [at, { outcome }] of results.entries()) print(at, outcome);
  } catch (error) {
    for (const at of clientOids.keys()) print(at, `UNSENT ${error.message}`);
  }
}

let count = 0;
let turn = 0;
const next = () => {
  const account = exchange.accounts[turn % exchange.accounts.length];
  const many = turn++ % 3 === 2 ? 3 : 1;
  void place(
    account,
    Array.from({ length: many }, () => `${prefix}-${count++}`),
  );
  clock.after(60, next);
};
next();
