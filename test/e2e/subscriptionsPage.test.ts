import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { browserTest } from "../support/chromium.js";
import { type Product, servingProduct } from "./product.js";

const page = readFileSync("docs/subscriptions.md", "utf8");
/** The one block of this language. */
const block = (language: string): string => {
  const found = page.split(`\`\`\`${language}\n`)[1]?.split("```")[0];
  if (found === undefined) throw new Error(`no ${language} on the page`);
  return found;
};

let product: Product;
beforeAll(async () => {
  product = await servingProduct();
}, 60_000);
afterAll(async () => {
  await product.stop();
});

describe("what docs/subscriptions.md shows", { timeout: 60_000 }, () => {
  browserTest("runs as a page without any library", async ({ page: tab }) => {
    await tab.route("**/prices.html", (route) => route.fulfill({ contentType: "text/html", body: block("html") }));
    await tab.goto(`${product.url}/prices.html`);
    const book = tab.locator("#book");
    await tab.getByText(/^\d+(\.\d+)? \/ \d+(\.\d+)?$/).waitFor();
    const first = await book.innerText();
    await tab.waitForFunction((before) => document.querySelector("#book")?.textContent !== before, first);
  });

  it("runs with graphql-ws", async () => {
    const code = block("js")
      .replace(/^import .*$/m, "")
      .replace("ws://127.0.0.1:4000", product.url.replace("http", "ws"))
      .replace("createClient({", "createClient({ webSocketImpl: WebSocket,");
    const said: unknown[] = [];
    const { createClient } = await import("graphql-ws");
    const run = new Function("createClient", "WebSocket", "console", `return (async () => { ${code} })()`);
    await run(createClient, WebSocket, { log: (what: unknown) => said.push(what) });
    expect(said).toEqual([expect.stringMatching(/^\d+(\.\d+)?$/)]);
  });
});
