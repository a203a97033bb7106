import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { Credentials } from "@exchange-graph/sandbox/credentials";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { type Product, servingProduct } from "./product.js";

const [MAIN] = SANDBOX_CREDENTIALS;
if (MAIN === undefined) throw new Error("the sandbox has no keys");
const NEXT = { ...MAIN, key: "sandbox-main-next", secret: "sandbox-main-next-secret", passphrase: "mainnext1" };
const LAST = { ...MAIN, key: "sandbox-main-last", secret: "sandbox-main-last-secret", passphrase: "mainlast1" };

const folder = mkdtempSync(join(tmpdir(), "rotation-"));
const file = join(folder, "accounts.json");
let version = 0;

/** Puts a file in place as Kubernetes does: a new folder, and one rename of the symbolic link to it. */
function publish(content: string): void {
  const target = `version-${version++}`;
  mkdirSync(join(folder, target));
  writeFileSync(join(folder, target, "accounts.json"), content, { mode: 0o600 });
  symlinkSync(target, join(folder, "next"));
  renameSync(join(folder, "next"), join(folder, "..data"));
}
const accounts = ({ key, secret, passphrase }: typeof MAIN, name = "main"): string =>
  JSON.stringify([{ name, apiKey: key, apiSecret: secret, passphrase }]);

/** Every key that the exchange was shown, by calls and by sockets. */
const shown: string[] = [];
let sandbox: Sandbox;
let product: Product;
let isOver = false;
beforeAll(async () => {
  const find = Credentials.prototype.find;
  vi.spyOn(Credentials.prototype, "find").mockImplementation(function (this: Credentials, key) {
    shown.push(key);
    return find.call(this, key);
  });
  sandbox = await startSandbox({ signedQuery: "decoded", hasPast: false, credentials: [...SANDBOX_CREDENTIALS, NEXT, LAST] });
  publish(accounts(MAIN));
  symlinkSync(join("..data", "accounts.json"), file);
  product = await servingProduct({
    EXCHANGE_BASE_URL: sandbox.url,
    EXCHANGE_WS_URL: sandbox.wsUrl,
    EXCHANGE_ACCOUNTS_FILE: file,
    JOURNAL_PATH: join(folder, "journal.sqlite"),
  });
}, 60_000);
afterAll(async () => {
  isOver = true;
  await product.stop();
  await sandbox.close();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly data?: { readonly placeOrder?: { readonly outcome: string } };
  readonly errors?: readonly unknown[];
}
const ask = async (query: string): Promise<Answer> => {
  const response = await fetch(`${product.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as Answer;
};
const ORDER =
  'mutation { placeOrder(input: { category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "20000" }) { outcome userErrors { code message } } }';
const readyz = async () => (await fetch(`${product.url}/readyz`)).json() as Promise<object>;

it("keys are replaced under a load of orders and a socket: nothing fails, and no old key is used after the swap", async () => {
  const events: { readonly stale: boolean }[] = [];
  const failures: unknown[] = [];
  const client = createClient({
    url: `${product.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  client.subscribe<unknown, { stream: { stale: boolean } }>(
    { query: "subscription { orders { orderId } }" },
    {
      next: ({ extensions, errors }) =>
        errors === undefined ? events.push({ stale: extensions?.stream.stale ?? true }) : failures.push(errors),
      error: (error) => failures.push(error),
      complete: () => undefined,
    },
  );

  const orders = new Set<Promise<Answer>>();
  const answers: Answer[] = [];
  const trader = async (): Promise<void> => {
    while (!isOver) {
      const order = ask(ORDER);
      orders.add(order);
      answers.push(await order);
      orders.delete(order);
    }
  };
  const traders = Promise.all(Array.from({ length: 4 }, trader));
  const changes = () => product.output().split('"the accounts have changed"').length - 1;
  const someMore = async (): Promise<void> => {
    const [before, heard] = [answers.length, events.length];
    await expect.poll(() => answers.length).toBeGreaterThan(before + 8);
    await expect.poll(() => events.length).toBeGreaterThan(heard);
  };
  await someMore();

  for (const [next, before] of [
    [NEXT, MAIN],
    [LAST, NEXT],
  ] as const) {
    const known = changes();
    publish(accounts(next));
    await expect.poll(changes).toBe(known + 1);
    // What was on its way at that moment had been signed before.
    await Promise.all(orders);
    const since = shown.length;
    await someMore();
    expect(shown.slice(since)).toContain(next.key);
    expect(shown.slice(since)).not.toContain(before.key);
  }

  publish('[{"name": "main", "apiKey": "half');
  await expect.poll(readyz).toEqual({ status: "ready", unusableFiles: ["EXCHANGE_ACCOUNTS_FILE"] });
  await someMore();
  isOver = true;
  await traders;
  expect(answers.filter(({ errors, data }) => errors !== undefined || data?.placeOrder?.outcome !== "ACCEPTED")).toEqual([]);
  expect(failures).toEqual([]);
  expect(events.filter(({ stale }) => stale)).toEqual([]);

  publish(accounts(LAST, "desk"));
  await expect.poll(() => failures.length).toBe(1);
  expect(JSON.stringify(failures)).toContain("main is no account of this gateway any more");
  expect(await ask("{ accounts { name mode } }")).toEqual({ data: { accounts: [{ name: "desk", mode: "UNIFIED" }] } });
  publish(accounts({ ...LAST, secret: "wrong" }, "desk"));
  await expect.poll(readyz).toEqual({
    status: "not ready",
    reason: "the exchange refuses the key of every account",
    refusedKeys: [{ account: "desk", code: "40009", reason: expect.any(String) }],
  });
  await client.dispose();
  expect(product.output()).not.toMatch(/next-secret|last-secret/);
}, 60_000);
