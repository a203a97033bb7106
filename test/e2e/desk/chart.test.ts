import { subtractDecimals } from "@exchange-graph/client";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { describeUnless } from "../../support/missing.js";
import { productTest } from "../support/productTest.js";
import { findings, LEFT_OUT, lastPrice, limitPrice, openDesk, outcome, panel, writesOf } from "./support.js";

/** Drags a handle by pixels, and releases it. The handle moves with the chart's prices until it is held. */
async function dragged(page: Page, handle: Locator, by: number, whileDragged?: () => Promise<void>): Promise<void> {
  await handle.hover({ position: { x: 6, y: 6 } });
  await page.mouse.down();
  const { x, y } = (await handle.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 6, y + 6 + by, { steps: 4 });
  await whileDragged?.();
  await page.mouse.up();
}

/** Moves a handle down by a key. The chart's prices follow the candles, which may leave it outside: a key reaches it where it is. */
async function movedByKey(page: Page, handle: Locator): Promise<void> {
  const before = await handle.getAttribute("data-price");
  await expect
    .poll(async () => {
      await handle.evaluate((button) => {
        if (button instanceof HTMLElement) button.style.visibility = "visible";
      });
      await handle.focus();
      await page.keyboard.press("Shift+ArrowDown");
      return handle.getAttribute("data-price");
    })
    .not.toBe(before);
}

const sent = (writes: ReturnType<typeof writesOf>) => writes.filter(({ dryRun }) => dryRun !== true);
const handle = (page: Page, text: string | RegExp) => page.locator("button[data-price]", { hasText: text });

describeUnless(LEFT_OUT, "the chart of the trade page", () => {
  productTest("composes an order at a price, and moves it by dragging: a dry run, and a question", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/ETHUSDT");
    const writes = writesOf(page, true);
    const order = panel(page, "Order");
    const frame = page.getByRole("application", { name: /^Chart of ETHUSDT/ });
    await page.getByRole("button", { name: "Order at a price" }).click();
    await page.locator("[data-panel=Chart] canvas").first().waitFor();
    await lastPrice(page);
    const { height } = (await frame.boundingBox()) ?? { height: 0 };
    // Below all candles: at a price above the market the order would be filled at once.
    await frame.click({ position: { x: 200, y: height * 0.86 } });
    await page
      .getByRole("dialog", { name: /^At [\d\s.]+$/ })
      .getByRole("button", { name: "Buy limit here" })
      .click();
    expect(await limitPrice(page)).toMatch(/\.\d\d$/);
    await order.getByRole("textbox", { name: "Quantity" }).fill("0.23");
    await order.getByRole("button", { name: /^Buy 0\.23 ETHUSDT/ }).click();
    await outcome(page, /Accepted.*Buy 0\.23 ETHUSDT/s).waitFor();

    const mine = handle(page, "Buy 0.23");
    await mine.waitFor();
    const before = await mine.getAttribute("data-price");
    const placed = sent(writes).length;
    await dragged(page, mine, 40, async () => {
      await page
        .locator("[role=status] dd", { hasText: /\d USDT/ })
        .first()
        .waitFor();
    });
    const dialog = page.getByRole("dialog", { name: /^Move buy 0\.23 ETHUSDT to [\d\s.]+\?$/ });
    expect(writes.at(-1)?.dryRun).toBe(true);
    expect(sent(writes)).toHaveLength(placed);
    await dialog.getByRole("button", { name: "Leave it" }).click();
    await expect.poll(() => mine.getAttribute("data-price")).toBe(before);

    await mine.focus();
    for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Send it" }).click();
    await outcome(page, /Accepted.*Move buy 0\.23 ETHUSDT/s).waitFor();
    await expect.poll(() => mine.getAttribute("data-price")).not.toBe(before);
    expect(sent(writes)).toHaveLength(placed + 1);
    desk.verify();
  });

  productTest(
    "makes a take-profit of a position by dragging it, and moves that without a moment without it",
    async ({ page, product }) => {
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
      // The scale is that of the candles: a price in sight before they are there may be out of it afterwards.
      await expect
        .poll(() => page.locator("[data-panel=Chart] p[aria-hidden=true]").innerText())
        .toMatch(/O\s*[\d.]+.*C\s*[\d.]+/s);
      await lastPrice(page);
      // Above all candles, so also above the last price: below it, a long position's exit stops a loss.
      const top = (await page.getByRole("application", { name: /^Chart of BTCUSDT/ }).boundingBox())?.y ?? 0;
      const entry = handle(page, /Long 0\.42/);
      await entry.waitFor();
      await dragged(page, entry, top + 14 - ((await entry.boundingBox())?.y ?? 0));
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Profit there").waitFor();
      await dialog.getByRole("button", { name: "Send it" }).click();
      await outcome(page, /Accepted.*Take profit of BTCUSDT long/s).waitFor();
      const exit = handle(page, "Take profit").filter({ visible: true });
      await exit.first().waitFor();
      const writes = writesOf(page, true);
      const before = await exit.first().getAttribute("data-price");
      await dragged(page, exit.first(), 10);
      await dialog.getByRole("button", { name: "Send it" }).click();
      await outcome(page, /Accepted.*Cancel trigger of BTCUSDT/s).waitFor();
      expect(sent(writes)).toMatchObject([{ planType: "POS_PROFIT", triggerBy: "MARKET" }, { kind: "PLAN_ORDER" }]);
      const exits = () => exit.evaluateAll((all) => all.map((one) => one.getAttribute("data-price")));
      await expect.poll(exits).toEqual([expect.not.stringMatching(`^${before}$`)]);
      desk.verify();
    },
  );

  productTest("makes an exit of a position by the keyboard, on a tick of the market", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    const price = await lastPrice(page);
    const entry = handle(page, /Long 0\.42/);
    await entry.waitFor({ state: "attached" });
    // The average entry lies between two ticks, nine times in ten.
    await movedByKey(page, entry);
    // It keeps the focus while the chart is drawn anew, even beyond the shown prices.
    await expect.poll(() => lastPrice(page)).not.toBe(price);
    expect(await entry.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await entry.getAttribute("data-price")).toMatch(/\.\d$/);
    await page.keyboard.press("Enter");
    // Which of the two depends on the side of the last price on which the entry is.
    const dialog = page.getByRole("dialog", { name: /^(?:Stop loss|Take profit) of BTCUSDT long/ });
    const send = dialog.getByRole("button", { name: "Send it" });
    await expect.poll(() => send.isEnabled()).toBe(true);
    desk.verify();
  });

  productTest("moves the trigger of an order that waits, after a question", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/ETHUSDT");
    const order = panel(page, "Order");
    await page.locator("[data-side=bids]").first().click();
    const price = await limitPrice(page);
    await order.getByText("Strategy", { exact: true }).click();
    await order.getByLabel("Trigger price", { exact: true }).fill(subtractDecimals(price.replace(/\..*/, ""), "15"));
    await order.getByRole("textbox", { name: "Quantity" }).fill("0.31");
    await order.getByRole("button", { name: "Buy 0.31 ETHUSDT" }).click();
    await order.getByRole("button", { name: "Yes, Buy 0.31 ETHUSDT" }).click();
    await outcome(page, /Accepted.*Buy 0\.31 ETHUSDT, Trigger/s).waitFor();
    const trigger = handle(page, "Trigger 0.31");
    await trigger.waitFor({ state: "attached" });
    const before = await trigger.getAttribute("data-price");
    await movedByKey(page, trigger);
    await page.keyboard.press("Enter");
    await page
      .getByRole("dialog", { name: /^Move the trigger of ETHUSDT to [\d\s.]+\?$/ })
      .getByRole("button", { name: "Send it" })
      .click();
    await outcome(page, /Accepted.*Move the trigger of ETHUSDT/s).waitFor();
    await expect.poll(() => trigger.getAttribute("data-price"), { timeout: 30_000 }).not.toBe(before);
    desk.verify();
  });

  productTest("keeps indicators and drawn lines, and is read as a table and by the keyboard", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/SPOT/BTCUSDT");
    await page.locator("[data-panel=Chart] canvas").first().waitFor();
    await page.getByRole("button", { name: "Indicators" }).click();
    const dialog = page.getByRole("dialog", { name: "Indicators" });
    for (const name of ["Average of 20 (SMA)", "Relative strength of 14 (RSI)"]) await dialog.getByLabel(name).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Draw a level" }).click();
    const frame = page.getByRole("application", { name: /^Chart of BTCUSDT/ });
    await frame.click({ position: { x: 150, y: 90 } });
    const line = page.getByRole("button", { name: /^Line at [\d\s.]+\. Arrow keys/ });
    await line.waitFor();
    await page.getByRole("button", { name: "Draw a trend line" }).click();
    await frame.click({ position: { x: 120, y: 100 } });
    await frame.click({ position: { x: 300, y: 120 } });
    await expect.poll(() => page.getByRole("button", { name: "Draw a trend line" }).getAttribute("aria-pressed")).toBe("false");
    const other = await page.context().newPage();
    const second = await openDesk(other, product.url, "trade/SPOT/ETHUSDT");
    await other.getByRole("button", { name: "Draw a level" }).click();
    await other.getByRole("application", { name: /^Chart of ETHUSDT/ }).click({ position: { x: 150, y: 90 } });
    await other.getByRole("button", { name: /^Line at/ }).waitFor();
    second.verify();
    await other.close();
    await page.getByRole("button", { name: "Draw a level" }).click();
    await frame.click({ position: { x: 180, y: 140 } });
    await expect.poll(() => page.getByRole("button", { name: /^Line at/ }).count()).toBe(2);
    const kept = await page.evaluate(() => localStorage.getItem("desk-drawings"));
    expect(Object.keys(JSON.parse(kept ?? "{}")).sort()).toEqual(["SPOT/BTCUSDT", "SPOT/ETHUSDT"]);
    await page.reload();
    await line.first().waitFor();
    const end = page.getByRole("button", { name: /^End of a trend line at/ }).first();
    await end.waitFor();
    // With the indicators, the pane of the candles has its height, and its handles their places.
    await expect
      .poll(() => page.locator("[data-panel=Chart] p[aria-hidden=true]").innerText())
      .toMatch(/SMA 20 [\d\s.]+RSI 14 \d+\.\d\d/);
    const drawn = await end.getAttribute("data-price");
    // A candle that changes the scale between the pointer's way and its press leaves the handle where it was.
    await expect
      .poll(async () => {
        await dragged(page, end, 12);
        return end.getAttribute("data-price");
      })
      .not.toBe(drawn);
    const moved = await end.getAttribute("data-price");
    await end.focus();
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => end.getAttribute("data-price")).not.toBe(moved);
    await page.keyboard.press("Delete");
    await expect.poll(() => end.count()).toBe(0);

    await frame.focus();
    await page.keyboard.press("ArrowLeft");
    await page.locator("[data-panel=Chart] [aria-live]", { hasText: /Open [\d\s.]+, High/ }).waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: /^At / }).waitFor();
    await page.keyboard.press("Escape");
    expect(await findings(page, "[data-panel=Chart]")).toEqual([]);
    await page.getByRole("button", { name: "Chart as table" }).click();
    await expect
      .poll(() => page.getByRole("table", { name: "Candles of BTCUSDT, 15m" }).locator("tbody tr").count())
      .toBeGreaterThan(10);
    await page.getByRole("button", { name: "Chart as table" }).click();
    await page.locator("[data-panel=Chart] canvas").first().waitFor();
    await page.getByRole("button", { name: "Erase all lines" }).click();
    await expect.poll(() => line.count()).toBe(0);
    desk.verify();
  });

  productTest("has no price of a level that is out of sight on its scale", async ({ page, product }) => {
    await page.addInitScript(() => {
      const lines = Array.from({ length: 40 }, (_, at) => ({ id: `${at}`, kind: "level", price: `${50_000 + at}` }));
      localStorage.setItem("desk-drawings", JSON.stringify({ "USDT_FUTURES/BTCUSDT": lines }));
    });
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT", { account: "broker" });
    await page.locator('[data-price="50039"]').waitFor({ state: "attached" });
    // The price of the position's level, which is drawn with them.
    await expect.poll(() => coloured(page, "accent")).toBeGreaterThan(500);
    expect(await coloured(page, "muted")).toBeLessThan(1_000);
    desk.verify(/willReadFrequently/);
  });
});

/** Number of pixels of the price scale in a colour of the theme. */
const coloured = (page: Page, name: string): Promise<number> =>
  page.evaluate((colour) => {
    const [, red, green, blue] =
      /^#(..)(..)(..)$/.exec(getComputedStyle(document.documentElement).getPropertyValue(`--${colour}`).trim()) ?? [];
    const wanted = [red, green, blue].map((part) => Number.parseInt(part ?? "", 16));
    let found = 0;
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>("[data-panel=Chart] tr:first-child td:last-child canvas")) {
      const { data = [] } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
      for (let at = 0; at < data.length; at += 4) if (wanted.every((part, index) => data[at + index] === part)) found += 1;
    }
    return found;
  }, name);
