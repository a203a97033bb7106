import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { browserTest } from "../../support/chromium.js";
import { type Product, servingProduct } from "../product.js";
import { complaintsOf, findings, goTo, openDesk, PAGES, panel, picture } from "./support.js";

let product: Product;
beforeAll(async () => {
  product = await servingProduct();
}, 60_000);
afterAll(async () => {
  await product.stop();
});

/** By default axe looks at one theme; both are looked at without loading anything again. */
const HAS_BOTH_THEMES = process.env.DESK_JOURNEYS === "all";

const BEFORE_A_CHART = 140_000;
const WITH_A_CHART = 200_000;

describe("the desk's pages", { timeout: 120_000 }, () => {
  browserTest("without keys: every panel of every page is whole, and axe finds nothing", async ({ page }) => {
    const desk = await openDesk(page, product.url, "overview");
    const found: string[] = [];
    const look = async (name: string) => {
      const path = name.toLowerCase().split(" ")[0] ?? "";
      for (const theme of HAS_BOTH_THEMES ? (["dark", "light"] as const) : (["dark"] as const)) {
        if (theme === "light") await page.getByRole("button", { name: "Change to the light theme" }).click();
        found.push(...(await findings(page)).map((one) => `${name}, ${theme}: ${one}`));
        await picture(page, `${path}-${theme}`);
        if (theme === "light") await page.getByRole("button", { name: "Change to the dark theme" }).click();
      }
    };
    for (const name of PAGES) {
      await page
        .locator(".chip")
        .filter({ hasText: name === "Broker" ? "broker" : "main" })
        .click();
      await goTo(page, name);
      if (name === "Trade") await page.locator(".chart canvas").first().waitFor();
      found.push(...(await complaintsOf(page)).map((one) => `${name}: ${one}`));
      await look(name);
    }
    await page.getByRole("button", { name: "Settings" }).click();
    found.push(...(await findings(page)));
    await page.getByLabel(/^Ask once more/).fill("250");
    await page.getByRole("button", { name: "Keep" }).click();
    expect(await page.evaluate(() => localStorage.getItem("desk"))).toContain('"confirmAbove":"250"');
    expect(found).toEqual([]);
    desk.verify();
  });

  browserTest("on a phone: one column, rows as cards, nothing clipped, on every page", async ({ page }) => {
    const desk = await openDesk(page, product.url, "overview", { theme: "light", width: 390, height: 844 });
    const found: string[] = [];
    for (const name of PAGES) {
      await page
        .locator(".chip")
        .filter({ hasText: name === "Broker" ? "broker" : "main" })
        .click();
      await goTo(page, name);
      found.push(...(await complaintsOf(page)).map((one) => `${name}: ${one}`));
      await picture(page, `${name.toLowerCase().split(" ")[0]}-phone`);
    }
    expect(found).toEqual([]);
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
