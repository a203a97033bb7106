import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { codeOf } from "../support/pages.js";
import { inNode } from "../support/shortLived.js";
import { productTest } from "./support/productTest.js";

const PRICE = "\\d+(\\.\\d+)?";

const proxy = createServer();
afterAll(() => void proxy.close());

/** A page and the gateway's sockets under one origin, as behind a reverse proxy. */
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

describe("what docs/subscriptions.md shows", () => {
  productTest("runs as a page without any library", async ({ page: tab, product }) => {
    await tab.goto(await inFrontOf(product.url, codeOf("subscriptionPage")[0] ?? ""));
    const book = tab.locator("#book");
    await tab.getByText(/^\d+(\.\d+)? \/ \d+(\.\d+)?$/).waitFor();
    const first = await book.innerText();
    await tab.waitForFunction((before) => document.querySelector("#book")?.textContent !== before, first);
  });

  const programs = [
    ["graphql-ws", [PRICE]],
    ["@urql/core", [PRICE, `${PRICE} false`]],
    ["@apollo/client", [PRICE, PRICE, "true"]],
  ] as const;

  it("has only programs that are run here", () => {
    const libraries = codeOf("subscriptionPrograms").map((code) => programs.filter(([library]) => code.includes(`"${library}"`)));
    expect(libraries.map((found) => found.map(([library]) => library))).toEqual([
      ["graphql-ws"],
      ["graphql-ws", "@urql/core"],
      ["graphql-ws", "@apollo/client"],
    ]);
  });

  productTest.for(programs)("runs with %s", async ([library, lines], { product }) => {
    const code = codeOf("subscriptionPrograms").find((text) => text.includes(`from "${library}"`)) ?? "";
    await mkdir("build", { recursive: true });
    const folder = await mkdtemp(join("build", "page-"));
    const file = join(folder, "program.mjs");
    try {
      await writeFile(file, code.replaceAll("127.0.0.1:4000", new URL(product.url).host));
      const [program, ...words] = inNode(file);
      const { stdout } = await promisify(execFile)(program, words, { timeout: 30_000 });
      expect(stdout).toMatch(new RegExp(`^${lines.join("\\n")}\\n$`));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
