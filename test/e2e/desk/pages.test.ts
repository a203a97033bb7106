import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { browserTest } from "../../support/chromium.js";
import { type Product, servingProduct } from "../product.js";
import { findings, openDesk, panel, picture } from "./support.js";

let product: Product;
beforeAll(async () => {
  product = await servingProduct();
}, 60_000);
afterAll(async () => {
  await product.stop();
});

/** Each page with a panel that it is about, and the account that has something to show there. */
const PAGES = [
  ["overview", "All accounts", "main"],
  ["trade", "Book", "main"],
  ["positions", "Positions", "main"],
  ["earn", "Loans", "main"],
  ["convert", "Conversions", "main"],
  ["broker", "Sub-accounts", "broker"],
  ["journal", "Journal", "main"],
  ["health", "Rate budgets", "main"],
] as const;

/** Both take as long again. */
const THEMES = process.env.DESK_JOURNEYS === "all" ? (["dark", "light"] as const) : (["dark"] as const);

const BEFORE_A_CHART = 140_000;
const WITH_A_CHART = 200_000;

describe("the desk's pages", { timeout: 120_000 }, () => {
  for (const theme of THEMES)
    browserTest(
      `without keys, ${theme}: each shows its data, complains of nothing, asks nobody else, and axe finds nothing`,
      async ({ page }) => {
        const desk = await openDesk(page, product.url, "overview", { theme });
        const found: string[] = [];
        for (const [path, title, account] of PAGES) {
          await page
            .getByRole("link", { name: path === "earn" ? "Earn & loans" : path, exact: path === "earn" })
            .first()
            .click();
          await page.locator(".chip").filter({ hasText: account }).click();
          await panel(page, title).locator("table, .levels, .gauges, .loans, .empty").first().waitFor();
          if (path === "trade") await page.locator(".chart canvas").first().waitFor();
          found.push(...(await findings(page)).map((one) => `${path}: ${one}`));
          await picture(page, `${path}-${theme}`);
        }
        await page.getByRole("button", { name: "Settings" }).click();
        found.push(...(await findings(page)));
        await page.getByLabel(/^Ask once more/).fill("250");
        await page.getByRole("button", { name: "Keep" }).click();
        expect(await page.evaluate(() => localStorage.getItem("desk"))).toContain('"confirmAbove":"250"');
        expect(found).toEqual([]);
        desk.verify();
      },
    );

  browserTest("on a phone: one column, and nothing is wider than the screen", async ({ page }) => {
    const desk = await openDesk(page, product.url, "overview", { theme: "light", width: 390, height: 844 });
    for (const [path, title] of PAGES.filter(([one]) => one !== "broker")) {
      await page.evaluate((to) => {
        location.hash = `#/${to}`;
      }, path);
      await panel(page, title).locator("table, .levels, .gauges, .loans, .empty").first().waitFor();
      if (path === "trade") await page.locator(".chart canvas").first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(0);
      await picture(page, `${path}-phone`);
    }
    desk.verify();
  });

  browserTest("what is loaded before a chart is shown, and with one, stays within its bounds", async ({ page }) => {
    let bytes = 0;
    const assets = join("apps/desk/dist/assets");
    page.on("request", (request) => {
      const name = new URL(request.url()).pathname.split("/desk/assets/")[1];
      if (name !== undefined) bytes += gzipSync(readFileSync(join(assets, name))).length;
    });
    await openDesk(page, product.url, "positions");
    await panel(page, "Positions").locator("table").waitFor();
    expect(bytes).toBeLessThan(BEFORE_A_CHART);
    await page.getByRole("link", { name: "Trade", exact: true }).click();
    await page.locator(".chart canvas").first().waitFor();
    expect(bytes).toBeLessThan(WITH_A_CHART);
  });
});
