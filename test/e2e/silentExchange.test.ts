import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createDataSource } from "../../src/datasources/index.js";
import { post } from "../support/ask.js";
import { eventually } from "../support/eventually.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

const TIMEOUT_MS = 500;
/** Additional time to close files on a busy machine. */
const CLOSING_MS = 15_000;

let sandbox: Sandbox;
let silent: Server;
let asked = 0;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "silent-"));
  sandbox = await startSandbox({ hasPast: false });
  silent = createServer(() => {
    asked++;
  });
  await once(silent.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const productBehind = (url: string, journal: string) =>
  servingProduct({
    EXCHANGE_BASE_URL: url,
    ...MAIN_KEYS,
    JOURNAL_PATH: join(folder, journal),
    SHUTDOWN_TIMEOUT_MS: String(TIMEOUT_MS),
  });

/** Sends a query whose connection ends without a response. */
const cutOff = ({ url }: Product, query: string): Promise<void> =>
  expect(post(url, { query }).then((response) => response.text())).rejects.toThrow();

async function stopped(product: Product): Promise<number> {
  const from = performance.now();
  expect(await product.stop()).toBe(0);
  expect(product.output()).not.toContain("not everything was closed in time");
  return performance.now() - from;
}

it("a gateway whose exchange answers nothing stops within its time", async () => {
  const { port } = silent.address() as AddressInfo;
  const product = await productBehind(`http://127.0.0.1:${port}`, "reads.sqlite");
  const asking = cutOff(product, "{ account { totalEquity } }");
  // A client that does not read does not confirm the closing of its socket either.
  const socket = new WebSocket(`${product.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  await once(socket, "open");
  socket.pause();
  await eventually(() => asked > 0);
  expect(await stopped(product)).toBeLessThan(TIMEOUT_MS + CLOSING_MS);
  await asking;
  socket.terminate();
});

it("a write that the exchange has not answered by then stays open in the journal", async () => {
  const product = await productBehind(sandbox.url, "writes.sqlite");
  const { writes, close } = createDataSource({
    ...{ baseUrl: new URL(sandbox.url), accounts: [], demo: false, deadlineMs: 1_000, connections: 1, cacheEntries: 100 },
    ...{ random: () => 0.5, journalPath: join(folder, "writes.sqlite") },
  });
  sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 60_000 } });
  const order = `account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, price: "20000", qty: "0.01", idempotencyKey: "one"`;
  const asking = cutOff(product, `mutation { placeOrder(input: { ${order} }) { outcome userErrors { message } } }`);
  await expect.poll(async () => (await writes.journal.open()).length).toBe(1);
  expect(await stopped(product)).toBeLessThan(TIMEOUT_MS + CLOSING_MS);
  expect(await writes.journal.open()).toMatchObject([{ key: "one", endpoint: "placeOrder", state: "SENT" }]);
  await asking;
  await close();
});
