// A gateway's write path under load, in a separate process, which is killed: it places orders as fast as the exchange
// allows, and prints each outcome once its client would have it. Runs what was built.
import { createExchange, RequestReads, RequestWrites, Secret } from "../../../../dist/src/datasources/index.js";
import { placeOrder } from "../../../../dist/src/datasources/writes/mutations/placeOrder.js";

const { url, journalPath, prefix, accounts, time } = JSON.parse(process.argv[2]);

const clock = {
  now: () => Math.round(time.from + (Date.now() - time.since) * time.factor),
  after(delayMs, task) {
    const timer = setTimeout(task, Math.max(0, delayMs) / time.factor);
    return () => clearTimeout(timer);
  },
};

const exchange = createExchange({
  baseUrl: new URL(url),
  accounts: accounts.map(({ name, key, secret, passphrase }) => ({
    name,
    credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
    isCopyTrader: false,
  })),
  demo: false,
  deadlineMs: 10_000,
  connections: 32,
  cacheEntries: 1_000,
  random: () => 0.5,
  clock,
  journalPath,
});

async function place(account, clientOid) {
  const order = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit", timeInForce: "ioc" };
  try {
    const input = { ...order, qty: "0.001", price: "60000", clientOid };
    const { outcome } = await placeOrder(new RequestWrites(exchange.writes, new RequestReads(exchange)), account, input);
    process.stdout.write(`${account.name} ${clientOid} ${outcome}\n`);
  } catch (error) {
    process.stdout.write(`${account.name} ${clientOid} UNSENT ${error.message}\n`);
  }
}

let count = 0;
const next = () => {
  const account = exchange.accounts[count % exchange.accounts.length];
  void place(account, `${prefix}-${count++}`);
  clock.after(60, next);
};
next();
