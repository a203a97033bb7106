import { describeUnless } from "../../support/missing.js";
import { tcpProxy } from "../../support/tcpProxy.js";
import { LISTED_ADDRESS, productTest } from "../support/productTest.js";
import { LEFT_OUT, openDesk, panel } from "./support.js";

describeUnless(LEFT_OUT, "the desk in front of a gateway with clients", () => {
  productTest.concurrent(
    "asks for a token, offers no more than it allows, and keeps it out of addresses and storage",
    async ({ page, guarded: { url, brokerToken: token }, expect }) => {
      const desk = await openDesk(page, url, "broker");
      await page.getByLabel("Token", { exact: true }).fill("wrong");
      await page.getByRole("button", { name: "Use this token" }).click();
      await page.locator("input[aria-invalid=true]").waitFor();
      await page.getByLabel("Token", { exact: true }).fill(token);
      await page.getByRole("button", { name: "Use this token" }).click();

      const sub = panel(page, "Sub-account 8800200024");
      await sub.getByRole("button", { name: "Withdraw" }).click();
      expect(await sub.getByRole("button", { name: "E-mail" }).count()).toBe(0);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Amount", { exact: true }).fill("12");
      await dialog.getByLabel("Address", { exact: true }).fill("TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf");
      await dialog.getByRole("button", { name: "Check it" }).click();
      await dialog.locator("[aria-invalid=true], [role=alert]").first().waitFor();
      await dialog.getByLabel("Address", { exact: true }).fill(LISTED_ADDRESS);
      await dialog.getByRole("button", { name: "Check it" }).click();
      await dialog.getByLabel(/Type the amount again/).waitFor();
      await page.keyboard.press("Escape");

      await page.getByRole("link", { name: "Health" }).click();
      await panel(page, "Rate budgets").getByText("It needs the scope admin.").waitFor();
      await page.getByRole("link", { name: "Trade", exact: true }).click();
      await panel(page, "Order").getByText("It needs the scope trade.").waitFor();
      expect(page.url()).not.toContain(token);
      expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(token);
      // Browsers log an error for every 401 response, and a 401 is the only way to learn that a token is required.
      desk.verify(/401/);
    },
  );

  productTest.concurrent(
    "asks for another token when its own is revoked, and shows nothing more of the account",
    async ({ page, guarded: { url, brokerToken, classicToken, revokeClassic } }) => {
      const desk = await openDesk(page, url, "overview");
      const token = page.getByLabel("Token", { exact: true });
      await token.fill(classicToken);
      await page.getByRole("button", { name: "Use this token" }).click();
      await panel(page, "All accounts").getByRole("row").filter({ hasText: "classic" }).waitFor();
      revokeClassic();
      await page.locator("form").getByText("no longer valid").waitFor();
      await page.locator("[data-panel], [data-environment]").first().waitFor({ state: "detached" });
      await token.fill(brokerToken);
      await page.getByRole("button", { name: "Use this token" }).click();
      await panel(page, "All accounts").getByRole("row").filter({ hasText: "broker" }).waitFor();
      desk.verify(/401|WebSocket/);
    },
  );

  productTest.concurrent(
    "shows nothing of the accounts once another token is used, or none, also while the gateway is gone",
    async ({ page, guarded: { url, brokerToken, marketToken }, expect }) => {
      const line = await tcpProxy(url);
      const desk = await openDesk(page, `http://${line.host}`, "overview");
      const dialog = page.getByRole("dialog", { name: "Token" });
      const token = page.getByRole("textbox", { name: "Token" });
      const shown = page.locator("[data-panel], [data-account], [role=alert]");
      await token.fill(brokerToken);
      await page.getByRole("button", { name: "Use this token" }).click();
      await panel(page, "All accounts").getByRole("row").filter({ hasText: "broker" }).waitFor();
      const stored = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
      await expect.poll(stored).toContain('[\\"broker\\",');
      line.breakDown();
      await page.getByRole("status", { name: "Gateway lost" }).waitFor();
      await page.getByRole("button", { name: "Token" }).click();
      await dialog.getByLabel("Token", { exact: true }).fill(marketToken);
      await dialog.getByText("Keep it for this tab").click();
      await dialog.getByRole("button", { name: "Use this token" }).click();
      await expect.poll(() => shown.count()).toBe(0);
      await expect.poll(stored).not.toContain("desk-equity");
      line.mend();
      await panel(page, "Watch list").waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      await page.getByRole("button", { name: "Token" }).click();
      const alerts = await page.evaluateHandle(() => {
        const found: string[] = [];
        const note = () => found.push(...[...document.querySelectorAll("[role=alert]")].map((alert) => alert.textContent ?? ""));
        new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
        return found;
      });
      await dialog.getByRole("button", { name: "Sign out" }).click();
      await token.waitFor();
      expect(await alerts.jsonValue()).toEqual([]);
      await page.reload();
      await token.waitFor();
      desk.verify(/401|net::ERR_|WebSocket/);
      await line.close();
    },
  );
});
