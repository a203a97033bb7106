import { readFileSync } from "node:fs";
import { DAY_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest } from "../../support/chromium.js";
import { describeUnless } from "../../support/missing.js";
import { type Product, servingProduct } from "../product.js";
import { findings, LEFT_OUT, lastPrice, openDesk, outcome, overSandbox, panel } from "./support.js";

let sandbox: Sandbox;
let product: Product;
beforeAll(async () => {
  if (LEFT_OUT !== undefined) return;
  sandbox = await startSandbox();
  product = await servingProduct(overSandbox(sandbox));
});
afterAll(async () => {
  if (LEFT_OUT !== undefined) return;
  await product.stop();
  await sandbox.close();
});

/** Fills the ticket with a limit order far below the market. */
async function fillTicket(page: Page, qty: string): Promise<void> {
  const ticket = panel(page, "Order");
  const last = await lastPrice(page);
  await ticket.getByLabel("Price", { exact: true }).fill(`${last.slice(0, 1)}0000`);
  await ticket.getByRole("textbox", { name: "Quantity" }).fill(qty);
}

describeUnless(LEFT_OUT, "the desk, at length", () => {
  browserTest("shows a write as unknown whose answer was lost, and settles it", async ({ page }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    await page.locator("[data-side=bids]").first().waitFor();
    await fillTicket(page, "0.0123");
    const button = panel(page, "Order").getByRole("button", { name: /^Buy 0\.0123 BTCUSDT/ });
    const rules = [
      sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "lost-reply" }, times: 1 }),
      ...["orderInfo", "openOrders", "orderHistory"].map((endpoint) =>
        sandbox.faults.add({ endpoint, fault: { kind: "reset" } }),
      ),
    ];
    await button.click();
    await outcome(page, "Unknown").waitFor({ timeout: 40_000 });
    for (const id of rules) sandbox.faults.remove(id);
    await outcome(page, "Settled: it took effect").waitFor({ timeout: 40_000 });
    await page.getByRole("link", { name: "Journal" }).click();
    await panel(page, "Journal")
      .getByRole("row")
      .filter({ hasText: "placeOrder" })
      .filter({ hasText: "Accepted" })
      .first()
      .waitFor();
    desk.verify();
  });

  browserTest("closes a part of a position, and asks once more where it is large", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions");
    const row = panel(page, "Positions").getByRole("row").filter({ hasText: "ETHUSDT" });
    await row.getByRole("button", { name: "Close" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Close position" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "50 %" }).click();
    await dialog.getByRole("button", { name: "Close position" }).click();
    await outcome(page, "Accepted").filter({ hasText: "Close 2.25 ETHUSDT" }).waitFor();
    await row.filter({ hasText: "2.25" }).waitFor();
    desk.verify();
  });

  browserTest("adds margin to an isolated position of a Classic account, and offers none on a unified one", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions");
    const row = (symbol: string) => panel(page, "Positions").getByRole("row").filter({ hasText: symbol });
    // It has isolated margin, too.
    await row("SOLUSDT").getByRole("button", { name: "Close" }).waitFor();
    expect(await row("SOLUSDT").getByRole("button", { name: "Margin" }).count()).toBe(0);
    await page.locator("[data-account=classic]").click();
    await row("ETHUSDT").getByRole("button", { name: "Margin" }).click();
    await page.getByRole("dialog").getByLabel("Amount").fill("1.5");
    await page.getByRole("dialog").getByRole("button", { name: "Add margin" }).click();
    await outcome(page, "Accepted").waitFor();
    desk.verify();
  });

  browserTest("cancels all orders once it was said which, and keeps them otherwise", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions", { account: "classic" });
    const orders = panel(page, "Open orders");
    await orders.getByRole("row").nth(1).waitFor();
    const rows = (await orders.getByRole("row").count()) - 1;
    await orders.getByRole("button", { name: "Cancel all" }).click();
    await expect.poll(() => page.getByRole("dialog").getByRole("listitem").count()).toBe(rows);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await orders.getByRole("button", { name: "Cancel all" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `Cancel these ${rows}` })
      .click();
    await orders.getByText("No open orders").waitFor();
    desk.verify();
  });

  browserTest("lets a quotation run out, and converts at the next one, which does not while that is sent", async ({ page }) => {
    const desk = await openDesk(page, product.url, "convert");
    await page.getByLabel("Give", { exact: true }).fill("150");
    await page.clock.install();
    await page.getByRole("button", { name: "Get a price" }).click();
    await page.getByText(/s left$/).waitFor();
    await page.clock.fastForward(9_000);
    await page.getByText("This price has expired.").waitFor();
    await page.clock.resume();
    await page.getByRole("button", { name: "Get a new price" }).click();
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/graphql", async (route) => {
      if ((route.request().postData() ?? "").includes("mutation ConvertIt")) await isAnswered;
      await route.fallback();
    });
    await page.getByRole("button", { name: /^Convert, / }).click();
    await outcome(page, "Sending").waitFor();
    await page.clock.fastForward(9_000);
    await panel(page, "Convert").getByRole("button", { name: "Sending" }).waitFor();
    expect(await page.getByText("This price has expired.").count()).toBe(0);
    answer();
    await outcome(page, "Accepted").waitFor();
    await panel(page, "Conversions").getByRole("row").filter({ hasText: "150 USDT" }).first().waitFor();
    desk.verify();
  });

  browserTest("redeems savings", async ({ page }) => {
    const desk = await openDesk(page, product.url, "earn");
    const row = panel(page, "Savings").getByRole("row").filter({ hasText: "USDC" }).filter({ hasText: "Flexible" });
    await row.getByRole("button", { name: "Redeem" }).click();
    await page.getByRole("dialog").getByLabel("Amount").fill("100");
    await page.getByRole("dialog").getByRole("button", { name: "Redeem" }).click();
    await outcome(page, "Accepted").waitFor();
    await row.filter({ hasText: "1 100" }).waitFor();
    desk.verify();
  });

  browserTest("withdraws from a broker's sub-account, once the amount was typed again", async ({ page }) => {
    const desk = await openDesk(page, product.url, "broker", { account: "broker" });
    await page.getByRole("button", { name: "8800200001" }).click();
    await panel(page, "Sub-account 8800200001").getByRole("button", { name: "Withdraw" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount", { exact: true }).fill("12");
    await dialog.getByLabel("Address", { exact: true }).fill("TQ5kVxiiLEnTnjCsc8CTCpWvrCxZ7VZHHR");
    await dialog.getByRole("button", { name: "Check it" }).click();
    await dialog.getByLabel(/Type the amount again/).fill("12");
    await dialog.getByRole("button", { name: "Withdraw 12 USDT" }).click();
    await outcome(page, "Accepted").waitFor();
    await panel(page, "Withdrawals").getByRole("row").filter({ hasText: "12 USDT" }).first().waitFor();
    desk.verify();
  });

  browserTest("is used by keyboard alone: palette, pages, sides, an order", async ({ page }) => {
    const desk = await openDesk(page, product.url, "overview");
    await panel(page, "All accounts").locator("table").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").locator("input:focus").waitFor();
    await page.keyboard.type("solusdt usdt");
    await page
      .getByRole("option", { name: /SOLUSDT/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/USDT_FUTURES\/SOLUSDT$/);
    await page.locator("[data-side=asks]").first().waitFor();
    await page.keyboard.press("s");
    await page.locator("#ticket-size:focus").waitFor();
    await page.keyboard.type("3");
    await page.keyboard.press("Shift+Tab");
    await page.locator("#ticket-price").focus();
    await page.keyboard.type("190");
    await page.getByRole("button", { name: /^Sell 3 SOLUSDT/ }).waitFor();
    await page.keyboard.press("Enter");
    await outcome(page, "Accepted").waitFor();
    await page.locator("body").click({ position: { x: 2, y: 200 } });
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await panel(page, "Rate budgets").locator("meter").first().waitFor();
    desk.verify();
  });

  browserTest("shows in one tab what was done in another, and saves a table as CSV", async ({ page }) => {
    sandbox.world.orders.place({
      uid: MAIN_UID,
      category: "USDT-FUTURES",
      symbol: "SOLUSDT",
      side: "sell",
      orderType: "limit",
      quantity: exact("4"),
      price: exact("191"),
    });
    const desk = await openDesk(page, product.url, "positions");
    const orders = panel(page, "Open orders");
    const row = orders.getByRole("row").filter({ hasText: "SOLUSDT" }).filter({ hasText: "191.000" });
    await row.first().waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save Open orders as CSV" }).click();
    const csv = readFileSync(await (await saved).path(), "utf8");
    expect(csv).toMatch(/^Created \(UTC\),Category,Market,Side,/);
    expect(csv).toMatch(/Z,USDT_FUTURES,SOLUSDT,SELL,\w*,\w*,LIMIT,GTC,NEW,191,,4,/);
    const other = await page.context().newPage();
    const second = await openDesk(other, product.url, "positions");
    await panel(other, "Open orders")
      .getByRole("row")
      .filter({ hasText: "191.000" })
      .getByRole("button", { name: "Cancel" })
      .click();
    await row.waitFor({ state: "detached" });
    desk.verify();
    second.verify();
    await other.close();
  });

  browserTest("shares settings between tabs, each of which keeps its account and market", async ({ page }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT");
    const other = await page.context().newPage();
    const second = await openDesk(other, product.url, "trade/USDT_FUTURES/ETHUSDT");
    await page
      .getByRole("button", { name: /favourite/i })
      .first()
      .click();
    await page.getByRole("button", { name: "Change to the light theme" }).click();
    await other.locator("html[data-theme=light]").waitFor();
    await other.locator("[data-account=classic]").click();
    await other.locator("[data-account=classic]:has(:checked)").waitFor();
    await page.locator("[data-account=main]:has(:checked)").waitFor();
    // What the second tab has written has the first one's favourite.
    await other.reload();
    await panel(other, "Watch list").getByText("SOLUSDT").waitFor();
    // The settings of the first one are open while the second one changes them.
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Ask once more about orders").waitFor();
    await other.getByRole("button", { name: "Settings" }).click();
    await other.getByLabel("Ask once more about orders").fill("250");
    await other.getByRole("button", { name: "Keep" }).click();
    await expect.poll(() => page.getByLabel("Ask once more about orders").inputValue()).toBe("250");
    await page.getByRole("button", { name: "Keep" }).click();
    expect(await page.evaluate(() => localStorage.getItem("desk.confirmAbove"))).toBe('"250"');
    await page.reload();
    await page.locator("[data-account=main]:has(:checked)").waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("light");
    await page.getByRole("heading", { name: "SOLUSDT" }).waitFor({ state: "attached" });
    desk.verify();
    second.verify();
  });

  browserTest("exports a range as the gateway streams it, says when that broke off, and cancels it", async ({ page }) => {
    const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
    const [from, to] = [day(20), day(2)];
    const desk = await openDesk(page, product.url, "history");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Export main" });
    await dialog.getByLabel("From (UTC)").fill(from);
    await dialog.getByLabel("Up to and including (UTC)").fill(to);
    expect(await findings(page, "dialog")).toEqual([]);
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Export", exact: true }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe(`main-fills-${from}-${to}.csv`);
    const query = new URLSearchParams({ account: "main", kind: "fills", format: "csv", from, to });
    const streamed = await (await fetch(`${product.url}/export?${query}`)).text();
    expect(readFileSync(await file.path(), "utf8")).toBe(streamed);
    await dialog.getByText(`Saved: ${streamed.split("\r\n").length - 2} rows`).waitFor();

    // Each call waits, so that an export is not over before it is broken off or cancelled.
    const slow = sandbox.faults.add({ fault: { kind: "latency", delayMs: 1_000 } });
    await dialog.getByLabel("Data").selectOption({ label: "Changes of balances" });
    await dialog.getByLabel("From (UTC)").fill(day(85));
    await dialog.getByRole("button", { name: "Export", exact: true }).click();
    await dialog.getByRole("progressbar").waitFor();
    const fault = { kind: "answer", status: 400, code: "40034", msg: "Parameter does not exist" } as const;
    const rule = sandbox.faults.add({ endpoint: "financialRecords", fault });
    await dialog.getByRole("alert").filter({ hasText: "The export broke off, and nothing was saved." }).waitFor();
    sandbox.faults.remove(rule);

    await dialog.getByLabel("Data").selectOption({ label: "All activity" });
    await dialog.getByRole("button", { name: "Export", exact: true }).click();
    await dialog.getByRole("button", { name: "Cancel the export" }).click();
    sandbox.faults.remove(slow);
    await dialog.getByRole("button", { name: "Export", exact: true }).waitFor();
    expect(await dialog.getByRole("alert").count()).toBe(0);
    desk.verify(/ERR_INCOMPLETE_CHUNKED_ENCODING|\/export\b/);
  });

  browserTest("reads a long list further as one scrolls, and draws no more than is on the screen", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions");
    const history = panel(page, "History");
    await history.locator("tbody tr").nth(20).waitFor();
    const scroller = history.locator("div:has(> table)");
    const toEnd = () =>
      scroller.evaluate((element) => {
        // Only visible panels keep reading.
        element.scrollIntoView({ block: "end" });
        element.scrollTo(0, element.scrollHeight);
        return element.scrollHeight;
      });
    await expect.poll(toEnd, { timeout: 30_000 }).toBeGreaterThan(8_000);
    expect(await history.locator("tbody tr").count()).toBeLessThan(80);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save Fills as CSV" }).click();
    const rows = readFileSync(await (await saved).path(), "utf8")
      .trim()
      .split("\r\n");
    expect(rows.length).toBeGreaterThan(280);
    const times = rows.slice(1).map((row) => Date.parse(row.split(",")[0] ?? ""));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    desk.verify();
  });

  browserTest("reads further rows once more after a failure", async ({ page }) => {
    let isRefused = true;
    await page.route("**/graphql", (route) => {
      const { query, variables } = route.request().postDataJSON();
      if (!query.includes("query Fills(") || variables.after === undefined || !isRefused) return route.fallback();
      const errors = [{ message: "the exchange did not answer", path: ["account", "fills"], extensions: { code: "TIMEOUT" } }];
      return route.fulfill({ json: { data: { account: { fills: null } }, errors } });
    });
    const desk = await openDesk(page, product.url, "positions");
    const history = panel(page, "History");
    // A new execution moves the button out of sight again, or has older rows read again by itself.
    const failsInSight = async () => {
      await history.getByRole("button", { name: "Older rows" }).scrollIntoViewIfNeeded();
      return history.getByText("the exchange did not answer").isVisible();
    };
    await expect.poll(failsInSight).toBe(true);
    isRefused = false;
    await history.getByRole("button", { name: "Older rows" }).click();
    await history.getByText("the exchange did not answer").waitFor({ state: "detached" });
    desk.verify();
  });

  browserTest("has the trigger orders on spot that have ended, of an account that has such", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions");
    const history = panel(page, "History");
    await history.getByRole("tab", { name: "Trigger history" }).click();
    await history.getByLabel("Category").selectOption("Spot");
    await history.getByText("Nothing in the last 90 days").waitFor();
    await history.getByRole("tab", { name: "Position history" }).click();
    await history.getByText("These are of futures: choose another category").waitFor();
    await history.getByRole("tab", { name: "Trigger history" }).click();
    await page.locator("[data-account=classic]").click();
    await history.getByText("These are of futures: choose another category").waitFor();
    desk.verify();
  });

  browserTest("keeps its layout and theme, and shows times as UTC where that was chosen", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions");
    const titles = () => page.locator("[data-panel] h2").allInnerTexts();
    const grip = page.getByRole("button", { name: "Move or resize Trigger orders" });
    await grip.focus();
    await page.keyboard.press("ArrowUp");
    await expect.poll(titles).toEqual(["Positions", "Trigger orders", "Open orders", "History"]);
    for (let step = 0; step < 12; step += 1) await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText(/^12 of 24 columns, \d+ px$/).waitFor({ state: "attached" });
    const wide = (await panel(page, "Positions").boundingBox())?.width ?? 0;
    await expect.poll(async () => (await panel(page, "Trigger orders").boundingBox())?.width ?? 0).toBeLessThan(wide * 0.51);
    await page
      .getByRole("button", { name: "Move or resize History" })
      .dragTo(page.getByRole("heading", { name: "Positions", exact: true }));
    const chosen = ["History", "Positions", "Trigger orders", "Open orders"];
    await expect.poll(titles).toEqual(chosen);
    await page.getByRole("button", { name: "Trigger orders", expanded: true }).click();
    await page.getByRole("button", { name: "Change to the light theme" }).click();
    await page.getByRole("button", { name: /change to UTC/ }).click();
    await page.reload();
    await page.getByRole("button", { name: "Trigger orders", expanded: false }).waitFor();
    await page.getByRole("button", { name: /change to local/ }).waitFor();
    expect(await titles()).toEqual(chosen);
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("light");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Reset the layout of this page" }).click();
    await expect.poll(titles).toEqual(["Positions", "Open orders", "Trigger orders", "History"]);
    desk.verify();
  });

  browserTest("opens GraphiQL with a panel's own document", async ({ page }) => {
    await openDesk(page, product.url, "health");
    const link = page.getByRole("link", { name: "Show query of Rate budgets" });
    await link.waitFor();
    expect(new URLSearchParams((await link.getAttribute("href"))?.split("#")[1]).get("query")).toContain("query HealthOf");
    expect(await link.getAttribute("href")).toMatch(/^\/graphiql#/);
  });
});
