import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaks } from "../support/leaks.js";
import { type Product, servingProduct } from "./product.js";

const path = join(mkdtempSync(join(tmpdir(), "clients-")), "clients.json");

const run = promisify(execFile);
/** Output of `npm run token` in a separate process. */
async function command(...args: string[]): Promise<string> {
  const options = { env: { CLIENTS_FILE: path }, cwd: mkdtempSync(join(tmpdir(), "command-")) };
  return (await run(process.execPath, [resolve("bundle/token.js"), ...args], options)).stdout.trim();
}

let product: Product;
let token: string;
beforeAll(async () => {
  token = await command("create", "desk", "--scope", "read:account=classic", "--expires", "1h");
  leaks.know(token, "a token");
  product = await servingProduct({ CLIENTS_FILE: path });
});
afterAll(async () => {
  await product.stop();
});

const ask = async (query: string, bearer?: string) => {
  const response = await fetch(`${product.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, body: await response.json() };
};

describe("the product with a file of tokens", () => {
  it("answers clients that have one, within its scopes", async () => {
    const { status, body } = await ask("{ viewer { name } accounts { name mode } tickers(category: SPOT) { symbol } }", token);
    expect(status).toBe(200);
    expect(body.data).toEqual({ viewer: { name: "desk" }, accounts: [{ name: "classic", mode: "CLASSIC" }], tickers: null });
    expect(body.errors).toMatchObject([{ path: ["tickers"], extensions: { code: "FORBIDDEN", scope: "read:market" } }]);
  });

  it("refuses all others", async () => {
    expect((await ask("{ __typename }")).status).toBe(401);
    expect((await fetch(`${product.url}/metrics`)).status).toBe(401);
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  });

  it("stops answering a token that is revoked while it runs, and says nothing of it anywhere", async () => {
    expect(await command("list")).toContain("\tdesk\tread:account=classic\t");
    await command("revoke", "desk");
    await expect.poll(async () => (await ask("{ __typename }", token)).status, { timeout: 20_000 }).toBe(401);
    expect(product.output()).not.toContain(token);
  });
});
