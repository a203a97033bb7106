import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { tokenCommand } from "../../../src/access/tokens/tokenCommand.js";
import { browserTest } from "../../support/chromium.js";
import { type Product, servingProduct } from "../product.js";
import { openDesk, panel } from "./support.js";

let product: Product;
let token: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "tokens-"));
  const path = join(folder, "clients.json");
  const scopes = ["read:market", "read:account=broker", "withdraw=broker"].flatMap((scope) => ["--scope", scope]);
  token = tokenCommand(["create", "reader", ...scopes], path, systemClock).out.trim();
  const addresses = join(folder, "addresses.json");
  writeFileSync(addresses, JSON.stringify([{ coin: "USDT", address: "TQ5kVxiiLEnTnjCsc8CTCpWvrCxZ7VZHHR" }]), { mode: 0o600 });
  product = await servingProduct({ CLIENTS_FILE: path, WITHDRAW_ADDRESSES_FILE: addresses });
}, 60_000);
afterAll(async () => {
  await product.stop();
});

describe("the desk in front of a gateway with clients", { timeout: 60_000 }, () => {
  browserTest("asks for a token, offers no more than it allows, and keeps it out of addresses and storage", async ({ page }) => {
    const desk = await openDesk(page, product.url, "broker");
    await page.getByLabel("Token", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Use this token" }).click();
    await page.locator(".field .error").waitFor();
    await page.getByLabel("Token", { exact: true }).fill(token);
    await page.getByRole("button", { name: "Use this token" }).click();

    const sub = panel(page, "Sub-account 8800200024");
    await sub.getByRole("button", { name: "Withdraw" }).click();
    expect(await sub.getByRole("button", { name: "E-mail" }).count()).toBe(0);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount", { exact: true }).fill("12");
    await dialog.getByLabel("Address", { exact: true }).fill("TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf");
    await dialog.getByRole("button", { name: "Check it" }).click();
    await dialog.locator(".error, .errors").first().waitFor();
    await dialog.getByLabel("Address", { exact: true }).fill("TQ5kVxiiLEnTnjCsc8CTCpWvrCxZ7VZHHR");
    await dialog.getByRole("button", { name: "Check it" }).click();
    await dialog.getByLabel(/Type the amount again/).waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "Health" }).click();
    await panel(page, "Rate budgets").getByText("It needs the scope admin.").waitFor();
    await page.getByRole("link", { name: "Trade", exact: true }).click();
    await panel(page, "Order").getByText("It needs the scope trade.").waitFor();
    expect(page.url()).not.toContain(token);
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(token);
    // Browsers complain of every 401 that a page gets; there is no other way to learn that a token is asked for.
    desk.verify(/401/);
  });
});
