import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { Credentials } from "@exchange-graph/sandbox/credentials";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { tokenCommand } from "../../src/access/tokens/tokenCommand.js";
import { hashOf } from "../../src/engine/documents/trustedDocuments.js";
import { post } from "../support/ask.js";
import { MAIN_KEYS, type Product, servingProduct, startProduct } from "./product.js";

const [MAIN] = SANDBOX_CREDENTIALS;
if (MAIN === undefined) throw new Error("the sandbox has no keys");
const NEXT = { ...MAIN, key: "sandbox-main-next", secret: "sandbox-main-next-secret", passphrase: "mainnext1" };
const LAST = { ...MAIN, key: "sandbox-main-last", secret: "sandbox-main-last-secret", passphrase: "mainlast1" };

const folder = mkdtempSync(join(tmpdir(), "rotation-"));
const file = join(folder, "accounts.json");
let version = 0;

/** Replaces a file like Kubernetes: a new folder, and one rename of the symbolic link to it. */
function publish(content: string): void {
  const target = `version-${version++}`;
  mkdirSync(join(folder, target));
  writeFileSync(join(folder, target, "accounts.json"), content, { mode: 0o600 });
  symlinkSync(target, join(folder, "next"));
  renameSync(join(folder, "next"), join(folder, "..data"));
}
const accounts = ({ key, secret, passphrase }: typeof MAIN, name = "main"): string =>
  JSON.stringify([{ name, apiKey: key, apiSecret: secret, passphrase }]);

/** Every key that the exchange has received in calls and over sockets. */
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
});
afterAll(async () => {
  isOver = true;
  await product.stop();
  await sandbox.close();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

interface Answer<Payload = { readonly outcome: string }> {
  readonly data?: Readonly<Record<string, Payload>> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}
const ask = async <Payload = { readonly outcome: string }>(query: string, of = product): Promise<Answer<Payload>> => {
  const response = await post(of.url, { query });
  return (await response.json()) as Answer<Payload>;
};
const ORDER =
  'mutation { placeOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "20000" }) { outcome userErrors { code message } } }';
/** The dependencies that are not up. */
const troubles = async (of = product) => {
  const { dependencies } = (await (await fetch(`${of.url}/readyz?verbose`)).json()) as {
    readonly dependencies: readonly { readonly name: string; readonly state: string }[];
  };
  return dependencies.filter(({ state }) => state !== "up");
};

it.concurrent("keys are replaced under a load of orders and a socket: nothing fails, and no old key is used after the swap", async ({
  expect,
}) => {
  const events: { readonly stale: boolean }[] = [];
  const failures: unknown[] = [];
  const client = createClient({
    url: `${product.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  client.subscribe<unknown, { stream: { stale: boolean } }>(
    { query: "subscription { orders { orders { orderId } } }" },
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
    const [before, count] = [answers.length, events.length];
    await expect.poll(() => answers.length).toBeGreaterThan(before + 8);
    await expect.poll(() => events.length).toBeGreaterThan(count);
  };
  await someMore();

  for (const [next, before] of [
    [NEXT, MAIN],
    [LAST, NEXT],
  ] as const) {
    const known = changes();
    publish(accounts(next));
    await expect.poll(changes).toBe(known + 1);
    // Calls in transit at that moment were signed before the change.
    await Promise.all(orders);
    const since = shown.length;
    await someMore();
    expect(shown.slice(since)).toContain(next.key);
    expect(shown.slice(since)).not.toContain(before.key);
  }

  publish('[{"name": "main", "apiKey": "half');
  await expect
    .poll(() => troubles())
    .toMatchObject([{ name: "files", state: "degraded", reason: expect.stringContaining("EXCHANGE_ACCOUNTS_FILE") }]);
  await someMore();
  isOver = true;
  await traders;
  expect(answers.filter(({ errors, data }) => errors !== undefined || data?.placeOrder?.outcome !== "ACCEPTED")).toEqual([]);
  expect(failures).toEqual([]);
  expect(events.filter(({ stale }) => stale)).toEqual([]);

  const journal = join(folder, "journal.sqlite");
  renameSync(journal, `${journal}.aside`);
  const reason = expect.stringContaining("its file was moved, removed or replaced while it was in use");
  await expect.poll(() => troubles()).toContainEqual(expect.objectContaining({ name: "journal", state: "down", reason }));
  expect(await ask(ORDER)).toMatchObject({ errors: [{ extensions: { code: "JOURNAL_UNAVAILABLE" } }] });
  expect(product.output()).toContain("the journal of writes cannot be written: only writes that reduce risk are sent");
  renameSync(`${journal}.aside`, journal);
  await expect.poll(() => troubles()).not.toContainEqual(expect.objectContaining({ name: "journal" }));
  expect((await ask(ORDER)).data?.placeOrder?.outcome).toBe("ACCEPTED");

  publish(accounts(LAST, "desk"));
  await expect.poll(() => failures.length).toBe(1);
  expect(JSON.stringify(failures)).toContain("main is no longer an account of this gateway");
  expect(await ask("{ accounts { name mode } }")).toEqual({ data: { accounts: [{ name: "desk", mode: "UNIFIED" }] } });
  publish(accounts({ ...LAST, secret: "wrong" }, "desk"));
  await expect
    .poll(() => troubles())
    .toMatchObject([
      {
        ...{ name: "keys", state: "down", reason: "the exchange refuses the key of every account" },
        details: [{ account: "desk", code: "40009", reason: expect.any(String) }],
      },
    ]);
  await client.dispose();
  expect(product.output()).not.toMatch(/next-secret|last-secret/);
});

it.concurrent("rules are replaced while it runs: limits, addresses of withdrawals, trusted documents", async ({ expect }) => {
  const at = (name: string) => join(folder, `${name}.json`);
  const put = (name: string, content: string): void => writeFileSync(at(name), content, { mode: 0o600 });
  const WITHDRAW =
    'mutation { withdrawFromSubAccount(input: { account: "broker", subUid: "1", coin: "USDT", dest: ON_CHAIN, chain: "trc20", address: "TQ4", amount: "2", dryRun: true }) { outcome userErrors { code } } }';
  const DRY = ORDER.replace("input: {", "input: { dryRun: true,");
  const manifest = (...documents: readonly string[]) =>
    JSON.stringify(Object.fromEntries(documents.map((text) => [hashOf(text), text])));
  put("limits", "{}");
  put("addresses", "[]");
  put("documents", manifest(DRY, WITHDRAW));
  const ruled = await servingProduct({
    LIMITS_FILE: at("limits"),
    WITHDRAW_ADDRESSES_FILE: at("addresses"),
    TRUSTED_DOCUMENTS: at("documents"),
  });
  const codes = async (query: string) => {
    const { data, errors } = await ask<{ readonly userErrors?: readonly { readonly code: string }[] }>(query, ruled);
    return Object.values(data ?? {})[0]?.userErrors?.map(({ code }) => code) ?? errors?.map(({ extensions }) => extensions.code);
  };
  const all = async () => [await codes(DRY), await codes(WITHDRAW), await codes("{ accounts { name } }")];
  expect(await all()).toEqual([[], ["FORBIDDEN"], ["FORBIDDEN"]]);
  put("limits", '{"accounts": {"*": {"symbols": ["ETHUSDT"]}}}');
  put("addresses", '[{"address": "TQ4"}]');
  put("documents", manifest(DRY, WITHDRAW, "{ accounts { name } }"));
  const replaced = [["LIMIT_EXCEEDED"], [], undefined];
  await expect.poll(all).toEqual(replaced);
  put("limits", '{"accounts": {"nobody": {}}}');
  put("addresses", "[");
  put("documents", '{"half');
  const details = {
    LIMITS_FILE: expect.any(Array),
    WITHDRAW_ADDRESSES_FILE: expect.any(Array),
    TRUSTED_DOCUMENTS: expect.any(Array),
  };
  await expect.poll(() => troubles(ruled)).toMatchObject([{ name: "files", state: "degraded", details }]);
  expect(await all()).toEqual(replaced);
  expect(ruled.output()).toContain("LIMITS_FILE: .accounts.nobody must be an account: main, classic, broker, or *");
  await ruled.stop();
});

// The next two use a key of the first test, which must not be shown while that runs.
it("limits follow an account that is renamed, and are checked against the accounts of now", async () => {
  const at = (name: string) => join(folder, `${name}.json`);
  const put = (name: string, content: string): void => writeFileSync(at(name), content, { mode: 0o600 });
  const DRY = ORDER.replace('input: { account: "main",', "input: { dryRun: true,");
  put("names", accounts(MAIN, "main"));
  put("bounds", '{"accounts": {"main": {"symbols": ["ETHUSDT"]}}}');
  const renamed = await servingProduct({
    EXCHANGE_BASE_URL: sandbox.url,
    EXCHANGE_ACCOUNTS_FILE: at("names"),
    LIMITS_FILE: at("bounds"),
  });
  const codes = async () => {
    const { data } = await ask<{ readonly userErrors?: readonly { readonly code: string }[] }>(DRY, renamed);
    return Object.values(data ?? {})[0]?.userErrors?.map(({ code }) => code);
  };
  expect(await codes()).toEqual(["LIMIT_EXCEEDED"]);
  put("names", accounts(MAIN, "trading"));
  const reason = "changed, and cannot be used: LIMITS_FILE";
  await expect.poll(() => troubles(renamed)).toMatchObject([{ name: "files", state: "degraded", reason }]);
  expect(renamed.output()).toContain("LIMITS_FILE: .accounts.main must be an account: trading, or *");
  expect(await codes()).toEqual(["LIMIT_EXCEEDED"]);
  put("bounds", '{"accounts": {"trading": {"symbols": ["BTCUSDT"]}}}');
  await expect.poll(codes).toEqual([]);
  expect(await troubles(renamed)).toEqual([]);
  put("bounds", "{}");
  await expect.poll(() => troubles(renamed)).toMatchObject([{ name: "limits", state: "degraded", details: ["trading"] }]);
  expect(renamed.output()).toContain("accounts that had limits have none any more");
  await renamed.stop();
});

it("limits of a client that does not exist are refused at the start, on a change, and when its token is revoked", async () => {
  const at = (name: string) => join(folder, `${name}.json`);
  const put = (name: string, content: string): void => writeFileSync(at(name), content, { mode: 0o600 });
  const token = (...args: readonly string[]): string => tokenCommand(args, at("tokens"), systemClock).out;
  token("create", "desk", "--scope", "trade", "--scope", "admin");
  const id = /([0-9a-f]{12})\s+desk\s/.exec(token("list"))?.[1] ?? "none";
  const settings = { EXCHANGE_BASE_URL: sandbox.url, ...MAIN_KEYS, CLIENTS_FILE: at("tokens"), LIMITS_FILE: at("shares") };
  const ofClient = (client: string) => JSON.stringify({ clients: { [client]: { ordersPerSecond: 1 } } });
  put("shares", ofClient("token:desk"));
  const named = `LIMITS_FILE: .clients.token:desk must be token:${id}, the id of the token with this name`;
  expect(await startProduct(settings)).toMatchObject({ exitCode: 1, output: expect.stringContaining(named) });
  put("shares", ofClient(`token:${id}`));
  const running = await servingProduct(settings);
  put("shares", ofClient("token:desk"));
  await expect.poll(() => running.output()).toContain(named);
  const inEffect = () => running.output().split("LIMITS_FILE").length;
  put("shares", ofClient(`token:${id}`));
  await expect.poll(inEffect).toBeGreaterThan(2);
  token("revoke", "desk");
  await expect.poll(() => running.output()).toContain(`.clients.token:${id} must be the id of a token in CLIENTS_FILE`);
  await running.stop();
});

it.concurrent("the level of the log is replaced while it runs, at once with SIGHUP, which ends nothing", async ({ expect }) => {
  const level = join(folder, "level");
  writeFileSync(level, "error\n", { mode: 0o600 });
  const quiet = await servingProduct({ EXCHANGE_BASE_URL: "http://127.0.0.1:9", ...MAIN_KEYS, LOG_LEVEL_FILE: level });
  const lines = () => quiet.output().split('"msg":"request"').length - 1;
  await ask("{ accounts { name } }", quiet);
  expect(lines()).toBe(0);
  writeFileSync(level, "debug\n");
  quiet.signal("SIGHUP");
  await expect
    .poll(async () => {
      await ask("{ accounts { name } }", quiet);
      return lines();
    })
    .toBeGreaterThan(0);
  writeFileSync(level, "loud\n");
  quiet.signal("SIGHUP");
  await expect.poll(() => quiet.output()).toContain("must be one of silent, fatal, error, warn, info, debug, trace");
  expect(await quiet.stop()).toBe(0);
});
