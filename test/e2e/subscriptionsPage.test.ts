import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { pipeline } from "node:stream";
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
const proxy = createServer();
afterAll(async () => {
  proxy.close();
  await product.stop();
});

/** A page and the gateway's sockets under one origin, as a proxy serves them. */
async function inFrontOf(url: string, html: string): Promise<string> {
  const { hostname, port } = new URL(url);
  proxy.on("request", (_request, response) => response.setHeader("content-type", "text/html").end(html));
  proxy.on("upgrade", ({ url: path, rawHeaders }, socket) => {
    const gateway = connect(Number.parseInt(port, 10), hostname);
    const headers = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
    gateway.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
    pipeline(socket, gateway, socket, () => undefined);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
}

describe("what docs/subscriptions.md shows", { timeout: 60_000 }, () => {
  browserTest("runs as a page without any library", async ({ page: tab }) => {
    await tab.goto(await inFrontOf(product.url, block("html")));
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
