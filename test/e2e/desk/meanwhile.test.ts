import { multiplyDecimals } from "@exchange-graph/client";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { post } from "../../support/ask.js";
import { browserTest } from "../../support/chromium.js";
import { describeUnless } from "../../support/missing.js";
import { type Product, servingProduct } from "../product.js";
import { LEFT_OUT, lastPrice, openDesk, outcome, overSandbox, panel, writesOf } from "./support.js";

let sandbox: Sandbox;
let product: Product;
beforeAll(async () => {
  if (LEFT_OUT !== undefined) return;
  sandbox = await startSandbox();
  product = await servingProduct(overSandbox(sandbox));
});
afterEach(() => sandbox?.faults.clear());
afterAll(async () => {
  if (LEFT_OUT !== undefined) return;
  await product.stop();
  await sandbox.close();
});

const FUTURES = { uid: MAIN_UID, category: "USDT-FUTURES" } as const;

/** Places a buy order at the exchange directly, as another program would. */
const placeElsewhere = (symbol: string, quantity: string, price: string) =>
  sandbox.world.orders.place({
    ...FUTURES,
    ...{ symbol, side: "buy", orderType: "limit", quantity: exact(quantity), price: exact(price) },
  }).order;

/** Closes a position at the exchange directly, or a quantity of it. */
function closeElsewhere(symbol: string, quantity?: string): void {
  const position = [...sandbox.world.state.positions.open(MAIN_UID)].find((one) => one.symbol === symbol);
  if (position === undefined) throw new Error(`no position in ${symbol}`);
  const { side, size, category } = position;
  sandbox.world.orders.place({
    ...{ uid: MAIN_UID, category, symbol, orderType: "market", reduceOnly: true },
    ...{ side: side === "long" ? "sell" : "buy", quantity: quantity === undefined ? size : exact(quantity) },
  });
}

const rowOf = (page: Page, title: string, text: string) => panel(page, title).getByRole("row").filter({ hasText: text });

describeUnless(LEFT_OUT, "a dialog for an order", () => {
  browserTest("says what others do to the order: changed, filled in part, cancelled; then nothing is sent", async ({ page }) => {
    const order = placeElsewhere("ETHUSDT", "0.37", "1801");
    const desk = await openDesk(page, product.url, "positions");
    const writes = writesOf(page);
    await rowOf(page, "Open orders", "0.37").getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog", { name: "Change order in ETHUSDT" });
    sandbox.world.orders.modify(order, { price: exact("1802") });
    await dialog.getByText(/^Now 1\D?802/).waitFor();
    expect(await dialog.getByLabel("Price", { exact: true }).inputValue()).toMatch(/^1801/);
    expect(await dialog.getByRole("alert").count()).toBe(0);
    sandbox.world.orders.cancel(MAIN_UID, FUTURES.category, { orderId: order.orderId });
    await dialog.getByRole("alert").filter({ hasText: "This order was cancelled meanwhile, with 0 of 0.37 filled." }).waitFor();
    expect(await dialog.getByRole("button", { name: "Change order" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Price", { exact: true }).press("Enter");
    await dialog.getByRole("button", { name: "Leave it" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(writes).toEqual([]);
    desk.verify();
  });

  browserTest("says how much of it is filled, and does not change it to less", async ({ page }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/XRPUSDT");
    const last = await lastPrice(page);
    const order = placeElsewhere("XRPUSDT", "900000", exact(multiplyDecimals(last, "0.98")).toFixed(4));
    await page.getByRole("tab", { name: "Open orders" }).click();
    const row = page
      .locator("[data-panel=Account]")
      .getByRole("row")
      .filter({ hasText: /900\D?000/ });
    await row.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog", { name: "Change order in XRPUSDT" });
    const change = dialog.getByRole("button", { name: "Change order" });
    await dialog.getByLabel("Quantity", { exact: true }).fill("5");
    expect(await change.isEnabled()).toBe(true);
    sandbox.world.orders.modify(order, { price: exact(exact(multiplyDecimals(last, "1.0005")).toFixed(4)) });
    await dialog.getByText(/^[\d\s]+ of 900\D?000 are filled$/).waitFor();
    expect(await change.isDisabled()).toBe(true);
    await dialog.getByLabel("Quantity", { exact: true }).fill("899000");
    expect(await change.isEnabled()).toBe(true);
    await dialog.getByRole("button", { name: "Leave it" }).click();
    sandbox.world.orders.cancel(MAIN_UID, FUTURES.category, { orderId: order.orderId });
    desk.verify();
  });

  browserTest("that was dropped on the chart says that the order was filled, also while it is still held", async ({ page }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT");
    const last = await lastPrice(page);
    const writes = writesOf(page);
    const crossing = exact(multiplyDecimals(last, "1.01")).toFixed(2);
    const below = exact(multiplyDecimals(last, "0.999")).toFixed(2);
    const first = placeElsewhere("SOLUSDT", "1.7", below);
    const handle = page.locator("button[data-price]", { hasText: "Buy 1.7" });
    await handle.waitFor();
    await handle.focus();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: /^Move buy 1\.7 SOLUSDT/ });
    await dialog.getByText("Fee at most").waitFor();
    sandbox.world.orders.modify(first, { price: exact(crossing) });
    await dialog
      .getByRole("alert")
      .filter({ hasText: /This order was filled meanwhile: 1\.7 at \d/ })
      .waitFor();
    expect(await dialog.getByRole("button", { name: "Send it" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    // Its handle is beside that of the position, wherever that is.
    const second = placeElsewhere("SOLUSDT", "1.9", below);
    const held = page.locator("button[data-price]", { hasText: "Buy 1.9" });
    await held.hover({ position: { x: 6, y: 6 } });
    await page.mouse.down();
    const { x, y } = (await held.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 6, y + 30, { steps: 3 });
    await page.locator("[role=status] dl").waitFor();
    sandbox.world.orders.cancel(MAIN_UID, FUTURES.category, { orderId: second.orderId });
    const other = page.getByRole("dialog", { name: /^Move buy 1\.9 SOLUSDT/ });
    await other.getByRole("alert").filter({ hasText: "This order was cancelled meanwhile" }).waitFor();
    await page.mouse.up();
    expect(await other.getByRole("button", { name: "Send it" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.locator("[role=status] dl").waitFor({ state: "detached" });
    expect(writes).toEqual([]);
    desk.verify();
  });

  browserTest("that cancels all of them leaves out those that have ended, and ends with the last one", async ({ page }) => {
    const orders = ["0.41", "0.42"].map((quantity) => placeElsewhere("ETHUSDT", quantity, "1800"));
    const desk = await openDesk(page, product.url, "positions");
    await rowOf(page, "Open orders", "0.42").waitFor();
    await panel(page, "Open orders").getByRole("button", { name: "Cancel all" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    const rows = await dialog.getByRole("listitem").count();
    await dialog.getByRole("button", { name: `Cancel these ${rows}` }).waitFor();
    const cancel = (orderId: string) => sandbox.world.orders.cancel(MAIN_UID, FUTURES.category, { orderId });
    cancel(orders[0]?.orderId ?? "");
    await dialog.getByRole("listitem").filter({ hasText: "no longer open" }).filter({ hasText: "0.41" }).waitFor();
    await dialog.getByRole("button", { name: `Cancel these ${rows - 1}` }).waitFor();
    for (const { orderId, category } of [...sandbox.world.state.orders.open(MAIN_UID)])
      sandbox.world.orders.cancel(MAIN_UID, category, { orderId });
    await dialog.getByRole("alert").filter({ hasText: "None of these is open any more" }).waitFor();
    expect(await dialog.getByRole("button", { name: /^Cancel these/ }).isDisabled()).toBe(true);
    desk.verify();
  });

  browserTest("that cancels all of them stays open for those that are refused, and sends them alone again", async ({ page }) => {
    for (const quantity of ["0.46", "0.47"]) placeElsewhere("ETHUSDT", quantity, "1800");
    const desk = await openDesk(page, product.url, "positions");
    const writes = writesOf(page);
    await rowOf(page, "Open orders", "0.47").waitFor();
    await panel(page, "Open orders").getByRole("button", { name: "Cancel all" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    const rows = await dialog.getByRole("listitem").count();
    const fault = { kind: "answer", status: 429, code: "429", msg: "Too Many Requests" } as const;
    sandbox.faults.add({ endpoint: "cancelOrder", fault, times: 1 });
    await dialog.getByRole("button", { name: `Cancel these ${rows}` }).click();
    await dialog.getByText("Refused, and still open: 1").waitFor();
    await dialog.getByRole("listitem").filter({ hasText: "RATE_LIMITED" }).waitFor();
    await dialog.getByRole("button", { name: "Cancel these 1" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(writes.length).toBe(rows + 1);
    expect([...sandbox.world.state.orders.open(MAIN_UID)]).toEqual([]);
    desk.verify();
  });

  browserTest("that is closed while it cancels them sends nothing more", async ({ page }) => {
    for (const quantity of ["0.43", "0.44", "0.45"]) placeElsewhere("ETHUSDT", quantity, "1800");
    const desk = await openDesk(page, product.url, "positions");
    const writes = writesOf(page);
    const release = await keepBack(page, "mutation CancelOrder");
    await rowOf(page, "Open orders", "0.45").waitFor();
    await panel(page, "Open orders").getByRole("button", { name: "Cancel all" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Cancel these/ }).click();
    await expect.poll(() => writes.length).toBe(1);
    await dialog.getByRole("button", { name: "Keep the others" }).click();
    await dialog.waitFor({ state: "detached" });
    release();
    await outcome(page, "Accepted").waitFor();
    await panel(page, "Open orders").getByRole("button", { name: "Cancel all" }).click();
    await dialog.getByRole("button", { name: /^Cancel these/ }).waitFor();
    expect(writes.length).toBe(1);
    desk.verify();
  });
});

/** Places a trigger order at the exchange directly that waits for a price. */
const placePlanElsewhere = (quantity: string, triggerPrice: string) =>
  sandbox.world.plans.placeEntry({
    ...{ kind: "normal_plan", triggerPrice: exact(triggerPrice), triggerBy: "market" },
    order: { ...FUTURES, symbol: "SOLUSDT", side: "buy", orderType: "market", quantity: exact(quantity) },
  });

describeUnless(LEFT_OUT, "a dialog for a trigger order", () => {
  browserTest("says whether it was triggered or cancelled meanwhile; then nothing is sent", async ({ page }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT");
    // Near enough to be on the chart, and too far to be reached meanwhile.
    const below = async () => exact(multiplyDecimals(await lastPrice(page), "0.997")).toFixed(2);
    const writes = writesOf(page);
    const asked = async (quantity: string) => {
      const handle = page.locator("button[data-price]", { hasText: `Trigger ${quantity}` });
      // What is not shown yet takes no focus.
      await handle.waitFor();
      await handle.focus();
      await page.keyboard.press("Shift+ArrowDown");
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: /trigger/i });
      await dialog.waitFor();
      return dialog;
    };
    const closed = async (dialog: Locator, words: string) => {
      await dialog.getByRole("alert").filter({ hasText: words }).waitFor();
      expect(await dialog.getByRole("button", { name: "Send it" }).isDisabled()).toBe(true);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    };
    const { plans } = sandbox.world;
    const first = placePlanElsewhere("1.3", await below());
    const cancelled = await asked("1.3");
    plans.cancel(first);
    await closed(cancelled, "This trigger order was cancelled meanwhile.");

    const second = placePlanElsewhere("1.4", await below());
    const triggered = await asked("1.4");
    // The price may go away from its trigger, which then follows it.
    await expect
      .poll(() => {
        const { markets } = sandbox.world.state;
        const now = markets.find(FUTURES.category, "SOLUSDT")?.listing.price(markets.tick);
        if (now !== undefined && second.status === "live")
          plans.modify(second, { legs: [], trigger: { triggerPrice: now, triggerBy: "market" } });
        return second.status;
      })
      .not.toBe("live");
    await closed(triggered, "This trigger order was triggered meanwhile.");
    expect(writes).toEqual([]);
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "a dialog for a position", () => {
  browserTest("says that less of it is left, and that it was closed; then nothing is sent", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions");
    const writes = writesOf(page);
    await rowOf(page, "Positions", "ETHUSDT").getByRole("button", { name: "Close" }).click();
    const dialog = page.getByRole("dialog", { name: "Close ETHUSDT short" });
    await dialog.getByText(/^Worth [\d\s.]+ at mark$/).waitFor();
    closeElsewhere("ETHUSDT", "0.5");
    await dialog.getByText(/^The position has [\d.]+ left$/).waitFor();
    const close = dialog.getByRole("button", { name: "Close position" });
    expect(await close.isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "100 %" }).click();
    expect(await close.isEnabled()).toBe(true);
    closeElsewhere("ETHUSDT");
    await dialog.getByRole("alert").filter({ hasText: "This position was closed meanwhile" }).waitFor();
    expect(await close.isDisabled()).toBe(true);
    await page.keyboard.press("Escape");

    await rowOf(page, "Positions", "BTCUSDT").getByRole("button", { name: "TP/SL" }).click();
    const exits = page.getByRole("dialog", { name: "Take profit or stop loss of BTCUSDT long" });
    await exits.getByLabel("Trigger price").fill("1");
    await exits.getByText(/^It must be above [\d\s.]+$/).waitFor();
    await exits.getByText("Stop loss", { exact: true }).click();
    await exits.getByText(/^It must be above/).waitFor({ state: "detached" });
    await exits.getByText("Take profit", { exact: true }).click();
    await exits.getByLabel("Trigger price").fill("900000");
    // The last rows: the panel is empty afterwards, and the dialog stays.
    for (const { symbol } of [...sandbox.world.state.positions.open(MAIN_UID)]) closeElsewhere(symbol);
    await exits.getByRole("alert").filter({ hasText: "This position was closed meanwhile" }).waitFor();
    expect(await exits.getByRole("button", { name: "Place it" }).isDisabled()).toBe(true);
    expect(writes).toEqual([]);
    desk.verify();
  });
});

/** Keeps the page's next request with this operation until the returned function is called. */
async function keepBack(page: Page, operation: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/graphql", async (route) => {
    if ((route.request().postData() ?? "").includes(operation)) await released;
    return route.fallback();
  });
  return release;
}

describeUnless(LEFT_OUT, "a dialog that closes all positions", () => {
  browserTest("says that open orders may open one again, as long as there are any", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions", { account: "classic" });
    await panel(page, "Positions").getByRole("button", { name: "Close all" }).click();
    const note = page.getByRole("dialog").getByText("Open orders stay: one that is filled may open a position again.");
    await note.waitFor();
    for (const { orderId, category } of [...sandbox.world.state.orders.open(CLASSIC_UID)])
      sandbox.world.orders.cancel(CLASSIC_UID, category, { orderId });
    await note.waitFor({ state: "detached" });
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "a dialog that closes a position", () => {
  browserTest("shows the refusal until it is edited, and asks anew about what it is edited to", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions", { account: "classic" });
    await rowOf(page, "Positions", "BTCUSDT").getByRole("button", { name: "Close" }).click();
    const dialog = page.getByRole("dialog");
    const refusal = dialog.getByText("RATE_LIMITED");
    const fault = { kind: "answer", status: 429, code: "429", msg: "Too Many Requests" } as const;
    sandbox.faults.add({ endpoint: "classicPlaceFuturesOrder", fault });
    await dialog.getByRole("button", { name: "Close position" }).click();
    await dialog.getByRole("button", { name: "Yes, close at market" }).click();
    await refusal.waitFor();
    await dialog.getByRole("button", { name: "75 %" }).click();
    await refusal.waitFor({ state: "detached" });
    await dialog.getByText("Limit", { exact: true }).click();
    await dialog.getByRole("button", { name: "Close position" }).click();
    await refusal.waitFor();
    await dialog.getByLabel("Price", { exact: true }).fill("70000");
    await refusal.waitFor({ state: "detached" });
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "a position of the smallest size", () => {
  browserTest("is closed whole: no share of it, and no quantity of zero, can be sent", async ({ page }) => {
    sandbox.world.orders.place({ ...FUTURES, symbol: "LTCUSDT", side: "buy", orderType: "market", quantity: exact("0.1") });
    const desk = await openDesk(page, product.url, "positions");
    await rowOf(page, "Positions", "LTCUSDT").getByRole("button", { name: "Close" }).click();
    const dialog = page.getByRole("dialog");
    const close = dialog.getByRole("button", { name: "Close position" });
    const isDisabled = (share: string) => dialog.getByRole("button", { name: share, exact: true }).isDisabled();
    expect(await Promise.all(["25 %", "50 %", "75 %", "100 %"].map(isDisabled))).toEqual([true, true, true, false]);
    expect(await close.isEnabled()).toBe(true);
    await dialog.getByLabel("Quantity").fill("0");
    expect(await close.isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "100 %" }).click();
    await close.click();
    await rowOf(page, "Positions", "LTCUSDT").waitFor({ state: "detached" });
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "an answer to what was edited meanwhile", () => {
  browserTest("is no price for the new amount", async ({ page }) => {
    const desk = await openDesk(page, product.url, "convert");
    const release = await keepBack(page, "query Quote");
    const give = page.getByLabel("Give", { exact: true });
    const ask = page.getByRole("button", { name: "Get a price" });
    await give.fill("5000");
    await ask.click();
    await give.fill("50");
    expect(await ask.isDisabled()).toBe(true);
    release();
    await expect.poll(() => ask.isEnabled()).toBe(true);
    expect(await page.getByText("You receive").count()).toBe(0);
    await ask.click();
    await page.getByRole("button", { name: /^Convert, / }).click();
    await panel(page, "Conversions").getByRole("row").filter({ hasText: "50 USDT" }).first().waitFor();
    desk.verify();
  });

  browserTest("does not allow a withdrawal to another address", async ({ page }) => {
    const desk = await openDesk(page, product.url, "broker", { account: "broker" });
    await page.getByRole("button", { name: "8800200001" }).click();
    const release = await keepBack(page, "mutation Withdraw");
    await panel(page, "Sub-account 8800200001").getByRole("button", { name: "Withdraw" }).click();
    const dialog = page.getByRole("dialog");
    const check = dialog.getByRole("button", { name: "Check it" });
    await dialog.getByLabel("Amount", { exact: true }).fill("12");
    await dialog.getByLabel("Address", { exact: true }).fill("TQ5kVxiiLEnTnjCsc8CTCpWvrCxZ7VZHHR");
    await check.click();
    await dialog.getByLabel("Address", { exact: true }).fill("TAnother");
    release();
    await expect.poll(() => check.isEnabled()).toBe(true);
    expect(await dialog.getByLabel(/Type the amount again/).count()).toBe(0);
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "a row of a table", () => {
  browserTest("that comes under the pointer takes no click before the pointer moves, or clicks again", async ({ page }) => {
    for (const { orderId, category } of [...sandbox.world.state.orders.open(MAIN_UID)])
      sandbox.world.orders.cancel(MAIN_UID, category, { orderId });
    const orders = ["0.48", "0.49", "0.51"].map((quantity) => placeElsewhere("ETHUSDT", quantity, "1800"));
    const desk = await openDesk(page, product.url, "positions");
    const writes = writesOf(page);
    const rows = panel(page, "Open orders").locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(3);
    const quantities = await rows.locator("td[data-label=Quantity]").allInnerTexts();
    const [above, , below] = quantities.map((text) => orders.find(({ quantity }) => text.startsWith(plain(quantity))));
    if (above === undefined || below === undefined) throw new Error(`rows of ${quantities.join(", ")}`);
    await rows.nth(1).getByRole("button", { name: "Cancel" }).hover();
    sandbox.world.orders.cancel(MAIN_UID, FUTURES.category, { orderId: above.orderId });
    await expect.poll(() => rows.count()).toBe(2);
    // The first click meets the row that has moved up.
    for (const _ of ["ignored", "meant"]) {
      await page.mouse.down();
      await page.mouse.up();
    }
    await outcome(page, "Accepted").waitFor();
    expect(writes.map(({ by }) => by)).toEqual([{ orderId: below.orderId }]);
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "what is typed", () => {
  /** A panel reads again after up to 20 s, and the gateway repeats what was refused. */
  const SLOWLY = { timeout: 60_000 };

  /** Has the exchange refuse these until the panel says so, then answer again until it does not. */
  async function interrupt(page: Page, id: string, endpoints: readonly string[], act = async () => {}): Promise<void> {
    const refused = page.locator(`[data-panel="${id}"] > div`).locator("[data-state=failed], [data-state=partial]").first();
    for (const endpoint of endpoints)
      sandbox.faults.add({ endpoint, fault: { kind: "answer", status: 429, code: "429", msg: "Too Many Requests" } });
    await act();
    await refused.waitFor(SLOWLY);
    sandbox.faults.clear();
    await refused.waitFor({ state: "detached", ...SLOWLY });
  }

  browserTest("stays while the exchange refuses what its panel reads", { timeout: 400_000 }, async ({ page }) => {
    const desk = await openDesk(page, product.url, "convert");
    const give = page.getByLabel("Give", { exact: true });
    await give.fill("5000");
    await interrupt(page, "Convert", ["convertCurrencies"]);
    expect(await give.inputValue()).toBe("5000");
    await page.getByRole("link", { name: "Earn & loans" }).click();
    // Its first value is all that is saved.
    const amount = page.getByRole("dialog").getByLabel("Amount", { exact: true });
    await panel(page, "Savings").getByRole("button", { name: "Redeem" }).first().click();
    await amount.fill("0.5");
    // A write reads again what it may have changed.
    const redeem = page.getByRole("dialog").getByRole("button", { name: "Redeem" });
    await interrupt(page, "Savings", ["savingsRedeem", "savingsAssets"], () => redeem.click());
    expect(await amount.inputValue()).toBe("0.5");
    await page.keyboard.press("Escape");
    await page.locator("[data-account=broker]").click();
    await page.getByRole("link", { name: "Broker" }).click();
    await page.getByRole("button", { name: "8800200001" }).click();
    await panel(page, "Sub-account 8800200001").getByRole("button", { name: "Withdraw" }).click();
    await amount.fill("12");
    await interrupt(page, "Sub-account", ["subAccountSpotAssets"]);
    expect(await amount.inputValue()).toBe("12");
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "the row of an order that ends", () => {
  browserTest("leaves the focus to the one in its place, of which no button is pressed", async ({ page }) => {
    for (const quantity of ["0.41", "0.42", "0.43"]) placeElsewhere("ETHUSDT", quantity, "1801");
    const desk = await openDesk(page, product.url, "positions");
    const writes = writesOf(page);
    const rows = panel(page, "Open orders").locator("tbody tr");
    const focused = page.locator(":focus");
    const second = rows.nth(1);
    await second.getByRole("button", { name: "Cancel" }).waitFor();
    const [gone, next] = [await second.innerText(), await rows.nth(2).innerText()];
    await second.getByRole("button", { name: "Cancel" }).press("Enter");
    await expect.poll(() => rows.allInnerTexts()).not.toContain(gone);
    await expect.poll(() => focused.evaluate(({ localName }) => localName)).toBe("tr");
    expect(await focused.innerText()).toBe(next);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    expect(await focused.evaluate((element) => element.closest("tr")?.innerText)).toBe(next);
    expect(writes).toHaveLength(1);
    // With the last one the list ends, by the dialog that has the focus.
    await panel(page, "Open orders").getByRole("button", { name: "Cancel all" }).press("Enter");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Cancel these \d+$/ })
      .press("Enter");
    await panel(page, "Open orders").getByText("No open orders").waitFor();
    await expect.poll(() => focused.getAttribute("data-panel")).toBe("Open orders");
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "a dialog", () => {
  browserTest("gives the focus back to the button that has opened it, however it is closed", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions", { account: "classic" });
    const open = rowOf(page, "Positions", "ETHUSDT").getByRole("button", { name: "Close" });
    const dialog = page.getByRole("dialog");
    for (const close of [() => page.keyboard.press("Escape"), () => dialog.getByRole("button", { name: "Keep it" }).click()]) {
      await open.press("Enter");
      await dialog.waitFor();
      await close();
      await dialog.waitFor({ state: "detached" });
      await expect.poll(() => open.evaluate((button) => button === document.activeElement)).toBe(true);
    }
    desk.verify();
  });

  browserTest("stays open, with what is typed, when the one before it gets its answer", async ({ page }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT", { account: "classic" });
    const ticket = panel(page, "Order");
    const dialog = page.getByRole("dialog");
    const release = await keepBack(page, "mutation SetLeverage");
    await ticket.getByRole("button", { name: /^\d+×/ }).click();
    await dialog.getByLabel("Leverage", { exact: true }).fill("7");
    await dialog.getByRole("button", { name: "Set leverage" }).click();
    await outcome(page, "Sending").waitFor();
    await page.keyboard.press("Escape");
    await ticket.getByTitle("Margin mode").click();
    await dialog.getByText("Isolated", { exact: true }).click();
    release();
    await outcome(page, "Accepted").waitFor();
    expect(await dialog.getByLabel("Isolated").isChecked()).toBe(true);
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "Positions", exact: true }).click();
    const closes = await keepBack(page, "mutation PlaceOrder");
    await rowOf(page, "Positions", "ETHUSDT").getByRole("button", { name: "Close" }).click();
    // A part of it: other tests need the rest.
    await dialog.getByLabel("Quantity").fill("0.1");
    await dialog.getByText("Limit", { exact: true }).click();
    await dialog.getByRole("button", { name: "Close position" }).click();
    await outcome(page, "Sending").waitFor();
    await page.keyboard.press("Escape");
    await rowOf(page, "Positions", "BTCUSDT").getByRole("button", { name: "Close" }).click();
    await dialog.getByLabel("Quantity").fill("0.001");
    closes();
    await outcome(page, /(Accepted|Rejected).*ETHUSDT/s).waitFor();
    expect(await dialog.getByLabel("Quantity").inputValue()).toBe("0.001");
    desk.verify();
  });

  browserTest("stays with its account: the palette does not open over it", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions", { account: "classic" });
    await rowOf(page, "Positions", "ETHUSDT").getByRole("button", { name: "Close" }).click();
    const quantity = page.getByRole("dialog", { name: "Close ETHUSDT short" }).getByLabel("Quantity");
    await quantity.press("Control+k");
    await quantity.fill("1");
    expect(await page.getByRole("dialog").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Go to" }).waitFor();
    desk.verify();
  });
});

describeUnless(LEFT_OUT, "the ticket", () => {
  browserTest("follows a position mode and a leverage that others change", async ({ page }) => {
    await page.clock.install();
    const desk = await openDesk(page, product.url, "trade/USDC_FUTURES/BTCPERP", { account: "broker" });
    const ticket = panel(page, "Order");
    await ticket.getByRole("button", { name: "Hedge" }).waitFor();
    await ticket.getByText("Close short").waitFor();
    const settings = { account: "broker", category: "USDC_FUTURES" };
    const query = `mutation ($mode: SetHoldModeInput!, $leverage: SetLeverageInput!) {
      setHoldMode(input: $mode) { outcome }
      setLeverage(input: $leverage) { outcome }
    }`;
    const mode = { ...settings, holdMode: "ONE_WAY_MODE" };
    const leverage = { ...settings, symbol: "BTCPERP", leverage: "7" };
    const answer = await (await post(product.url, { query, variables: { mode, leverage } })).json();
    expect(answer).toEqual({ data: { setHoldMode: { outcome: "ACCEPTED" }, setLeverage: { outcome: "ACCEPTED" } } });
    await page.clock.fastForward(16_000);
    await ticket.getByRole("button", { name: "One-way" }).waitFor();
    await ticket.getByRole("button", { name: "7×" }).waitFor();
    expect(await ticket.getByText("Close short").count()).toBe(0);
    desk.verify();
  });
});
