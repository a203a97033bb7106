import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { browserTest } from "../support/chromium.js";
import { type Product, servingProduct } from "./product.js";

let product: Product;
beforeAll(async () => {
  product = await servingProduct();
}, 60_000);
afterAll(async () => {
  await product.stop();
});

/** Opens the page as a user would; notes every request, and everything the browser complains about. */
async function open(page: Page): Promise<{ requests: string[]; complaints: string[] }> {
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
  return { requests, complaints };
}

/** Runs what is in the editor; the text of the answer, as far as it is on the screen. */
async function run(page: Page): Promise<string> {
  await page.getByRole("button", { name: /execute query/i }).click();
  const answer = page.locator(".graphiql-response");
  await answer.getByText("}").first().waitFor();
  return (await answer.innerText()).replaceAll("\u00a0", " ");
}

describe("GraphiQL", { timeout: 60_000 }, () => {
  browserTest("runs its first query, and asks nobody but the gateway for anything", async ({ page }) => {
    const { requests, complaints } = await open(page);
    expect(page.url()).toBe(`${product.url}/graphiql`);
    expect(await page.title()).toBe("exchange-graph");

    const answer = await run(page);
    expect(answer).toContain('"data": {');
    expect(answer).toContain('"name": "main"');
    expect(answer).not.toContain('"errors"');

    expect(complaints).toEqual([]);
    const elsewhere = requests.filter((url) => !url.startsWith(`${product.url}/`) && !/^(?:data|blob):/.test(url));
    expect(elsewhere).toEqual([]);
  });

  browserTest("runs a subscription until it is stopped", async ({ page }) => {
    const { complaints } = await open(page);
    await page.locator(".graphiql-query-editor").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(
      'subscription Watch { ticker(category: USDT_FUTURES, symbol: "BTCUSDT", pace: { mode: ALL }) { symbol lastPrice bid1Qty } }',
    );
    // By then GraphiQL has read what it is.
    await page.getByRole("tab", { name: "Watch" }).waitFor();
    const answer = await run(page);
    expect(answer).toContain('"symbol": "BTCUSDT"');
    const response = page.locator(".graphiql-response");
    await page.waitForFunction(
      (before) => document.querySelector(".graphiql-response")?.textContent !== before,
      await response.textContent(),
    );
    await page.getByRole("button", { name: /stop query/i }).click();
    await page.getByRole("button", { name: /execute query/i }).waitFor();
    expect(complaints).toEqual([]);
  });

  browserTest("runs a look at everything: all accounts, loans, earn products, the broker, reference data", async ({ page }) => {
    await open(page);
    await page.locator(".graphiql-query-editor").click();
    await page.keyboard.press("Control+a");
    // The editor indents what is typed; indented already, the document would outgrow what a document may have.
    await page.keyboard.insertText(readFileSync("docs/examples/first-look.graphql", "utf8").replace(/^ +/gm, ""));
    const received = page.waitForResponse((response) => response.request().postData()?.includes("query Overview") === true);
    await run(page);
    const { data, errors } = await (await received).json();
    expect(errors).toBeUndefined();
    expect(data.main.positionHistory.edges).toHaveLength(5);
    expect(data.classic.futuresAccounts[0].assets.length).toBeGreaterThan(0);
    expect(data.broker.broker.subAccounts.edges[0].node.spotAssets.length).toBeGreaterThan(0);
    expect(data.spotFundFlow.whale.buyVolume).toMatch(/^\d/);
  });

  browserTest("completes what is typed, from the graph's own schema", async ({ page }) => {
    await open(page);
    await page.locator(".graphiql-query-editor").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("{ acc");
    await page.locator(".suggest-widget").getByText("accounts").first().waitFor();
  });
});
