import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startSandbox } from "@exchange-graph/sandbox";
import { afterAll, it } from "vitest";
import { post } from "../support/ask.js";
import { freePort } from "../support/freePort.js";
import { MAIN_KEYS, type Product, servingProduct, startProduct } from "./product.js";

const folder = mkdtempSync(join(tmpdir(), "journal-loss-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
/** An exchange, and the settings of a gateway in front of it with a journal of its own. */
async function newExchange() {
  const sandbox = await startSandbox({ hasPast: false });
  const JOURNAL_PATH = join(folder, `${files++}.sqlite`);
  return { sandbox, settings: { EXCHANGE_BASE_URL: sandbox.url, ...MAIN_KEYS, JOURNAL_PATH } };
}

interface Placed {
  readonly data?: { readonly placeOrder: { readonly outcome: string } } | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}
async function place({ url }: Product, key: string): Promise<string> {
  const query = `mutation { placeOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "20000", idempotencyKey: "${key}" }) { outcome } }`;
  const response = await post(url, { query });
  const { data, errors } = (await response.json()) as Placed;
  return data?.placeOrder.outcome ?? errors?.[0]?.extensions.code ?? "";
}
/** The state of the journal in `/readyz?verbose`, after the status. */
async function journalOf({ url }: Product): Promise<readonly unknown[]> {
  const response = await fetch(`${url}/readyz?verbose`);
  const { dependencies } = (await response.json()) as {
    readonly dependencies: readonly { readonly name: string; readonly state: string }[];
  };
  return [response.status, dependencies.find(({ name }) => name === "journal")?.state];
}

// A loss that one of the starts had caused would stay until it is accepted, so one journal goes through all of them.
it.concurrent("a start that fails once the journal is open loses nothing, and the next one reports no loss", async ({
  expect,
}) => {
  const { sandbox, settings } = await newExchange();
  const product = await servingProduct(settings);
  expect(await place(product, "before")).toBe("ACCEPTED");
  product.signal("SIGKILL");
  await product.stop();
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  for (const failing of [{ PORT: String(port) }, { CLIENTS_FILE: join(folder, "missing.json") }]) {
    const ended = await startProduct({ ...settings, ...failing });
    expect([failing, "exitCode" in ended ? ended.exitCode : "it serves"]).toEqual([failing, 1]);
  }
  server.close();
  const next = await servingProduct(settings);
  expect(await place(next, "after")).toBe("ACCEPTED");
  expect(await place(next, "before")).toBe("ACCEPTED");
  expect(await journalOf(next)).toEqual([200, "up"]);
  expect(next.output()).not.toMatch(/lost|cannot be written/);
  expect(await next.stop()).toBe(0);
  await sandbox.close();
}, 60_000);

it.concurrent("a journal whose WAL file was emptied sends no acknowledged key a second time, until the loss is accepted", async ({
  expect,
}) => {
  const { sandbox, settings } = await newExchange();
  const keys = Array.from({ length: 6 }, (_, count) => `key-${count}`);
  const product = await servingProduct(settings);
  for (const key of keys) expect(await place(product, key)).toBe("ACCEPTED");
  const sent = () => sandbox.calls.of("placeOrder").total;
  const before = sent();
  product.signal("SIGKILL");
  await product.stop();
  truncateSync(`${settings.JOURNAL_PATH}-wal`, 0);

  const next = await servingProduct(settings);
  for (const key of keys) expect(await place(next, key)).toBe("JOURNAL_UNAVAILABLE");
  expect(sent()).toBe(before);
  // It serves everything else, cancels and halts among it.
  expect(await journalOf(next)).toEqual([200, "degraded"]);
  expect(next.output()).toMatch(/it has lost the writes 1 to 6, sent until \d{4}-/);
  const command = [resolve("bundle/journal.js"), "accept-loss"];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: { JOURNAL_PATH: settings.JOURNAL_PATH } });
  expect(stdout).toContain("accepted: it has lost the writes 1 to 6");
  await expect.poll(() => journalOf(next)).toEqual([200, "up"]);
  expect(await place(next, "another")).toBe("ACCEPTED");
  expect(await next.stop()).toBe(0);
  await sandbox.close();
});
