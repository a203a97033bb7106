import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest } from "../../support/chromium.js";
import { describeUnless } from "../../support/missing.js";
import { MovingPicture } from "../../support/movingPicture.js";
import { type Product, servingProduct } from "../product.js";
import { lastPrice, openDesk, panel } from "./support.js";

const FOLDER = process.env.DESK_PICTURES;
const MAX_BYTES = 1_000_000;
const HOLD_MS = 1_800;
const TICK_MS = 400;

describeUnless(FOLDER === undefined ? "DESK_PICTURES=docs/images has it made" : undefined, "the README's moving picture", () => {
  let product: Product;
  beforeAll(async () => {
    product = await servingProduct();
  });
  afterAll(async () => {
    await product.stop();
  });

  browserTest("shows a look around, an order, and what became of it", async ({ page }) => {
    const encoder = await page.context().newPage();
    await encoder.goto(`${product.url}/healthz`);
    const desk = await openDesk(page, product.url, "overview", { width: 1440, height: 900 });
    const picture = new MovingPicture(page, encoder);
    const ticks = async (count: number) => {
      const last = page.locator("[data-last-price] dd");
      for (let tick = 0; tick < count; tick++) {
        const before = await last.innerText();
        await expect.poll(() => last.innerText()).not.toBe(before);
        await picture.add(TICK_MS);
      }
    };
    await panel(page, "All accounts").locator("table, [data-list], [data-state=empty]").first().waitFor();
    await picture.add(HOLD_MS);

    await page.getByRole("link", { name: "Trade", exact: true }).click();
    await page.locator("[data-side=bids]").first().waitFor();
    await page.locator("[data-panel=Chart] canvas").first().waitFor();
    await ticks(6);
    const ticket = panel(page, "Order");
    const last = await lastPrice(page);
    await ticket.getByLabel("Price", { exact: true }).fill(`${last.slice(0, 1)}0000`);
    await ticket.getByRole("textbox", { name: "Quantity" }).fill("0.01");
    const button = ticket.getByRole("button", { name: /^Buy 0\.01 BTCUSDT/ });
    await button.waitFor();
    await ticks(2);
    await picture.add(HOLD_MS);
    await button.click();
    await page.getByRole("list", { name: "Outcomes" }).getByRole("listitem").filter({ hasText: "Accepted" }).waitFor();
    await picture.add(HOLD_MS);
    await ticks(3);

    for (const [name, title] of [
      ["Positions", "Positions"],
      ["Health", "Rate budgets"],
    ] as const) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.locator("[data-panel=Chart] canvas").first().waitFor({ state: "detached" });
      await panel(page, title).locator("tbody tr, [data-list] li").first().waitFor();
      await page.getByText("Loading…").first().waitFor({ state: "detached" });
      await picture.add(HOLD_MS);
    }
    desk.verify();

    const { file, frames } = picture.done();
    expect(file.length).toBeLessThan(MAX_BYTES);
    const shown = await encoder.evaluate(async (webp) => {
      const bytes = Uint8Array.from(atob(webp), (letter) => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ data: bytes, type: "image/webp" });
      await decoder.tracks.ready;
      const frameCount = decoder.tracks.selectedTrack?.frameCount ?? 0;
      const { image } = await decoder.decode({ frameIndex: frameCount - 1 });
      return { frameCount, width: image.displayWidth, height: image.displayHeight };
    }, file.toString("base64"));
    expect(shown).toEqual({ frameCount: frames, width: 1440, height: 900 });
    expect(frames).toBeGreaterThan(10);
    writeFileSync(join(FOLDER ?? "", "desk.webp"), file);
  });
});
