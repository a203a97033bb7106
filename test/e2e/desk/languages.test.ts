import { expect } from "vitest";
import { describeUnless } from "../../support/missing.js";
import { productTest } from "../support/productTest.js";
import { complaintsOf, findings, goTo, LEFT_OUT, openDesk, PAGES, panel, picture, writesOf } from "./support.js";

/** The parts of a dialog that lie outside of it, or outside of the screen. Runs in the page. */
function cutOff(dialog: Element): readonly string[] {
  const edges = dialog.getBoundingClientRect();
  const isOut = (part: Element) => {
    const { left, right, width } = part.getBoundingClientRect();
    return width > 1 && (left < Math.max(0, edges.left) || right > Math.min(innerWidth, edges.right));
  };
  return [...dialog.querySelectorAll("*")].filter(isOut).map((part) => `${part.localName} "${part.textContent?.slice(0, 40)}"`);
}

describeUnless(LEFT_OUT, "a language of the desk", () => {
  productTest("is chosen in the settings; its numbers and dates are those of the language", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog", { name: "Settings" }).getByText("Deutsch").click();
    await page.getByRole("link", { name: "Handel" }).waitFor();
    await page.locator("html[lang=de]").waitFor();
    await page.locator("[data-last-price] dd", { hasText: /^\d+\u202f\d{3},\d$/ }).waitFor();
    await page.getByRole("button", { name: /^Kaufen BTCUSDT/ }).waitFor();
    await page.locator("[data-side=bids]").first().waitFor();
    expect(await findings(page, "main")).toEqual([]);
    await picture(page, "trade-german");
    await page.getByRole("tab", { name: "Offene Orders" }).click();
    await page
      .locator("td", { hasText: /^\d\d\.\d\d\.\d{4}/ })
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Übersicht" }).click();
    const shares = page.locator("[data-panel=Allocation] [data-list=gauges] > li");
    await shares.nth(1).waitFor();
    // A bar has the length of the share that is written above it, whatever the language's decimal mark.
    const wrong = () =>
      shares.evaluateAll(
        (rows) =>
          rows.filter((row) => {
            const [bar, part] = [row.querySelector(":scope > i"), row.querySelector(":scope > i > i")];
            const drawn = ((part?.clientWidth ?? 0) / (bar?.clientWidth ?? 1)) * 100;
            return (
              Math.abs(drawn - Number.parseInt(row.querySelector(":scope > span:nth-of-type(2)")?.textContent ?? "", 10)) > 2
            );
          }).length,
      );
    await expect.poll(wrong).toBe(0);
    desk.verify();
  });

  productTest("is that of its fields too: no order is sent for a number that could be two", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT", { language: "de" });
    const writes = writesOf(page);
    const ticket = page.locator("[data-panel=Order]");
    const price = ticket.getByLabel("Kurs", { exact: true });
    await page.locator("[data-side=bids]").first().click();
    await expect.poll(() => price.inputValue()).toMatch(/^\d+,\d$/);
    await ticket.getByRole("textbox", { name: "Menge" }).fill("0,5");
    await price.fill("60.000");
    await ticket.getByText("60000 oder 60,000?").waitFor();
    expect(await ticket.locator("[type=submit]").isDisabled()).toBe(true);
    await price.press("Enter");
    await price.fill("50.000,5");
    await ticket.getByRole("button", { name: "Kaufen 0,5 BTCUSDT @ 50\u202f000,5" }).click();
    await page.locator("li[data-state=accepted]").waitFor();
    expect(writes).toEqual([expect.objectContaining({ qty: "0.5", price: "50000.5" })]);
    await page.getByRole("tab", { name: "Offene Orders" }).click();
    const row = page.getByRole("row").filter({ hasText: "50\u202f000,5" });
    await row.getByRole("button", { name: "Ändern" }).click();
    expect(await page.getByRole("dialog").getByLabel("Kurs", { exact: true }).inputValue()).toBe("50000,5");
    await page.keyboard.press("Escape");
    await row.getByRole("button", { name: "Stornieren" }).click();
    desk.verify();
  });

  productTest("of long words leaves a panel's choices readable on a page zoomed to 200 %", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "overview", { language: "de", account: "classic", width: 720, height: 450 });
    const chosen = panel(page, "Eigenkapital von classic").getByRole("group", { name: "Kurve von" });
    await chosen.getByText("Realisiert, 90 Tage").waitFor();
    await page.getByText(/seit dieser Tab geöffnet wurde/).waitFor();
    expect(await chosen.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    desk.verify();
  });

  productTest("of long words leaves the dialogs whole on the smallest phone", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "positions", { language: "de", width: 320, height: 568 });
    const positions = panel(page, "Positionen");
    const row = positions.getByRole("row").filter({ hasText: "SOLUSDT" });
    const orders = panel(page, "Offene Orders");
    for (const button of [
      ...["TP/SL", "Umkehren", "Schließen"].map((name) => row.getByRole("button", { name })),
      positions.getByRole("button", { name: "Alle schließen" }),
      orders.getByRole("button", { name: "Ändern" }).first(),
      orders.getByRole("button", { name: "Alle stornieren" }),
    ]) {
      await button.click();
      expect(await page.getByRole("dialog").evaluate(cutOff)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    desk.verify();
  });

  productTest("that is written from right to left breaks no page", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT", { account: "broker" });
    await page.locator("[data-side=bids]").first().waitFor();
    await page.evaluate(() => {
      document.documentElement.dir = "rtl";
    });
    for (const name of PAGES) {
      await goTo(page, name);
      await expect.poll(() => complaintsOf(page), { message: name }).toEqual([]);
      await picture(page, `${name.split(" ")[0]?.toLowerCase()}-rtl`);
    }
    desk.verify();
  });

  productTest("that is written from right to left resizes and moves panels in its direction", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "positions");
    await page.evaluate(() => {
      document.documentElement.dir = "rtl";
    });
    const titles = () => page.locator("[data-panel] h2").allInnerTexts();
    const box = async () => (await panel(page, "Positions").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await panel(page, "Positions").locator("[data-source]").waitFor();
    const { x, y, width, height } = await box();
    // The corner is at the end of the lines, on the left: drawn to the right, the panel is narrower.
    await page.mouse.move(x + 4, y + height - 4);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height - 4, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => Math.round(((await box()).width / width) * 10)).toBe(5);
    await page.getByRole("button", { name: "Move or resize Positions" }).focus();
    await page.keyboard.press("Shift+ArrowLeft");
    await page.getByText(/^13 of 24 columns/).waitFor({ state: "attached" });
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => (await titles())[1]).toBe("Positions");
    const tab = (name: string) => page.getByRole("tab", { name, exact: true });
    await tab("Fills").focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => tab("Order history").getAttribute("aria-selected")).toBe("true");
    desk.verify();
  });
});
