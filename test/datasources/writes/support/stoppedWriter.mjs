// A gateway that is stopped (SIGSTOP) when its order has been written down and has not left yet. Runs what was built.

import { createDataSource, RequestReads, RequestWrites } from "../../../../dist/src/datasources/index.js";
import { placeOrder } from "../../../../dist/src/datasources/writes/mutations/placeOrder.js";
import { accountsOf, clockOf } from "../../../support/childParts.mjs";

const { url, credential, time } = JSON.parse(process.argv[2]);
const [account] = accountsOf([{ ...credential, name: "main" }]);

const clock = clockOf(time);

const exchange = createDataSource({
  ...{ baseUrl: new URL(url), accounts: [account], demo: false, deadlineMs: 30_000, connections: 2, cacheEntries: 100 },
  ...{ random: () => 0.5, clock },
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
