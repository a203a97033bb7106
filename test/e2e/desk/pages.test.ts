import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { post } from "../../support/ask.js";
import { describeUnless } from "../../support/missing.js";
import { productTest } from "../support/productTest.js";
import {
  complaintsOf,
  findings,
  goTo,
  LEFT_OUT,
  openDesk,
  outcome,
  PAGES,
  panel,
  picture,
  sharedTest,
  topBarComplaints,
} from "./support.js";

/** By default axe checks the fullest page in one theme; the long run checks each page in both themes without reloading. */
const IS_FULL = LEFT_OUT === undefined;
const THEMES = IS_FULL ? (["dark", "light"] as const) : (["dark"] as const);

const BEFORE_A_CHART = 140_000;
const WITH_A_CHART = 212_000;
/** As in `ui/atRest.ts`. */
const AT_REST_MS = 10_000;

/** Waits until the top bar shows each account's equity and profit. */
const accountsHaveFigures = (page: Page) =>
  expect
    .poll(
      () =>
        page
          .locator("[data-account] > span + span")
          .filter({ hasText: /\d\s*[+−]\d/ })
          .count(),
      { timeout: 15_000 },
    )
    .toBe(3);

/** How far the column of the liquidation price of a position lies behind its buttons, px. Runs in the page. */
function overlap(row: Element): number {
  const edge = (cell: string) => row.querySelector(cell)?.getBoundingClientRect();
  return (edge("td:nth-child(4)")?.right ?? 0) - (edge("td:last-child")?.left ?? 0);
}

describe("the desk", () => {
  // Runs first, so that the journal has an entry.
  sharedTest("places an order, changes it and cancels it", async ({ desk }) => {
    const { page } = desk;
    const ticket = panel(page, "Order");
    await page.locator("[data-side=bids]").first().waitFor();
    await ticket.getByLabel("Price", { exact: true }).fill("2900");
    await ticket.getByRole("textbox", { name: "Quantity" }).fill("0.37");
    await ticket.getByText("1 073.00 USDT").waitFor();
    await ticket.getByRole("button", { name: /^Buy 0\.37 ETHUSDT/ }).click();
    await outcome(page, "Accepted").waitFor();
    await page.getByRole("tab", { name: "Open orders" }).click();
    const row = panel(page, "Open orders").getByRole("row").filter({ hasText: "0.37" });
    await row.getByRole("button", { name: "Change" }).click();
    await page.getByRole("dialog").getByLabel("Price").fill("2890");
    await page.getByRole("dialog").getByRole("button", { name: "Change order" }).click();
    await row.filter({ hasText: "2 890.00" }).getByRole("button", { name: "Cancel" }).click();
    await row.waitFor({ state: "detached" });
    desk.verify();
  });

  sharedTest("without keys: every panel of every page is whole, and axe finds nothing", async ({ desk }) => {
    const { page } = desk;
    await accountsHaveFigures(page);
    const found: string[] = [];
    const look = async (name: string) => {
      const path = name.toLowerCase().split(" ")[0] ?? "";
      for (const theme of THEMES) {
        if (theme === "light") await page.getByRole("button", { name: "Change to the light theme" }).click();
        if (IS_FULL || name === "Trade") found.push(...(await findings(page)).map((one) => `${name}, ${theme}: ${one}`));
        await picture(page, `${path}-${theme}`);
        if (theme === "light") await page.getByRole("button", { name: "Change to the dark theme" }).click();
      }
    };
    for (const name of PAGES) {
      await page
        .locator("[data-account]")
        .filter({ hasText: name === "Broker" ? "broker" : "main" })
        .click();
      await goTo(page, name);
      if (name === "Trade") await page.locator("[data-panel=Chart] canvas").first().waitFor();
      await expect.poll(() => complaintsOf(page), { message: name }).toEqual([]);
      await look(name);
    }
    await page.getByRole("button", { name: "Settings" }).click();
    if (IS_FULL) found.push(...(await findings(page)));
    await page.getByLabel(/^Ask once more/).fill("250");
    await page.getByRole("button", { name: "Keep" }).click();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("desk.confirmAbove"))).toBe('"250"');
    expect(found).toEqual([]);
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "the desk, on each page", () => {
  sharedTest("shows when what it has from streams was last compared with the exchange", async ({ desk }) => {
    const { page } = desk;
    await goTo(page, "Overview");
    const age = panel(page, "All accounts").locator("[data-age]");
    await expect
      .poll(() => age.getAttribute("title"), { timeout: 30_000 })
      .toMatch(/STREAM.*Last compared with the exchange at \d\d:\d\d:\d\d$/);
    await goTo(page, "Health");
    const lists = panel(page, "Live lists").getByRole("row");
    await expect.poll(() => lists.filter({ hasText: "main" }).filter({ hasText: "from streams" }).count()).toBeGreaterThan(0);
    desk.verify();
  });

  sharedTest(
    "nothing in the top bar overlaps or is cut off, and no row hides what can be done, at any width",
    async ({ desk: { page } }) => {
      await goTo(page, "Positions");
      await accountsHaveFigures(page);
      const close = panel(page, "Positions").getByRole("button", { name: "Close" }).first();
      await close.waitFor();
      for (const width of [1440, 1280, 1200, 1024, 768, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(() => topBarComplaints(page), { message: `${width}` }).toEqual([]);
        const edge = async () => {
          const box = await close.boundingBox();
          return box === null ? Number.NaN : box.x + box.width;
        };
        await expect.poll(edge, { message: `Close at ${width}` }).toBeLessThanOrEqual(width);
      }
      await page.setViewportSize({ width: 1024, height: 768 });
      await page.getByRole("link", { name: "Trade", exact: true }).click();
      const row = panel(page, "Positions").getByRole("row").filter({ hasText: "ETHUSDT" });
      await row.locator("td:last-child button").first().waitFor();
      await expect
        .poll(() => row.evaluate(overlap), { message: "px of the liquidation price behind the buttons" })
        .toBeLessThanOrEqual(0);
    },
  );

  productTest("on a phone: one column, rows as cards, nothing clipped, on every page", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "overview", { theme: "light", width: 390, height: 844 });
    for (const name of PAGES) {
      await page.getByLabel("Account", { exact: true }).selectOption(name === "Broker" ? "broker" : "main");
      await goTo(page, name);
      await expect.poll(() => complaintsOf(page), { message: name }).toEqual([]);
      await picture(page, `${name.toLowerCase().split(" ")[0]}-phone`);
    }
    await page.locator("[data-environment] > button[aria-haspopup=dialog]").click();
    const menu = page.getByRole("dialog", { name: "Pages" });
    await expect
      .poll(() =>
        menu.evaluate((dialog) => {
          const { left, right } = dialog.getBoundingClientRect();
          const isOutside = (part: Element) => {
            const box = part.getBoundingClientRect();
            return box.left < left || box.right > right;
          };
          const inside = [...dialog.querySelectorAll("a, button, [data-account]")];
          return inside.length === 0 ? ["it is empty"] : inside.filter(isOutside).map(({ textContent }) => textContent);
        }),
      )
      .toEqual([]);
    desk.verify();
  });

  productTest("the distance to liquidation is beside the buttons in German too, where it is near", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade", { language: "de", width: 1024, height: 768 });
    const order = { account: "main", category: "USDT_FUTURES", symbol: "SOLUSDT", side: "BUY", orderType: "MARKET" };
    const place = "mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { outcome } }";
    const placed = await post(product.url, {
      query: place,
      variables: { input: { ...order, qty: "4000", marginMode: "ISOLATED" } },
    });
    expect(await placed.json()).toMatchObject({ data: { placeOrder: { outcome: "ACCEPTED" } } });
    const row = panel(page, "Positionen").getByRole("row").filter({ hasText: "SOLUSDT" });
    await row.getByText("nahe").waitFor();
    await expect.poll(() => row.evaluate(overlap), { message: "px of the distance behind the buttons" }).toBeLessThanOrEqual(0);
    desk.verify();
  });

  productTest("is printed in dark ink whatever its theme is", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "positions", { theme: "dark" });
    const cell = panel(page, "Positions").locator("tbody td").first();
    await cell.waitFor();
    const colour = () => cell.evaluate((element) => getComputedStyle(element).color);
    expect(await colour()).toBe("rgb(231, 234, 240)");
    await page.emulateMedia({ media: "print" });
    await expect.poll(colour).toBe("rgb(18, 22, 29)");
    desk.verify();
  });

  productTest("what is loaded before a chart is shown, and with one, stays within its bounds", async ({ page, product }) => {
    let bytes = 0;
    // A page at rest loads what may be opened later, which on a busy machine happens before it is complete.
    await page.addInitScript((atRest) => {
      const given = setTimeout;
      Reflect.set(globalThis, "setTimeout", (task: () => void, ms?: number) => (ms === atRest ? 0 : given(task, ms)));
    }, AT_REST_MS);
    const assets = join("apps/desk/dist/assets");
    page.on("request", (request) => {
      const name = new URL(request.url()).pathname.split("/desk/assets/")[1];
      if (name !== undefined) bytes += gzipSync(readFileSync(join(assets, name))).length;
    });
    await openDesk(page, product.url, "positions");
    // Its long tables need the part that draws no more rows than are on the screen.
    await panel(page, "History").locator("tbody tr").nth(20).waitFor();
    expect(bytes).toBeLessThan(BEFORE_A_CHART);
    await page.goto("about:blank");
    bytes = 0;
    await openDesk(page, product.url, "trade");
    await page.locator("[data-panel=Chart] canvas").first().waitFor();
    expect(bytes).toBeLessThan(WITH_A_CHART);
  });
});
