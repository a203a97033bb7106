import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { rulesOf } from "../deploy/rules.js";
import { codeOf } from "../support/pages.js";
import { inNode } from "../support/shortLived.js";
import { productTest } from "./support/productTest.js";

productTest("the documentation is read, searched by keyboard, and calls no server but the gateway", async ({ page, product }) => {
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));

  await page.goto(`${product.url}/docs`);
  await page.getByRole("heading", { level: 1, name: "exchange-graph" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("orderBook");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForURL(/\/docs\/schema\//);

  await page.getByRole("link", { name: "Writing" }).click();
  await page.getByRole("heading", { level: 1, name: "Writing" }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow).toBe(0);

  expect(complaints).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(`${product.url}/`))).toEqual([]);
});

/** The default address in an alert's link, which Prometheus fills in without the external label `gateway_docs`. */
const DEFAULT = /^\{\{ with .*\{\{ else \}\}http:\/\/127\.0\.0\.1:4000(\/docs)\{\{ end \}\}(\/runbooks#\w+)$/;

productTest(
  "each alert's default link opens its runbook in the documentation that the gateway serves",
  async ({ page, product }) => {
    const alerts = rulesOf("deploy/prometheus/alerts.yml").filter(({ alert }) => alert !== undefined);
    expect(alerts.length).toBeGreaterThan(20);
    for (const { alert = "", annotations } of alerts) {
      const [, docs = "", runbook = ""] = DEFAULT.exec(annotations.runbook_url ?? "") ?? [];
      await page.goto(product.url + docs + runbook);
      const heading = page.getByRole("heading", { level: 2, name: alert, exact: true });
      await heading.waitFor();
      const target = page.locator(":target");
      expect([
        alert,
        await target.count(),
        await heading.evaluate((one) => one.matches(":target") || one.querySelector(":target") !== null),
      ]).toEqual([alert, 1, true]);
    }
  },
);

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
