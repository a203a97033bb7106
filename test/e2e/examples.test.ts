import { mergeConfig, createServer as viteServer } from "vite";
import { describe, expect } from "vitest";
import config from "../../examples/vite.config.js";
import { productTest } from "./support/productTest.js";

/** The examples served by their server, in front of the product. */
const exampleTest = productTest.extend<{ readonly origin: string }>({
  origin: [
    async ({ product }, use) => {
      const proxy = { "/graphql": { target: product.url } };
      const vite = await viteServer(
        mergeConfig(config, { configFile: false, logLevel: "silent", server: { host: "127.0.0.1", port: 0, proxy } }),
      );
      await vite.listen();
      await use(vite.resolvedUrls?.local[0] ?? "");
      await vite.close();
    },
    { scope: "file" },
  ],
});

describe.each(["urql", "apollo"])("the example for %s", { timeout: 60_000 }, (library) => {
  exampleTest("shows a price that lives, and an order once it is placed", async ({ page, origin }) => {
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
