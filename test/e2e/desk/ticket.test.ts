import { expect } from "vitest";
import { describeUnless } from "../../support/missing.js";
import { productTest } from "../support/productTest.js";
import { LEFT_OUT, openDesk, outcome, panel } from "./support.js";

describeUnless(LEFT_OUT, "the ticket", () => {
  productTest("takes exits in percent and as a multiple of the risk, and shows where they are", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT");
    const order = panel(page, "Order");
    await order.getByLabel("Price", { exact: true }).fill("100");
    await order.getByText("%", { exact: true }).click();
    await order.getByRole("textbox", { name: "Take profit" }).fill("10");
    await order.getByRole("textbox", { name: "Stop loss", exact: true }).fill("5");
    await order.getByText(/^at 110(\.0+)?$/).waitFor();
    await order.getByText(/^at 95(\.0+)?$/).waitFor();
    await order.getByText("R", { exact: true }).click();
    await order.getByRole("textbox", { name: "Take profit" }).fill("2");
    await order.getByRole("textbox", { name: "Stop loss", exact: true }).fill("96");
    await order.getByText(/^at 108(\.0+)?$/).waitFor();
    await order.getByRole("textbox", { name: "Quantity" }).fill("1.1");
    await order.getByRole("button", { name: /^Buy 1\.1 SOLUSDT/ }).click();
    await outcome(page, /Accepted.*Buy 1\.1 SOLUSDT/s).waitFor();
    await page.getByRole("tab", { name: "Open orders" }).click();
    await page
      .getByRole("row")
      .filter({ hasText: "SOLUSDT" })
      .filter({ hasText: /108\.0+ \/ 96\.0+/ })
      .waitFor();
    desk.verify();
  });

  productTest("has a calculator of profit and liquidation that begins with its order", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    const order = panel(page, "Order");
    await order.getByText("20×").waitFor();
    await order.getByLabel("Price", { exact: true }).fill("60000");
    await order.getByRole("textbox", { name: "Quantity" }).fill("0.5");
    await order.getByRole("button", { name: "Calculator" }).click();
    const dialog = page.getByRole("dialog", { name: "Calculator of BTCUSDT" });
    await dialog.getByLabel("Exit").fill("63000");
    await expect.poll(() => dialog.locator("dl").innerText()).toMatch(/Margin\s+1\s500\.00\s+Profit\s+\+1\s500\.00/);
    await expect.poll(() => dialog.locator("dl").innerText()).toMatch(/Liquidation, if isolated\s+57\s\d\d\d/);
    desk.verify();
  });

  productTest(
    "has keys that the user can change; those that trade are off until they are allowed, and ask",
    async ({ page, product }) => {
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
      await page.getByRole("tab", { name: "Positions" }).waitFor();
      await page.locator('[data-panel="Account"] tbody tr').first().waitFor();
      await page.keyboard.press("c");
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.keyboard.press("?");
      const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await sheet.getByRole("button", { name: "Change the key of On Trade: buy" }).click();
      await page.keyboard.press("s");
      await sheet.getByText("has another meaning").waitFor();
      await page.keyboard.press("k");
      await sheet.getByRole("button", { name: "Change the key of On Trade: buy" }).getByText("k", { exact: true }).waitFor();
      await sheet.getByLabel(/^Keys that lead to an order/).click();
      await sheet.getByText("Shift+Enter").waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("k");
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("ticket-size");
      await page.keyboard.press("Escape");
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
      const close = page.getByRole("dialog", { name: /^Close \d+ positions of main at market\?$/ });
      // The key works once the positions are there.
      await expect
        .poll(async () => {
          await page.keyboard.press("c");
          return close.count();
        })
        .toBe(1);
      await close.getByRole("button", { name: "Keep them" }).click();
      await panel(page, "Order").getByLabel("Price", { exact: true }).fill("50000");
      await panel(page, "Order").getByRole("textbox", { name: "Quantity" }).fill("0.0021");
      await page.keyboard.press("Shift+Enter");
      await outcome(page, /Accepted.*Buy 0\.0021 BTCUSDT @ 50/s).waitFor();
      desk.verify();
    },
  );
});
