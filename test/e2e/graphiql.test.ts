import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { browserTest, NO_CHROMIUM } from "../support/chromium.js";
import { type Product, servingProduct } from "./product.js";

interface Opened {
  readonly product: Product;
  readonly page: Page;
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
}

/** The tests share a page: loading it and its editor takes longer than all that they do with it. */
const pageTest = browserTest.extend<{ readonly shared: Opened | undefined; readonly opened: Opened }>({
  shared: [
    async ({ browser }, use) => {
      if (browser === undefined) {
        await use(undefined);
        return;
      }
      const product = await servingProduct();
      await use(await open(product, await browser.newPage()));
      await product.stop();
    },
    { scope: "file" },
  ],
  opened: async ({ shared, skip }, use) => {
    if (shared === undefined) return skip(NO_CHROMIUM);
    await use(shared);
  },
});

/** Opens the page as a user would; notes every request, and everything the browser complains about. */
async function open(product: Product, page: Page): Promise<Opened> {
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  // The editor renders only what is on the screen.
  await page.setViewportSize({ width: 1600, height: 3000 });
  await page.goto(`${product.url}/graphiql`);
  await page.locator(".graphiql-query-editor").getByText("FirstLook").waitFor();
  return { product, page, requests, complaints };
}

/** Puts a document in the place of what is in the editor. */
async function write(page: Page, document: string): Promise<void> {
  await page.locator(".graphiql-query-editor").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(document);
}

/** Runs what is in the editor; the text of the answer once it holds `expected`, as far as it is on the screen. */
async function run(page: Page, expected: string): Promise<string> {
  await page.getByRole("button", { name: /execute query/i }).click();
  const answer = page.locator(".graphiql-response");
  await answer.getByText(expected).first().waitFor();
  return (await answer.innerText()).replaceAll("\u00a0", " ");
}

describe("GraphiQL", { timeout: 60_000 }, () => {
  pageTest("runs its first query, and asks nobody but the gateway for anything", async ({ opened }) => {
    const { product, page, requests, complaints } = opened;
    expect(page.url()).toBe(`${product.url}/graphiql`);
    expect(await page.title()).toBe("exchange-graph");

    const answer = await run(page, '"main"');
    expect(answer).toContain('"data": {');
    expect(answer).toContain('"name": "main"');
    expect(answer).not.toContain('"errors"');

    expect(complaints).toEqual([]);
    const elsewhere = requests.filter((url) => !url.startsWith(`${product.url}/`) && !/^(?:data|blob):/.test(url));
    expect(elsewhere).toEqual([]);
  });

  pageTest("runs a subscription until it is stopped", async ({ opened: { page, complaints } }) => {
    await write(
      page,
      'subscription Watch { ticker(category: USDT_FUTURES, symbol: "BTCUSDT", pace: { mode: ALL }) { symbol lastPrice bid1Qty } }',
    );
    // By then GraphiQL has read what it is.
    await page.getByRole("tab", { name: "Watch" }).waitFor();
    await run(page, '"BTCUSDT"');
    const response = page.locator(".graphiql-response");
    await page.waitForFunction(
      (before) => document.querySelector(".graphiql-response")?.textContent !== before,
      await response.textContent(),
    );
    await page.getByRole("button", { name: /stop query/i }).click();
    await page.getByRole("button", { name: /execute query/i }).waitFor();
    expect(complaints).toEqual([]);
  });

  pageTest(
    "runs a look at everything: all accounts, loans, earn products, the broker, reference data",
    async ({ opened: { page } }) => {
      // The editor indents what is typed; indented already, the document would outgrow what a document may have.
      await write(page, readFileSync("docs/examples/first-look.graphql", "utf8").replace(/^ +/gm, ""));
      const received = page.waitForResponse((response) => response.request().postData()?.includes("query Overview") === true);
      await run(page, '"classic"');
      const { data, errors } = await (await received).json();
      expect(errors).toBeUndefined();
      expect(data.main.positionHistory.edges).toHaveLength(5);
      expect(data.classic.futuresAccounts[0].assets.length).toBeGreaterThan(0);
      expect(data.broker.broker.subAccounts.edges[0].node.spotAssets.length).toBeGreaterThan(0);
      expect(data.spotFundFlow.whale.buyVolume).toMatch(/^\d/);
    },
  );

  pageTest("completes what is typed, from the graph's own schema", async ({ opened: { page } }) => {
    await write(page, "");
    await page.keyboard.type("{ acc");
    await page.locator(".suggest-widget").getByText("accounts").first().waitFor();
  });
});
