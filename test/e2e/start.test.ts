import { once } from "node:events";
import { resolve } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { freePort } from "../support/freePort.js";
import { type Product, servingProduct, spawnProduct, startProduct } from "./product.js";

const SECRETS = { EXCHANGE_API_KEY: "the-key", EXCHANGE_API_SECRET: "the-secret", EXCHANGE_API_PASSPHRASE: "thephrase" };
/** An unreachable exchange. Without the built-in sandbox the product starts in half the time. */
const NO_EXCHANGE = { ...SECRETS, EXCHANGE_BASE_URL: "http://127.0.0.1:9", EXCHANGE_TIMEOUT_MS: "500" };

async function isServing(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  } catch {
    return false;
  }
}

describe("the built product", () => {
  it.concurrent("prints its address and its exchange, is ready, and stops gracefully", async ({ expect }) => {
    const product = await servingProduct({ LOG_LEVEL: "debug" });
    expect(product.output()).toContain(`Desk on ${product.url}\n`);
    expect(product.output()).toContain(`GraphiQL on ${product.url}/graphiql — behind it: the embedded sandbox exchange\n`);
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
    expect(await product.stop()).toBe(0);
    expect(product.output()).not.toMatch(/warning|deprecat/i);
  });

  it.concurrent("serves and exits with 0 without a reader of its output", async ({ expect }) => {
    const port = await freePort();
    const child = await spawnProduct({ ...NO_EXCHANGE, PORT: String(port) });
    child.stdout.destroy();
    child.stderr.destroy();
    await vi.waitUntil(() => isServing(port), { interval: 50, timeout: 50_000 });
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it.concurrent("names every mistake in its environment, shows no secret, and exits with 1", async ({ expect }) => {
    const ended = await startProduct({
      ...SECRETS,
      PORT: "high",
      LOG_LEVEL: "loud",
      EXCHANGE_BASE_URL: "https://x:the-secret@y",
      EXCHANGE_WSURL: "wss://y",
    });
    expect(ended).toEqual({
      exitCode: 1,
      output: [
        "exchange-graph cannot start:",
        "  EXCHANGE_WSURL: is not a setting. Did you mean EXCHANGE_WS_URL?",
        '  PORT: must be a whole number from 0 to 65535, and is "high"',
        '  LOG_LEVEL: must be one of silent, fatal, error, warn, info, debug, trace, and is "loud"',
        "  EXCHANGE_BASE_URL: must be an address such as https://api.example.com, without query or credentials",
        "",
      ].join("\n"),
    });
  });

  it.concurrent.each([
    ["a start", 1, undefined],
    ["npm run journal", 2, [process.execPath, resolve("bundle/journal.js"), "check"]],
  ])("waits for a database, says that it cannot be reached, and ends with an error: %s", async (_, exitCode, command) => {
    // On a free port the database of another test may begin to listen meanwhile.
    const settings = { ...NO_EXCHANGE, DATABASE_URL: "postgres://gate:word@127.0.0.1:1/eg" };
    const output = expect.stringContaining("DATABASE_URL: the database cannot be reached (ECONNREFUSED)");
    expect(await startProduct(settings, command)).toEqual({ exitCode, output });
  });

  it.concurrent("does not serve other machines without clients, and explains how to create them", async ({ expect }) => {
    const ended = await startProduct({ HOST: "0.0.0.0" });
    expect(ended).toMatchObject({ exitCode: 1, output: expect.stringContaining("HOST: must be 127.0.0.1, ::1 or localhost") });
    expect(ended).toMatchObject({ output: expect.stringContaining("npm run token -- create") });
  });
});

describe("the built product without the exchange", () => {
  let product: Product;
  beforeAll(async () => {
    product = await servingProduct(NO_EXCHANGE);
  });

  it("starts, and is not ready until that answers", async () => {
    expect(product.output()).toContain("behind it: 127.0.0.1:9\n");
    const response = await fetch(`${product.url}/readyz`);
    const answer = await response.text();
    expect(response.status).toBe(503);
    for (const secret of Object.values(SECRETS)) expect(answer).not.toContain(secret);
  });

  it("occupies its port: another one reports that it is in use", async () => {
    const { port } = new URL(product.url);
    const ended = await startProduct({ ...NO_EXCHANGE, PORT: port });
    expect(ended).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining(`  PORT: another program uses port ${port} of 127.0.0.1`),
    });
  });

  it("ends well on Ctrl+C too, and has shown no secret", async () => {
    expect(await product.stop("SIGINT")).toBe(0);
    for (const secret of Object.values(SECRETS)) expect(product.output()).not.toContain(secret);
  });
});
