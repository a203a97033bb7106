import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareDecimals, multiplyDecimals } from "@exchange-graph/client";
import { systemClock } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { PricePath } from "@exchange-graph/sandbox/world/market/path";
import { MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import type { Locator, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { tokenCommand } from "../../../src/access/tokens/tokenCommand.js";
import { post } from "../../support/ask.js";
import { browserTest } from "../../support/chromium.js";
import { describeUnless } from "../../support/missing.js";
import { type TcpProxy, tcpProxy } from "../../support/tcpProxy.js";
import { type Product, servingProduct } from "../product.js";
import { findings, LEFT_OUT, lastPrice, openDesk, outcome, overSandbox, panel } from "./support.js";

let sandbox: Sandbox;
let product: Product;
/** The line from the page to the gateway. */
let line: TcpProxy;
let url: string;
beforeAll(async () => {
  if (LEFT_OUT !== undefined) return;
  sandbox = await startSandbox();
  product = await servingProduct(overSandbox(sandbox));
  line = await tcpProxy(product.url);
  url = `http://${line.host}`;
});
afterEach(() => sandbox?.faults.clear());
afterAll(async () => {
  await line?.close();
  await product?.stop();
  await sandbox?.close();
});

const REFUSED = { kind: "answer", status: 503 } as const;

/** The dry runs among the page's requests from now on, as the inputs of their orders. */
function dryRunsOf(page: Page): object[] {
  const found: object[] = [];
  page.on("request", (request: Request) => {
    const body: unknown = request.method() === "POST" && request.url().endsWith("/graphql") ? request.postDataJSON() : undefined;
    const { input } = (body as { variables?: { input?: { dryRun?: boolean } } } | undefined)?.variables ?? {};
    if (input?.dryRun === true) found.push(input);
  });
  return found;
}

/** A ticket that is not edited asks again this often, ms. */
const REPRICED_MS = 15_000;

/**
 * Waits until the market has moved this often, and looks at the page each time. Returns how often a ticket that is not edited may
 * have asked in that time, which is longer on a busy machine.
 */
async function untilMoved(page: Page, times: number, look: () => Promise<unknown> = async () => undefined): Promise<number> {
  const began = performance.now();
  for (let moves = 0; moves < times; moves += 1) {
    const before = await page.locator("[data-last-price] dd").innerText();
    await page.waitForFunction((text) => document.querySelector<HTMLElement>("[data-last-price] dd")?.innerText !== text, before);
    await look();
  }
  return 1 + Math.floor((performance.now() - began) / REPRICED_MS);
}

const ticketOf = (page: Page) => panel(page, "Order");
const worth = (page: Page) => ticketOf(page).locator("[data-aged] dd").first();

describeUnless(LEFT_OUT, "totals of the desk", () => {
  browserTest("name the account that could not be read, and no share is computed without it", async ({ page }) => {
    for (const endpoint of ["classicSpotAssets", "futuresAccounts"]) sandbox.faults.add({ endpoint, fault: REFUSED });
    const desk = await openDesk(page, url, "overview");
    const accounts = panel(page, "All accounts");
    await accounts.getByText(/without classic, broker/).waitFor();
    const row = (name: string) => accounts.getByRole("row").filter({ has: page.getByRole("button", { name, exact: true }) });
    const cells = async (name: string) => (await row(name).locator("td").allInnerTexts()).map((text) => text.trim());
    await expect.poll(async () => (await cells("main"))[2]).toMatch(/^\d/);
    expect((await cells("main"))[3]).toBe("–");
    expect((await cells("classic"))[2]).toBe("–");
    await accounts.locator("[data-state=partial]").first().waitFor();
    sandbox.faults.clear();
    await accounts.getByText(/without/).waitFor({ state: "detached", timeout: 45_000 });
    await expect.poll(async () => (await cells("main"))[3]).toMatch(/%$/);
    desk.verify();
  });

  browserTest("have a few reasons why parts of them are missing, and the number of the others", async ({ page }) => {
    await page.route("**/graphql", async (route) => {
      if (!(route.request().postData() ?? "").includes("query AllAccounts")) return route.fallback();
      const response = await route.fetch();
      const errors = Array.from({ length: 12 }, (_, at) => ({
        ...{ message: "the connection broke", path: ["accounts", at, "totalEquity"] },
        extensions: { code: "EXCHANGE_UNAVAILABLE", retryable: true },
      }));
      return route.fulfill({ response, json: { ...(await response.json()), errors } });
    });
    const desk = await openDesk(page, url, "overview");
    const accounts = panel(page, "All accounts");
    await accounts.getByText("9 more", { exact: true }).waitFor();
    expect(await accounts.locator("[data-state=partial]").count()).toBe(3);
    desk.verify();
  });

  browserTest("of a Classic account's balances are named after spot, and owed coins have no bar", async ({ page }) => {
    await page.route("**/graphql", async (route) => {
      if (!(route.request().postData() ?? "").includes("query Balances")) return route.fallback();
      const response = await route.fetch();
      const answer: BalancesAnswer = await response.json();
      const values = new Map([
        ["USDT", "300"],
        ["BTC", "100"],
        ["ETH", "-20"],
      ]);
      answer.data.account.balances = answer.data.account.balances.flatMap((row) => {
        const valueUsdt = values.get(row.coin);
        return valueUsdt === undefined ? [] : [{ ...row, valueUsdt }];
      });
      return route.fulfill({ response, json: answer });
    });
    const desk = await openDesk(page, url, "overview", { account: "classic" });
    await panel(page, "Spot balances of classic").getByText("380.00 USDT").waitFor();
    const shares = panel(page, "Allocation of spot").getByRole("listitem");
    await shares.filter({ hasText: "ETH" }).getByText("−5.0 %").waitFor();
    const widths = await shares.locator("i > i").evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    const [usdt = 0, btc = 0, eth] = widths;
    expect(usdt).toBeGreaterThan(btc);
    expect(btc).toBeGreaterThan(0);
    expect(eth).toBe(0);
    desk.verify();
  });
});

interface BalancesAnswer {
  readonly data: { readonly account: { balances: readonly { readonly coin: string }[] } };
}

describeUnless(LEFT_OUT, "the preview of a ticket", () => {
  browserTest("of a spot market buy by quantity stays on the screen while the market moves", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/SPOT/BTCUSDT");
    await page.locator("[data-side=bids]").first().waitFor();
    const dryRuns = dryRunsOf(page);
    await ticketOf(page).getByText("Market", { exact: true }).click();
    await ticketOf(page).getByRole("textbox", { name: "Quantity" }).fill("0.01");
    await expect.poll(() => worth(page).innerText()).toMatch(/\d/);
    const button = ticketOf(page).getByRole("button", { name: /^Buy BTCUSDT for [\d. ]+ USDT at market/ });
    await button.hover();
    const name = await button.innerText();
    const seen = new Set<string>();
    const sent = dryRuns.length;
    const reasked = await untilMoved(page, 20, async () => {
      seen.add(/\d/.test(await worth(page).innerText()) ? "costs" : "nothing");
      seen.add((await button.innerText()) === name ? "same button" : "another button");
    });
    expect([...seen].sort()).toEqual(["costs", "same button"]);
    expect(dryRuns.length - sent).toBeLessThanOrEqual(reasked);
    desk.verify();
  });

  browserTest("is never empty in any mode of the ticket while the market moves", { timeout: 400_000 }, async ({ page }) => {
    const empty: string[] = [];
    for (const [market, bys] of [
      ["USDT_FUTURES/BTCUSDT", ["Quantity", "Value", "Share", "Risk"]],
      ["SPOT/BTCUSDT", ["Quantity", "Value", "Share"]],
    ] as const) {
      await openDesk(page, url, `trade/${market}`);
      await page.locator("[data-side=bids]").first().waitFor();
      const order = ticketOf(page);
      const last = await lastPrice(page);
      const near = (factor: string) => multiplyDecimals(last, factor).replace(/(\.\d).*/, "$1");
      for (const kind of ["Limit", "Market"])
        for (const side of ["Buy", "Sell"])
          for (const by of bys) {
            for (const choice of [kind, side, by]) await order.getByText(choice, { exact: true }).first().click();
            if (kind === "Limit") await order.getByLabel("Price", { exact: true }).fill(near(side === "Buy" ? "0.97" : "1.03"));
            const stop = by === "Risk" ? near(side === "Buy" ? "0.9" : "1.1") : "";
            if (market !== "SPOT/BTCUSDT") await order.getByRole("textbox", { name: "Stop loss", exact: true }).fill(stop);
            await order.locator("#ticket-size").fill({ Quantity: "0.02", Value: "900", Share: "10", Risk: "0.01" }[by]);
            await expect.poll(() => worth(page).innerText(), { timeout: 15_000 }).toMatch(/\d/);
            await untilMoved(page, 3, async () => {
              if (!/\d/.test(await worth(page).innerText())) empty.push(`${market}, ${kind} ${side} by ${by}`);
            });
          }
    }
    expect(empty).toEqual([]);
  });

  browserTest("of a share is computed once, from the figure at the time when it was chosen", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/ETHUSDT");
    await page.locator("[data-side=bids]").first().waitFor();
    await ticketOf(page).getByText("Market", { exact: true }).click();
    const most = ticketOf(page).locator("[data-aged] dd").last();
    await expect.poll(() => most.innerText()).toMatch(/\d/);
    const dryRuns = dryRunsOf(page);
    await ticketOf(page).getByRole("button", { name: "25 %", exact: true }).click();
    await ticketOf(page)
      .getByRole("button", { name: /^Buy [\d. ]+ ETHUSDT at market/ })
      .waitFor();
    const reasked = await untilMoved(page, 20);
    expect(new Set(dryRuns.map((input) => Reflect.get(input, "qty"))).size).toBe(1);
    expect(dryRuns.length).toBeLessThanOrEqual(1 + reasked);
    desk.verify();
  });

  browserTest("has costs of what was typed alone: an order that is refused at first has none", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    await expect.poll(() => ticketOf(page).locator("[data-aged] dd").last().innerText()).toMatch(/\d/);
    await ticketOf(page).getByLabel("Price", { exact: true }).fill("20000");
    await ticketOf(page).getByRole("textbox", { name: "Quantity" }).fill("999999");
    await ticketOf(page).locator("[aria-invalid=true]").first().waitFor();
    expect(await worth(page).innerText()).toMatch(/^–/);
    await ticketOf(page).getByRole("textbox", { name: "Quantity" }).fill("0.01");
    await expect.poll(() => worth(page).innerText()).toMatch(/^200/);
    await ticketOf(page).getByRole("textbox", { name: "Quantity" }).fill("999999");
    await ticketOf(page).locator("[aria-invalid=true]").first().waitFor();
    expect(await worth(page).innerText()).toMatch(/^200/);
    await ticketOf(page)
      .getByText(/of the order before/)
      .waitFor();
    desk.verify();
  });

  browserTest("of an empty ticket does not ask with each price", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    const dryRuns = dryRunsOf(page);
    await page.locator("[data-side=bids]").first().waitFor();
    const reasked = await untilMoved(page, 20);
    await expect.poll(() => dryRuns.length).toBeGreaterThan(0);
    expect(dryRuns.length).toBeLessThanOrEqual(1 + reasked);
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "a panel", () => {
  browserTest("that fails leaves the others as they are, and can be tried again", async ({ page }) => {
    await page.addInitScript(() => {
      const found = Element.prototype.querySelectorAll;
      Element.prototype.querySelectorAll = function (selectors: string): ReturnType<typeof found> {
        if (selectors === "[data-price]" && Reflect.has(globalThis, "isBroken")) throw new Error("no handle can be placed");
        return found.call(this, selectors);
      };
    });
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    const chart = page.locator('[data-panel="Chart"]');
    await chart.locator("canvas").first().waitFor();
    await page.evaluate(() => Reflect.set(globalThis, "isBroken", true));
    await chart.getByRole("alert").getByText("no handle can be placed").waitFor();
    await untilMoved(page, 3);
    await ticketOf(page).getByText("Market", { exact: true }).click();
    await ticketOf(page).getByRole("textbox", { name: "Quantity" }).fill("0.01");
    await expect.poll(() => worth(page).innerText()).toMatch(/\d/);
    await page.evaluate(() => Reflect.deleteProperty(globalThis, "isBroken"));
    await chart.getByRole("button", { name: "Try again" }).click();
    await chart.locator("canvas").first().waitFor();
    desk.verify(/no handle can be placed/);
  });
});

describeUnless(LEFT_OUT, "an order that spends an amount", () => {
  browserTest("shows what it was to spend and what it bought, with the coins, in the list and in the file", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/SPOT/BTCUSDT");
    await lastPrice(page);
    await ticketOf(page).getByText("Market", { exact: true }).click();
    await ticketOf(page).getByText("Value", { exact: true }).click();
    await ticketOf(page).getByRole("textbox", { name: "Value" }).fill("173");
    await ticketOf(page)
      .getByRole("button", { name: /^Buy BTCUSDT for 173 USDT/ })
      .click();
    await outcome(page, /Accepted.*173/s).waitFor();
    await page.getByRole("link", { name: "Positions", exact: true }).click();
    const history = panel(page, "History");
    await history.getByRole("tab", { name: "Order history" }).click();
    await history.getByLabel("Category").selectOption({ label: "Spot" });
    const row = history.getByRole("row").filter({ hasText: /173 USDT/ });
    await row.filter({ hasText: /0\.00\d+ BTC = 17[23](\.\d+)? USDT/ }).waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save Order history as CSV" }).click();
    const [head = "", ...rows] = readFileSync(await (await saved).path(), "utf8").split("\r\n");
    const figures = rows
      .map((line) => new Map(head.split(",").map((name, at) => [name, line.split(",")[at]])))
      .find((columns) => columns.get("Amount to spend") === "173");
    expect(figures?.get("Amount coin")).toBe("USDT");
    expect(figures?.get("Quantity")).toBe("");
    expect(figures?.get("Filled value")).toMatch(/^17[23]/);
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "a file of fills", () => {
  browserTest("has what is needed to book them", async ({ page }) => {
    const desk = await openDesk(page, url, "positions");
    await panel(page, "History").locator("tbody tr").nth(3).waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save Fills as CSV" }).click();
    const [head, first] = readFileSync(await (await saved).path(), "utf8").split("\r\n");
    expect(head).toBe(
      "Time (UTC),Category,Market,Side,Position side,Trade side,Order type,Role,Price,Quantity,Value,Fee,Fee coin,Second fee,Second fee coin,Realised profit,Execution ID,Order ID,Client order ID",
    );
    const [time, category, , side, , , , role, price, , , fee, coin, , , , execution, order] = (first ?? "").split(",");
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect({ category, coin }).toEqual({ category: "USDT_FUTURES", coin: "USDT" });
    expect(side).toMatch(/^(?:BUY|SELL)$/);
    expect(role).toMatch(/^(?:MAKER|TAKER)$/);
    for (const figure of [price, fee]) expect(figure).toMatch(/^-?\d+(?:\.\d+)?$/);
    for (const id of [execution, order]) expect(id).toMatch(/^\d+$/);
    desk.verify();
  });
});

/** Fills the ticket with a limit order far below the market. */
async function fillFarOrder(page: Page, qty: string): Promise<void> {
  await page.locator("[data-side=bids]").first().waitFor();
  await ticketOf(page).getByLabel("Price", { exact: true }).fill("20000");
  await ticketOf(page).getByRole("textbox", { name: "Quantity" }).fill(qty);
  await ticketOf(page).getByRole("button", { name: /^Buy / }).waitFor();
}

/** Places a buy order of the account `main` at the exchange directly. */
const place = (quantity: string, price = "20000") =>
  sandbox.world.orders.place({
    ...{ uid: MAIN_UID, category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "limit" },
    ...{ quantity: exact(quantity), price: exact(price) },
  });

/** Outcomes of actions, also while a dialog makes them inert. */
const outcomes = (page: Page, text: RegExp) =>
  page.getByRole("list", { name: "Outcomes", includeHidden: true }).locator("> li").filter({ hasText: text });

const openOrders = (quantity: string): number =>
  [...sandbox.world.state.orders.open(MAIN_UID)].filter((order) => order.quantity.toString() === quantity).length;

describeUnless(LEFT_OUT, "a dead line", () => {
  browserTest("is said where one acts: an order waits for it, and can be withdrawn", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    await fillFarOrder(page, "0.0137");
    line.breakDown();
    await page.getByRole("status", { name: "Gateway lost" }).waitFor({ timeout: 30_000 });
    const button = ticketOf(page).getByRole("button", { name: /Buy 0\.0137 BTCUSDT.*when the line is back/ });
    await button.click();
    await ticketOf(page)
      .getByText(/after 30 s it is not sent at all/)
      .waitFor();
    expect(await outcome(page, /0\.0137/).count()).toBe(0);
    await button.click();
    await outcome(page, /Waiting.*until \d\d:\d\d:\d\d/s)
      .getByRole("button", { name: "Withdraw" })
      .click();
    await outcome(page, "Withdrawn: it was not sent").waitFor();
    // The dry run of the order has no answer. Its error would move the button.
    expect(await ticketOf(page).getByText("Failed to fetch").count()).toBe(0);
    line.mend();
    await page.getByRole("status", { name: "Gateway live" }).waitFor({ timeout: 30_000 });
    expect(openOrders("0.0137")).toBe(0);
    desk.verify(/ERR_|WebSocket/);
  });

  browserTest("takes a question that was asked before with it", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/ETHUSDT");
    await lastPrice(page);
    await ticketOf(page).getByText("Market", { exact: true }).click();
    await ticketOf(page).getByRole("textbox", { name: "Quantity" }).fill("4");
    const buy = ticketOf(page).getByRole("button", { name: /^Buy 4 ETHUSDT at market$/ });
    const question = ticketOf(page).getByText("Press again to send it.");
    await buy.click();
    await question.waitFor();
    line.breakDown();
    await page.getByRole("status", { name: "Gateway lost" }).waitFor({ timeout: 30_000 });
    line.mend();
    await page.getByRole("status", { name: "Gateway live" }).waitFor({ timeout: 30_000 });
    await buy.waitFor();
    expect(await question.count()).toBe(0);
    desk.verify(/net::ERR_|WebSocket/);
  });

  browserTest(
    "is asked about in a dialog each time: what was confirmed before it was back is not confirmed",
    async ({ page }) => {
      const desk = await openDesk(page, url, "positions");
      const row = panel(page, "Positions").getByRole("row").filter({ hasText: "SOLUSDT" });
      await row.getByRole("button", { name: "TP/SL" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Trigger price").fill("9000");
      const asked = dialog.getByText("Press again to confirm");
      line.breakDown();
      await page.getByRole("status", { name: "Gateway lost", includeHidden: true }).waitFor({ timeout: 30_000 });
      await dialog.getByRole("button", { name: "Place it" }).click();
      await asked.waitFor();
      line.mend();
      await page.getByRole("status", { name: "Gateway live", includeHidden: true }).waitFor({ timeout: 30_000 });
      await asked.waitFor({ state: "detached" });
      line.breakDown();
      await page.getByRole("status", { name: "Gateway lost", includeHidden: true }).waitFor({ timeout: 30_000 });
      expect(await dialog.getByLabel("Trigger price").inputValue()).toBe("9000");
      expect(await asked.count()).toBe(0);
      await dialog.getByRole("button", { name: "Place it" }).click();
      await asked.waitFor();
      expect(await outcomes(page, /^Waiting/).count()).toBe(0);
      line.mend();
      await page.getByRole("status", { name: "Gateway live", includeHidden: true }).waitFor({ timeout: 30_000 });
      desk.verify(/net::ERR_|WebSocket/);
    },
  );

  browserTest("that comes back in time has the order sent, once", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    await fillFarOrder(page, "0.0139");
    line.breakDown();
    await page.getByRole("status", { name: "Gateway lost" }).waitFor({ timeout: 30_000 });
    const button = ticketOf(page).getByRole("button", { name: /Buy 0\.0139 BTCUSDT.*when the line is back/ });
    await button.click();
    await ticketOf(page).getByText("Press again to confirm").waitFor();
    await button.click();
    await outcome(page, /Waiting/).waitFor();
    expect(openOrders("0.0139")).toBe(0);
    line.mend();
    await outcome(page, "Accepted").waitFor({ timeout: 30_000 });
    expect(openOrders("0.0139")).toBe(1);
    desk.verify(/ERR_|WebSocket/);
  });

  browserTest("ends what cancels all orders: it asks first, and sends none of them late", async ({ page }) => {
    for (const quantity of ["0.0141", "0.0142"]) place(quantity);
    const desk = await openDesk(page, url, "positions");
    await panel(page, "Open orders").getByRole("row").filter({ hasText: "0.0142" }).waitFor();
    await panel(page, "Open orders").getByRole("button", { name: "Cancel all" }).click();
    const dialog = page.getByRole("dialog");
    // Its code is loaded when it is first opened, or once the page is at rest.
    await dialog.waitFor();
    line.breakDown();
    await page.getByRole("status", { name: "Gateway lost", includeHidden: true }).waitFor({ timeout: 30_000 });
    await dialog.getByRole("button", { name: /^Cancel these \d+$/ }).click();
    await dialog.getByText("Press again to confirm").waitFor();
    expect(await outcomes(page, /^Waiting/).count()).toBe(0);
    await dialog.getByRole("button", { name: /^Yes, cancel these \d+ when the line is back$/ }).click();
    await outcomes(page, /^Waiting/).waitFor();
    await outcomes(page, /^Waiting/)
      .getByRole("button", { name: "Withdraw", includeHidden: true })
      .evaluate((button) => button instanceof HTMLElement && button.click());
    await outcomes(page, /Withdrawn: it was not sent/).waitFor();
    // Closing the dialog withdraws it too: its own button is not within reach meanwhile.
    await dialog.getByRole("button", { name: /^Cancel these \d+$/ }).click();
    await dialog.getByRole("button", { name: /^Yes, cancel these \d+ when the line is back$/ }).click();
    await outcomes(page, /^Waiting/).waitFor();
    await dialog.getByRole("button", { name: "Keep the others" }).click();
    await expect.poll(() => outcomes(page, /Withdrawn: it was not sent/).count()).toBe(2);
    line.mend();
    await page.getByRole("status", { name: "Gateway live", includeHidden: true }).waitFor({ timeout: 30_000 });
    expect(await outcomes(page, /./).count()).toBe(2);
    expect([openOrders("0.0141"), openOrders("0.0142")]).toEqual([1, 1]);
    desk.verify(/ERR_|WebSocket/);
  });

  browserTest(
    "has no price of a conversion, and no check of a withdrawal, and says why where one asks for them",
    async ({ page }) => {
      const desk = await openDesk(page, url, "convert", { account: "broker" });
      await page.getByLabel("Give", { exact: true }).fill("150");
      const ask = page.getByRole("button", { name: "Get a price" });
      await expect.poll(() => ask.isEnabled()).toBe(true);
      line.breakDown();
      const interrupted = page.getByRole("button", { name: "The line to the gateway is interrupted" });
      await interrupted.waitFor({ timeout: 30_000 });
      expect(await interrupted.isDisabled()).toBe(true);
      line.mend();
      await ask.waitFor({ timeout: 30_000 });

      await page.getByRole("link", { name: "Broker" }).click();
      await page.getByRole("button", { name: "8800200001" }).click();
      await panel(page, "Sub-account 8800200001").getByRole("button", { name: "Withdraw" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Amount", { exact: true }).fill("12");
      await dialog.getByLabel("Address", { exact: true }).fill("TQ5kVxiiLEnTnjCsc8CTCpWvrCxZ7VZHHR");
      const check = dialog.getByRole("button", { name: "Check it" });
      expect(await check.isEnabled()).toBe(true);
      line.breakDown();
      await dialog.getByRole("button", { name: "The line to the gateway is interrupted" }).waitFor({ timeout: 30_000 });
      line.mend();
      await check.click({ timeout: 30_000 });
      await dialog.getByLabel(/Type the amount again/).waitFor();
      desk.verify(/ERR_|WebSocket/);
    },
  );

  browserTest("has no dry run of a move on the chart, which is made once it is back", async ({ page }) => {
    // What asks about a move is loaded once the page is at rest.
    const parts = ["dragging", "moveDialog"].map((part) => page.waitForResponse(new RegExp(`/assets/${part}-.*\\.js`)));
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    for (const part of parts) await (await part).finished();
    // On the chart's scale, and beyond what the market moves meanwhile.
    place("0.0143", multiplyDecimals(await lastPrice(page), "0.997").replace(/(\.\d).*/, "$1"));
    const handle = page.locator("button[data-price]", { hasText: "Buy 0.0143" });
    await handle.waitFor();
    const unread = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/graphql"));
    line.breakDown();
    await page.getByRole("status", { name: "Gateway lost" }).waitFor({ timeout: 30_000 });
    await handle.focus();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: /^Move buy 0\.0143 BTCUSDT/ });
    await dialog.getByRole("button", { name: "The line to the gateway is interrupted" }).waitFor();
    await unread;
    expect(await page.getByText("Failed to fetch").count()).toBe(0);
    line.mend();
    await expect.poll(() => dialog.getByRole("button", { name: "Send it" }).isEnabled()).toBe(true);
    desk.verify(/ERR_|WebSocket/);
  });
});

describeUnless(LEFT_OUT, "an order that trades at once", () => {
  browserTest("is confirmed if it is large, though it is a limit order", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    // Without a price, every order is confirmed as a large one.
    await lastPrice(page);
    await ticketOf(page).getByLabel("Price", { exact: true }).fill("500000");
    await ticketOf(page).getByRole("textbox", { name: "Quantity" }).fill("0.5");
    await ticketOf(page)
      .getByRole("button", { name: /^Buy 0\.5 BTCUSDT/ })
      .click();
    await ticketOf(page)
      .getByText(/would trade at once/)
      .waitFor();
    expect(await outcome(page, /0\.5 BTCUSDT/).count()).toBe(0);
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "after a jump of the market", () => {
  browserTest(
    "an order is computed and checked again at once, and one that is about to be sent after a question",
    async ({ page }) => {
      const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
      await page.locator("[data-side=bids]").first().waitFor();
      const dryRuns = dryRunsOf(page);
      await ticketOf(page).getByText("Market", { exact: true }).click();
      await ticketOf(page).getByText("Value", { exact: true }).click();
      await ticketOf(page).getByRole("textbox", { name: "Value" }).fill("5000");
      await expect.poll(() => worth(page).innerText()).toMatch(/\d/);
      const button = ticketOf(page).getByRole("button", { name: /Buy [\d.]+ BTCUSDT at market/ });
      const qty = async () => /[\d.]+/.exec(await button.innerText())?.[0] ?? "";
      const jumpTo = async (fifths: number) => {
        const before = await lastPrice(page);
        jump.mockImplementation(function (this: PricePath, at) {
          const { price, activity } = tick.call(this, at);
          return { price: Math.floor((price * fifths) / 5), activity };
        });
        await expect
          .poll(async () => compareDecimals(await lastPrice(page), multiplyDecimals(before, fifths > 5 ? "1.1" : "0.9")))
          .toBe(fifths > 5 ? 1 : -1);
      };
      const { tick } = PricePath.prototype;
      const jump = vi.spyOn(PricePath.prototype, "tick");
      try {
        const [before, sent] = [await qty(), dryRuns.length];
        await jumpTo(6);
        // The order that nobody is about to send: less for the same value.
        await expect.poll(qty, { timeout: 5_000 }).not.toBe(before);
        await expect.poll(() => dryRuns.length).toBeGreaterThan(sent);
        await button.hover();
        const held = await qty();
        await jumpTo(5);
        expect(await qty()).toBe(held);
        await button.click();
        await ticketOf(page)
          .getByText(/has moved by more than 1 %/)
          .waitFor();
        expect(compareDecimals(await qty(), held)).toBe(1);
        await button.click();
        await outcome(page, "Accepted").waitFor();
      } finally {
        jump.mockRestore();
      }
      desk.verify();
    },
  );
});

describeUnless(LEFT_OUT, "a halt", () => {
  browserTest("is a banner on every page until trading is resumed", async ({ page }) => {
    const desk = await openDesk(page, url, "health");
    const halts = panel(page, "Halts");
    await halts.getByText("Trading is not halted").waitFor();
    await halts.getByRole("button", { name: "Halt main" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("a look at the books");
    await dialog.getByLabel("Cancel all open orders of main").uncheck();
    await dialog.getByRole("button", { name: "Halt trading" }).click();
    await outcome(page, "Accepted").filter({ hasText: "Halt main" }).waitFor();
    const banner = page.getByRole("alert").filter({ hasText: "Trading of main is halted" });
    for (const name of ["Trade", "Journal", "Health"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await banner.getByText(/a look at the books/).waitFor();
    }
    await halts.getByRole("listitem").filter({ hasText: "a look at the books" }).getByRole("button", { name: "Resume" }).click();
    await halts.getByText("Trading is not halted").waitFor();
    await banner.waitFor({ state: "detached" });
    desk.verify();
  });

  browserTest("moves nothing on the page, and covers none of its banner with an outcome", async ({ page }) => {
    const desk = await openDesk(page, url, "positions", { width: 1024, height: 700 });
    const cancel = panel(page, "Open orders").getByRole("button", { name: "Cancel", exact: true }).first();
    await cancel.waitFor();
    await panel(page, "History").locator("tbody tr").first().waitFor();
    const before = await cancel.boundingBox();
    const banner = page.getByRole("alert").filter({ hasText: "Trading of main is halted" });
    await post(url, { query: 'mutation { haltTrading(input: { account: "main", reason: "a test" }) { outcome } }' });
    await banner.waitFor();
    expect(await cancel.boundingBox()).toEqual(before);
    await cancel.click();
    await outcome(page, /Accepted|Rejected/)
      .first()
      .waitFor();
    const { bottom, top } = await banner.evaluate((element) => element.getBoundingClientRect());
    expect(bottom).toBeLessThanOrEqual(700);
    const list = await page.getByRole("list", { name: "Outcomes" }).boundingBox();
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(top);
    await post(url, { query: 'mutation { resumeTrading(input: { account: "main" }) { outcome } }' });
    await banner.waitFor({ state: "detached" });
    desk.verify();
  });

  browserTest(
    "from elsewhere takes the costs of the order in a ticket away, and says why, as soon as it is known",
    async ({ page }) => {
      const desk = await openDesk(page, url, "trade/SPOT/BTCUSDT");
      const order = panel(page, "Order");
      await order.getByText("Market", { exact: true }).click();
      await order.getByLabel("Quantity").last().fill("0.01");
      const cost = order.locator("dl dd").first();
      await expect.poll(() => cost.textContent()).toMatch(/\d USDT/);
      const halting = async (mutation: string) => {
        const response = await post(url, { query: `mutation { ${mutation}(input: { account: "main" }) { outcome } }` });
        expect(await response.json()).toMatchObject({ data: { [mutation]: { outcome: "ACCEPTED" } } });
      };
      const button = order.getByRole("button", { name: /^Buy BTCUSDT/ });
      const before = await button.boundingBox();
      await halting("haltTrading");
      await page.getByRole("alert").filter({ hasText: "Trading of main is halted" }).first().waitFor();
      // Without the halt the order is checked again after 15 s only.
      await expect.poll(() => cost.textContent(), { timeout: 2_000 }).not.toMatch(/\d/);
      await order.getByText(/trading of main is halted/i).waitFor();
      expect(await button.boundingBox()).toEqual(before);
      expect(await order.getByText("Most", { exact: true }).locator("xpath=..").locator("dd").textContent()).not.toMatch(/\d/);
      await halting("resumeTrading");
      await expect.poll(() => cost.textContent()).toMatch(/\d USDT/);
      desk.verify();
    },
  );
});

describeUnless(LEFT_OUT, "the desk", () => {
  browserTest("has room for its pages below fifty accounts, and shows which of them is chosen", async ({ page }) => {
    const accounts = Array.from({ length: 50 }, (_, at) => ({ name: at === 0 ? "main" : `other-${at}`, mode: "UNIFIED" }));
    await page.route("**/graphql", (route) =>
      (route.request().postData() ?? "").includes("query ListAccounts")
        ? route.fulfill({ json: { data: { accounts } } })
        : route.fallback(),
    );
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT", { account: "other-43" });
    const list = page.locator("fieldset:has(> [data-account])");
    const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
    await page.locator("[data-account=other-43]:has(:checked)").waitFor();
    expect((await boxOf(page.locator("[data-environment]"))).height).toBeLessThan(200);
    const [around, chosen] = [await boxOf(list), await boxOf(page.locator("[data-account=other-43]"))];
    expect(chosen.y).toBeGreaterThanOrEqual(around.y);
    expect(chosen.y + chosen.height).toBeLessThanOrEqual(around.y + around.height);
    desk.verify();
  });

  browserTest("has a page for every address, and says which markets do not exist", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/%E0%A4%A");
    await page.getByRole("heading", { name: "No such market" }).waitFor();
    for (const address of ["trade/USDT_FUTURES/NOSUCHUSDT", `trade/SPOT/${"X".repeat(60_000)}`, "trade/SPOT"]) {
      await page.evaluate((to) => {
        location.hash = `#/${to}`;
      }, address);
      await page.getByRole("heading", { name: "No such market" }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    await page.getByRole("link", { name: "BTCUSDT" }).click();
    await page.locator("[data-side=bids]").first().waitFor();
    desk.verify();
  });

  browserTest("says that a market is under maintenance, where it is shown and where an order is composed", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/DOTUSDT");
    await panel(page, "Market").getByText("Under maintenance, not tradable").waitFor();
    await panel(page, "Order").getByText("Under maintenance, not tradable").waitFor();
    await page.evaluate(() => {
      location.hash = "#/trade/USDT_FUTURES/BTCUSDT";
    });
    await panel(page, "Order")
      .getByText(/^From 0\.0001 to/)
      .waitFor();
    expect(await page.getByText("Under maintenance").count()).toBe(0);
    desk.verify();
  });

  browserTest("shows a coin or symbol of 60,000 characters without breaking a layout", async ({ page }) => {
    const long = "X".repeat(60_000);
    const lengthened = (answer: string) => answer.replace(/"(\w*[cC]oin|symbol)":"(?:SOL|SOLUSDT|USDC)"/g, `"$1":"${long}"`);
    await page.route(/\/graphql/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: lengthened(await response.text()) });
    });
    await page.routeWebSocket(/\/graphql/, (socket) => {
      socket.connectToServer().onMessage((message) => socket.send(lengthened(String(message))));
    });
    const found: string[] = [];
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const)
      for (const [path, panelId] of [
        ["overview", "Balances"],
        ["positions", "Positions"],
        ["earn", "Loans"],
      ] as const) {
        await page.goto("about:blank");
        await openDesk(page, url, path, { width, height });
        await page.locator(`[data-panel="${panelId}"]`).getByText(/X{9}/).first().waitFor();
        const broken = await page.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          const wide = [...document.querySelectorAll("[data-panel], [data-list] > li > *, [data-list] dl")].filter(
            (part) => part.getBoundingClientRect().right > innerWidth + 1,
          );
          return [
            ...wide.map(({ className }) => className),
            ...(scrollWidth > innerWidth || scrollHeight > 9_000 ? ["page"] : []),
          ];
        });
        found.push(...broken.map((part) => `${path}, ${width}: ${part}`));
      }
    expect(found).toEqual([]);
  });

  browserTest("clears size and price when the account or the market changes", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    await fillFarOrder(page, "0.02");
    await page
      .locator("[data-account]")
      .filter({ hasText: /^classic/ })
      .click();
    const size = ticketOf(page).getByRole("textbox", { name: "Quantity" });
    await expect.poll(() => size.inputValue()).toBe("");
    await expect.poll(() => ticketOf(page).getByLabel("Price", { exact: true }).inputValue()).toBe("");
    desk.verify();
  });

  browserTest("has charts in the colours of the chosen theme at once, and can follow the system", async ({ page }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    await page.locator("[data-panel=Chart] canvas").first().waitFor();
    /** The most frequent colour at the top of the chart, which lines of its grid may cross, and the surface of the theme. */
    const colours = () =>
      page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>("[data-panel=Chart] canvas");
        const { data = [] } = canvas?.getContext("2d", { willReadFrequently: true })?.getImageData(0, 0, canvas.width, 10) ?? {};
        const counts = new Map<string, number>();
        for (let at = 0; at < data.length; at += 4) {
          const pixel = `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`;
          counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
        }
        const [[chart] = []] = [...counts].sort(([, one], [, other]) => other - one);
        const probe = document.createElement("i");
        probe.style.color = getComputedStyle(document.documentElement).getPropertyValue("--surface");
        document.body.append(probe);
        const surface = getComputedStyle(probe).color;
        probe.remove();
        return { chart, surface };
      });
    const same = async () => {
      const { chart, surface } = await colours();
      return chart === surface;
    };
    await expect.poll(same).toBe(true);
    const dark = (await colours()).surface;
    await page.getByRole("button", { name: "Change to the light theme" }).click();
    await expect.poll(async () => (await colours()).surface).not.toBe(dark);
    await expect.poll(same).toBe(true);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog").getByText("System", { exact: true }).click();
    await page.keyboard.press("Escape");
    await expect.poll(async () => (await colours()).surface).toBe(dark);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(async () => (await colours()).surface).not.toBe(dark);
    await expect.poll(same).toBe(true);
    // Where colours are forced, the system's.
    await page.emulateMedia({ forcedColors: "active" });
    await page.reload();
    await page.locator("[data-panel=Chart] canvas").first().waitFor();
    await expect.poll(same).toBe(true);
    const forced = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--surface").trim());
    expect(forced).toBe("Canvas");
    // Also those of the other theme: what reads the fill of a text gets a colour of the system.
    await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
    await page.getByRole("button", { name: "Change to the light theme" }).click();
    await page.locator("html[data-theme=light]").waitFor();
    expect(await findings(page, "[data-environment]")).toEqual([]);
    desk.verify(/willReadFrequently/);
  });

  browserTest("reaches the ticket in at most 12 tab stops, past the bar", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    await page.locator("[data-side=bids]").first().waitFor();
    await ticketOf(page).getByRole("textbox", { name: "Quantity" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    let stops = 1;
    for (; stops < 30; stops += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.closest("[data-panel=Order] form") !== null)) break;
    }
    expect(stops).toBeLessThanOrEqual(12);
    desk.verify();
  });

  browserTest("has a ring around whatever has the focus, which nothing cuts", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    const found: string[] = [];
    for (const [path, last] of [
      ["trade/USDT_FUTURES/BTCUSDT", "Watch list"],
      ["positions", "History"],
      ["earn", "Savings records"],
    ] as const) {
      await page.evaluate((to) => {
        location.hash = `#/${to}`;
      }, path);
      await page.locator(`[data-panel="${last}"] tbody tr`).first().waitFor();
      const cut = await page.evaluate(() => {
        const faults = new Set<string>();
        for (const element of document.querySelectorAll<HTMLElement>("a[href], button, input, select, [tabindex='0']")) {
          if (!element.checkVisibility() || element.getBoundingClientRect().width < 2) continue;
          element.focus();
          if (document.activeElement !== element) continue;
          // The ring of a choice is that of its label, and of a field with a unit that of both.
          const label = element.closest(element.matches("[type=radio], [type=checkbox]") ? "label" : "label + span");
          const around = label !== null && getComputedStyle(label).outlineStyle !== "none" ? label : element;
          const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(around);
          const name = `${element.closest("[data-panel]")?.getAttribute("data-panel")}: ${element.tagName} ${element.innerText}`;
          if (outlineStyle === "none") faults.add(`${name} has no ring`);
          const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
          const ring = around.getBoundingClientRect();
          for (let outer = around.parentElement; outer !== null && outer !== document.body; outer = outer.parentElement) {
            if (getComputedStyle(outer).overflow === "visible") continue;
            const edge = outer.getBoundingClientRect();
            const isCut = [ring.left - edge.left, edge.right - ring.right, ring.top - edge.top, edge.bottom - ring.bottom].some(
              // What is scrolled out is not cut.
              (room) => room >= -1 && room < reach - 0.6,
            );
            if (isCut) faults.add(`${name} is cut by ${outer.className}`);
          }
        }
        return [...faults];
      });
      found.push(...cut);
    }
    expect(found).toEqual([]);
    desk.verify();
  });

  browserTest("says the outcome of an order to a screen reader, and not its age with each second", async ({ page }) => {
    const desk = await openDesk(page, url, "trade/USDT_FUTURES/BTCUSDT");
    await fillFarOrder(page, "0.0117");
    await page.evaluate(() => {
      const said: string[] = [];
      Reflect.set(globalThis, "said", said);
      const note = ({ target }: MutationRecord) => {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest("[aria-live], [role=status], [role=alert]");
        const isSilent = region?.getAttribute("aria-live") === "off" || element?.closest("[aria-hidden=true]");
        if (region && !isSilent) said.push(element?.textContent ?? "");
      };
      new MutationObserver((changes) => changes.forEach(note)).observe(document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    const said = () => page.evaluate(() => (Reflect.get(globalThis, "said") as string[]).splice(0));
    await ticketOf(page)
      .getByRole("button", { name: /^Buy 0\.0117 BTCUSDT/ })
      .click();
    const accepted = outcome(page, "Accepted").filter({ hasText: "0.0117" });
    await accepted.waitFor();
    expect((await said()).join()).toContain("Accepted");
    await accepted.getByText("2 s", { exact: true }).waitFor();
    expect(await said()).toEqual([]);
    desk.verify();
  });

  browserTest("says an interruption once to a screen reader, and covers and moves nothing with it", async ({ page }) => {
    const desk = await openDesk(page, url, "positions");
    for (const title of ["Positions", "Open orders", "Trigger orders", "History"])
      await panel(page, title).locator("[data-source]").waitFor();
    const places = () =>
      page.locator("tbody tr:first-child").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
    await expect.poll(async () => (await places()).length).toBeGreaterThan(1);
    const before = await places();
    line.breakDown();
    await expect.poll(() => page.locator("[data-state=interrupted]").count(), { timeout: 30_000 }).toBeGreaterThan(2);
    const reasons = page.getByRole("status").filter({ hasText: "line to the gateway is interrupted" });
    await expect.poll(() => reasons.allInnerTexts(), { timeout: 30_000 }).toEqual(["The line to the gateway is interrupted."]);
    const positions = await page
      .locator("[data-state=interrupted]")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).position));
    expect(new Set(positions)).toEqual(new Set(["static"]));
    // A press on a row's button, such as that which cancels its order, is on that of the same row.
    expect(await places()).toEqual(before);
    line.mend();
    await expect.poll(() => page.locator("[data-state=interrupted]").count(), { timeout: 30_000 }).toBe(0);
    desk.verify(/ERR_|WebSocket/);
  });
});

describeUnless(LEFT_OUT, "a token that is revoked", () => {
  /** A gateway with two tokens: signs in with the first one, revokes it after the page was used, and signs in with the second one. */
  async function signedInTwice(page: Page, use: () => Promise<void>, check: (tokens: readonly string[]) => Promise<void>) {
    const clients = join(mkdtempSync(join(tmpdir(), "revoked-")), "clients.json");
    const create = (name: string) =>
      tokenCommand(["create", name, ...SCOPES.flatMap((scope) => ["--scope", scope])], clients, systemClock).out.trim();
    const [first, second] = [create("first"), create("second")];
    const guarded = await servingProduct({ ...overSandbox(sandbox), CLIENTS_FILE: clients });
    const desk = await openDesk(page, guarded.url, "trade/USDT_FUTURES/BTCUSDT");
    const take = async (token: string) => {
      await page.getByLabel("Token", { exact: true }).fill(token);
      await page.getByRole("button", { name: "Use this token" }).click();
    };
    await take(first);
    await use();
    tokenCommand(["revoke", "first"], clients, systemClock);
    await page.getByRole("navigation").waitFor({ state: "detached" });
    await take(second);
    await check([first, second]);
    desk.verify(/401|WebSocket/);
    await guarded.stop();
  }

  const goTo = (page: Page, symbol: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, `#/trade/USDT_FUTURES/${symbol}`);

  browserTest("takes nothing of what was typed in the ticket with it; another market or account does", async ({ page }) => {
    const use = async () => {
      await fillFarOrder(page, "0.0213");
      await ticketOf(page).getByText("Sell", { exact: true }).click();
      await ticketOf(page).getByRole("textbox", { name: "Stop loss", exact: true }).fill("19000");
    };
    await signedInTwice(page, use, async (tokens) => {
      await ticketOf(page)
        .getByRole("button", { name: /^Sell 0\.0213 BTCUSDT/ })
        .waitFor();
      const typed = () =>
        Promise.all([
          ticketOf(page).getByLabel("Price", { exact: true }).inputValue(),
          ticketOf(page).getByRole("textbox", { name: "Quantity" }).inputValue(),
          ticketOf(page).getByRole("textbox", { name: "Stop loss", exact: true }).inputValue(),
        ]);
      expect(await typed()).toEqual(["20000", "0.0213", "19000"]);
      await goTo(page, "ETHUSDT");
      await expect.poll(typed).toEqual(["", "", ""]);
      await page.getByRole("heading", { name: "ETHUSDT" }).waitFor({ state: "attached" });
      await goTo(page, "BTCUSDT");
      await page.getByRole("heading", { name: "BTCUSDT" }).waitFor({ state: "attached" });
      expect(await typed()).toEqual(["", "", ""]);
      const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
      for (const word of [...tokens, "0.0213"]) expect(stored).not.toContain(word);
    });
  });

  browserTest("takes an order with it that waits for the line: the next token does not send it", async ({ page }) => {
    const clients = join(mkdtempSync(join(tmpdir(), "waiting-")), "clients.json");
    const create = (name: string) =>
      tokenCommand(["create", name, ...SCOPES.flatMap((scope) => ["--scope", scope])], clients, systemClock).out.trim();
    const [first, second] = [create("first"), create("second")];
    const guarded = await servingProduct({ ...overSandbox(sandbox), CLIENTS_FILE: clients });
    const guardedLine = await tcpProxy(guarded.url);
    const desk = await openDesk(page, `http://${guardedLine.host}`, "trade/USDT_FUTURES/BTCUSDT");
    const take = async (token: string) => {
      await page.getByLabel("Token", { exact: true }).fill(token);
      await page.getByRole("button", { name: "Use this token" }).click();
    };
    await take(first);
    await fillFarOrder(page, "0.0151");
    guardedLine.breakDown();
    await page.getByRole("status", { name: "Gateway lost" }).waitFor({ timeout: 30_000 });
    const button = ticketOf(page).getByRole("button", { name: /0\.0151 BTCUSDT.*when the line is back/ });
    await button.click();
    await ticketOf(page).getByText("Press again to confirm").waitFor();
    await button.click();
    await outcome(page, /Waiting/).waitFor();
    tokenCommand(["revoke", "first"], clients, systemClock);
    // The gateway reads the file within a second; until then it would still take the order.
    const headers = { "content-type": "application/json", authorization: `Bearer ${first}` };
    const body = JSON.stringify({ query: "{ viewer { name } }" });
    await expect.poll(async () => (await fetch(`${guarded.url}/graphql`, { method: "POST", headers, body })).status).toBe(401);
    guardedLine.mend();
    await page.getByRole("navigation").waitFor({ state: "detached" });
    await take(second);
    await page.getByRole("navigation").waitFor();
    await outcome(page, "Withdrawn: it was not sent").waitFor();
    expect(openOrders("0.0151")).toBe(0);
    desk.verify(/401|ERR_|WebSocket/);
    await guardedLine.close();
    await guarded.stop();
  });

  browserTest("takes nothing of a strategy with it; another kind of it, or another market, does", async ({ page }) => {
    const kind = ticketOf(page).getByLabel("Kind of strategy");
    const typed = () =>
      ticketOf(page)
        .locator("form input[inputmode]")
        .evaluateAll((all) => all.map((one) => Reflect.get(one, "value")));
    const scale = ["20000", "19000", "4", "0.04"];
    const use = async () => {
      await ticketOf(page).getByText("Strategy", { exact: true }).click();
      await kind.selectOption("scale");
      for (const [at, label] of ["Start price", "End price", "Number of orders", "Quantity"].entries())
        await ticketOf(page)
          .getByRole("textbox", { name: label })
          .fill(scale[at] ?? "");
      await ticketOf(page).getByLabel("Distribution").selectOption("falling");
      // What is typed for a strategy also outlasts a look at another kind of order.
      await ticketOf(page).getByText("Limit", { exact: true }).click();
      await ticketOf(page).getByText("Strategy", { exact: true }).click();
    };
    await signedInTwice(page, use, async () => {
      await kind.waitFor();
      expect(await kind.inputValue()).toBe("scale");
      expect(await typed()).toEqual(scale);
      expect(await ticketOf(page).getByLabel("Distribution").inputValue()).toBe("falling");
      await ticketOf(page)
        .getByRole("button", { name: /^Buy 0\.04 BTCUSDT, Scale/ })
        .waitFor();
      await kind.selectOption("oco");
      expect(await typed()).toEqual(["", "", "", "0.04"]);
      await goTo(page, "ETHUSDT");
      await page.getByRole("heading", { name: "ETHUSDT" }).waitFor({ state: "attached" });
      await ticketOf(page).getByText("Strategy", { exact: true }).click();
      await kind.selectOption("oco");
      expect(await typed()).toEqual(["", "", "", ""]);
    });
  });
});

const SCOPES = ["read:market", "read:account=main", "trade=main"];

describeUnless(LEFT_OUT, "a token for market data alone", () => {
  browserTest("has the Trade page alone, without what belongs to an account", async ({ page }) => {
    const clients = join(mkdtempSync(join(tmpdir(), "market-")), "clients.json");
    const token = tokenCommand(["create", "market", "--scope", "read:market"], clients, systemClock).out.trim();
    const guarded = await servingProduct({ ...overSandbox(sandbox), CLIENTS_FILE: clients });
    const desk = await openDesk(page, guarded.url, "overview");
    await page.getByLabel("Token", { exact: true }).fill(token);
    await page.getByRole("button", { name: "Use this token" }).click();
    await page.locator("[data-side=bids]").first().waitFor();
    await expect.poll(() => page.getByRole("navigation").getByRole("link").allInnerTexts()).toEqual(["Trade"]);
    const titles = () => page.locator("[data-panel] h2").allInnerTexts();
    await expect.poll(titles).toEqual(expect.arrayContaining(["Market", "Chart", "Book", "Trades"]));
    for (const title of ["Order", "Positions", "Open orders"]) expect(await titles()).not.toContain(title);
    desk.verify(/401/);
    await guarded.stop();
  });
});
