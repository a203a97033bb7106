import { mergeConfig, type ViteDevServer, createServer as viteServer } from "vite";
import { afterAll, beforeAll, describe, expect } from "vitest";
import config from "../../examples/vite.config.js";
import { browserTest } from "../support/chromium.js";
import { PATIENT, type Product, servingProduct } from "./product.js";

let product: Product;
let vite: ViteDevServer;
let origin = "";
beforeAll(async () => {
  product = await servingProduct(PATIENT);
  const proxy = { "/graphql": { target: product.url } };
  vite = await viteServer(
    mergeConfig(config, { configFile: false, logLevel: "silent", server: { host: "127.0.0.1", port: 0, proxy } }),
  );
  await vite.listen();
  origin = vite.resolvedUrls?.local[0] ?? "";
}, 60_000);
afterAll(async () => {
  await vite.close();
  await product.stop();
});

describe.each(["urql", "apollo"])("the example for %s", { timeout: 60_000 }, (library) => {
  browserTest("shows a price that lives, and an order once it is placed", async ({ page }) => {
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(`${origin}${library}.html`);
    await page.locator("#price", { hasText: /^\d[\d,]*(\.\d+)?$/ }).waitFor();
    const first = await page.locator("#price").innerText();
    await page.waitForFunction((before) => document.querySelector("#price")?.textContent !== before, first);
    const before = await page.locator("#orders li").count();
    await page.getByRole("button", { name: "Buy 0.001 at 60,000" }).click();
    await page.getByRole("status").getByText("accepted", { exact: true }).waitFor();
    await page.waitForFunction((rows) => document.querySelectorAll("#orders li").length > rows, before);
    await page.locator("#orders li", { hasText: "BUY 0.001 at 60,000: NEW" }).first().waitFor();
    expect(complaints).toEqual([]);
  });
});
