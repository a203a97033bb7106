import { multiplyDecimals } from "@exchange-graph/client";
import { expect } from "vitest";
import { describeUnless } from "../../support/missing.js";
import { productTest } from "../support/productTest.js";
import { LEFT_OUT, lastPrice, openDesk, outcome, panel, writesOf } from "./support.js";

describeUnless(LEFT_OUT, "the ticket", () => {
  productTest("takes exits in percent and as a multiple of the risk, and shows where they are", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT");
    const order = panel(page, "Order");
    await lastPrice(page);
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

  productTest(
    "reads a number in the form that it is pasted in, and sends no order without an exit it cannot read",
    async ({ page, product }) => {
      const inputs = writesOf(page);
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
      const order = panel(page, "Order");
      await lastPrice(page);
      await order.getByLabel("Price", { exact: true }).fill("20,000.5");
      await order.getByRole("textbox", { name: "Quantity" }).fill(".017 BTC");
      const stop = order.getByRole("textbox", { name: "Stop loss", exact: true });
      const button = order.getByRole("button", { name: "Buy 0.017 BTCUSDT @ 20 000.5" });
      for (const [text, complaint] of [
        ["15,000", /^15000 or 15\.000\?$/],
        ["15e3", /^Not a number such as 1234\.5$/],
        ["0", /no price above zero/],
      ] as const) {
        await stop.fill(text);
        await order.getByText(complaint).waitFor();
        expect(await stop.getAttribute("aria-invalid")).toBe("true");
        expect(await button.isDisabled()).toBe(true);
      }
      // Nothing keeps this one from being sent: the price may move.
      await stop.fill("21000");
      await order.getByText("It must be below 20 000.5").waitFor();
      expect(await button.isEnabled()).toBe(true);
      await order.getByLabel("Reduce only").check();
      await order.getByText("It must be below").waitFor({ state: "detached" });
      await order.getByLabel("Reduce only").uncheck();
      // As the desk writes it.
      await stop.fill("15\u202f000.5");
      await button.click();
      await outcome(page, /Accepted.*Buy 0\.017 BTCUSDT/s).waitFor();
      expect(inputs).toMatchObject([{ price: "20000.5", qty: "0.017", stopLoss: { triggerPrice: "15000.5" } }]);
      desk.verify();
    },
  );

  productTest("places strategy orders after a question, lists what they do, and cancels them", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT");
    const order = panel(page, "Order");
    await order.getByText("Strategy", { exact: true }).click();
    const isEstimated = () =>
      expect
        .poll(() => order.locator("[data-aged=false]").innerText())
        .toMatch(/Fee at most.*\n*\s*[\d.]+ USDT\s+Margin.*\s+[\d\s.]+ USDT\s+Available\s+[\d\s.]+ USDT/);
    const place = async (kind: string, qty: string, fields: Readonly<Record<string, string>>, words: string) => {
      await order.getByLabel("Kind of strategy").selectOption(kind);
      for (const [label, text] of Object.entries(fields)) await order.getByLabel(label, { exact: true }).fill(text);
      await order.getByRole("textbox", { name: "Quantity" }).fill(qty);
      await isEstimated();
      await order.getByRole("button", { name: `Buy ${qty} SOLUSDT` }).click();
      await order.getByRole("alert").getByText("carries this out by itself").waitFor();
      await order.getByRole("button", { name: `Yes, Buy ${qty} SOLUSDT` }).click();
      await outcome(page, new RegExp(`Accepted.*${words}`, "s")).waitFor({ timeout: 45_000 });
    };
    await place("oco", "13.7", { "Limit price": "50", "Trigger price of the other order": "900" }, "OCO");
    await place("twap", "13.7", { Duration: "5" }, "TWAP");
    await page.getByRole("tab", { name: "Trigger orders" }).click();
    const row = panel(page, "Trigger orders").getByRole("row").filter({ hasText: "13.7" });
    await row.filter({ hasText: /OCO 50\.0+ \| 900\.0+/ }).waitFor();
    await row.filter({ hasText: "TWAP 5 min, every 5 s" }).getByRole("button", { name: "Cancel" }).click();
    await row.filter({ hasText: "TWAP" }).waitFor({ state: "detached" });

    await order.getByLabel("Kind of strategy").selectOption("scale");
    await order.getByLabel("Start price", { exact: true }).fill("60");
    await order.getByLabel("End price", { exact: true }).fill("56");
    await order.getByLabel("Number of orders").fill("3");
    await order.getByLabel("Distribution").selectOption("rising");
    await order.getByRole("textbox", { name: "Quantity" }).fill("6");
    await order.getByText(/^1 @ 60\.0+$/).waitFor();
    await order.getByText(/^3 @ 56\.0+$/).waitFor();
    await isEstimated();
    await order.getByRole("button", { name: /^Buy 6 SOLUSDT, Scale/ }).click();
    await order.getByRole("button", { name: /^Yes, Buy 6 SOLUSDT, Scale/ }).click();
    await outcome(page, /Accepted.*Scale/s).waitFor();
    await page.getByRole("tab", { name: "Open orders" }).click();
    const open = panel(page, "Open orders").getByRole("row").filter({ hasText: "SOLUSDT" });
    for (const price of [/^60\.0+$/, /^58\.0+$/, /^56\.0+$/]) await open.getByRole("cell", { name: price }).waitFor();

    // What has no meaning beside the other fields is not there to be typed.
    await order.getByLabel("Kind of strategy").selectOption("iceberg");
    const [at, worst] = [order.getByLabel("Distance or price"), order.getByLabel("Worst price (default: any)")];
    await worst.waitFor();
    expect(await at.count()).toBe(0);
    await order.getByLabel("Price of the parts").selectOption("fixed");
    await at.waitFor();
    expect(await worst.count()).toBe(0);

    // The gateway's dry run names the field that is wrong.
    await order.getByLabel("Kind of strategy").selectOption("trailingStop");
    await order.getByLabel("Distance from the best price").fill("25");
    await order.getByRole("textbox", { name: "Quantity" }).fill("1.3");
    await order.getByText("must be from 0.001 to 0.1").waitFor();
    desk.verify();
  });

  productTest("shows that a strategy only reduces a position, as it was chosen for another order", async ({ page, product }) => {
    const inputs = writesOf(page);
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT");
    const order = panel(page, "Order");
    const reduceOnly = order.getByLabel("Reduce only");
    await reduceOnly.check();
    await order.getByText("Strategy", { exact: true }).click();
    await order.getByLabel("Trigger price", { exact: true }).fill("900");
    await order.getByRole("textbox", { name: "Quantity" }).fill("1.7");
    expect(await reduceOnly.isChecked()).toBe(true);
    await reduceOnly.uncheck();
    await order.getByRole("button", { name: "Buy 1.7 SOLUSDT, Trigger order" }).click();
    await order.getByRole("button", { name: "Yes, Buy 1.7 SOLUSDT, Trigger order" }).click();
    await outcome(page, /Accepted.*Buy 1\.7 SOLUSDT/s).waitFor();
    expect(inputs).toMatchObject([{ qty: "1.7" }]);
    expect(inputs[0]).not.toHaveProperty("reduceOnly");
    await order.getByLabel("Kind of strategy").selectOption("tpsl");
    expect(await reduceOnly.count()).toBe(0);
    desk.verify();
  });

  productTest(
    "places what a Classic account has of strategies, in hedge mode too, where each names the position it opens or closes",
    { timeout: 120_000 },
    async ({ page, product }) => {
      const inputs = writesOf(page);
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT", { account: "broker" });
      const order = panel(page, "Order");
      await order.getByRole("button", { name: "Hedge" }).waitFor();
      // Without a price, a market order is confirmed as a large one.
      await page.locator("[data-last-price] dd", { hasText: /\d/ }).waitFor();
      // Both positions of one market.
      await order.getByText("Market", { exact: true }).click();
      for (const side of ["Buy", "Sell"]) {
        await order.getByText(side, { exact: true }).click();
        await order.getByRole("textbox", { name: "Quantity" }).fill("2");
        await order.getByRole("button", { name: `${side} 2 SOLUSDT at market` }).click();
        await outcome(page, new RegExp(`Accepted.*${side} 2 SOLUSDT at market`, "s")).waitFor();
      }
      expect(inputs.slice(-2)).toMatchObject([{ posSide: "LONG" }, { posSide: "SHORT" }]);

      await order.getByText("Strategy", { exact: true }).click();
      const kind = order.getByLabel("Kind of strategy");
      await kind.waitFor();
      const kinds = await kind.locator("option").evaluateAll((options) => options.map((one) => Reflect.get(one, "value")));
      expect(kinds).toEqual(["trigger", "trailingStop", "tpsl", "scale"]);
      const place = async (value: string, fields: Readonly<Record<string, string>>, words: string) => {
        await kind.selectOption(value);
        for (const [label, text] of Object.entries(fields))
          await order.getByRole("textbox", { name: label, exact: true }).fill(text);
        await order.getByRole("button", { name: words, exact: true }).click();
        await order.getByRole("button", { name: `Yes, ${words}`, exact: true }).click();
        await outcome(page, new RegExp(`Accepted.*${words}`, "s")).waitFor({ timeout: 45_000 });
        return inputs.at(-1);
      };
      const last = await lastPrice(page);
      const far = (percent: string) => multiplyDecimals(last, percent).replace(/(\.\d\d).*/, "$1");
      const [below, above] = [far("0.8"), far("1.2")];
      const sized = { Quantity: "1.4" };
      await order.getByText("Buy", { exact: true }).click();
      expect(await place("trigger", { "Trigger price": below, ...sized }, "Buy 1.4 SOLUSDT, Trigger order")).toMatchObject({
        side: "BUY",
        posSide: "LONG",
      });
      await order.getByText("Close short", { exact: true }).click();
      const trailing = { "Distance from the best price": "3", "Activation price": below, ...sized };
      expect(await place("trailingStop", trailing, "Buy 1.4 SOLUSDT, Trailing stop")).toMatchObject({
        side: "BUY",
        posSide: "SHORT",
        terms: { trailingStop: { distance: { rate: "0.03" }, activationPrice: below } },
      });
      await order.getByText("Open long", { exact: true }).click();
      const scale = { "Start price": below, "End price": far("0.79"), "Number of orders": "2", ...sized };
      expect(await place("scale", scale, "Buy 1.4 SOLUSDT, Scale")).toMatchObject({
        orders: [{ posSide: "LONG" }, { posSide: "LONG" }],
      });
      // An exit closes the position that its button names, whatever an order would have done.
      await kind.selectOption("tpsl");
      await order.getByText("Open long").waitFor({ state: "detached" });
      expect(await place("tpsl", { "Stop loss": above }, "Exits of SOLUSDT short")).toMatchObject({ posSide: "SHORT" });
      await order.getByText("Sell", { exact: true }).click();
      expect(await place("tpsl", { "Take profit": above, "Stop loss": "" }, "Exits of SOLUSDT long")).toMatchObject({
        posSide: "LONG",
      });
      // A Classic account has one exit for each order, which is said at the field.
      await order.getByLabel("Take profit", { exact: true }).fill(above);
      await order.getByLabel("Stop loss", { exact: true }).fill(below);
      await expect
        .poll(() => order.getByLabel("Stop loss", { exact: true }).getAttribute("aria-invalid"), { timeout: 15_000 })
        .toBe("true");
      desk.verify();
    },
  );

  productTest("shows the refusal of a strategy until it is edited, its size too", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT");
    const message = "the balance does not suffice";
    await page.route("**/graphql", (route) => {
      const { query, variables } = route.request().postDataJSON();
      if (!query.includes("mutation PlacePlan") || variables.input.dryRun === true) return route.fallback();
      const userErrors = [{ code: "INSUFFICIENT_BALANCE", message, field: null, isRetryable: false }];
      return route.fulfill({
        json: { data: { placePlanOrder: { outcome: "REJECTED", userErrors, orderId: null, estimate: null } } },
      });
    });
    const order = panel(page, "Order");
    await order.getByText("Strategy", { exact: true }).click();
    await order.getByLabel("Kind of strategy").selectOption("twap");
    await order.getByLabel("Duration", { exact: true }).fill("5");
    await order.getByRole("textbox", { name: "Quantity" }).fill("13.7");
    await order.getByRole("button", { name: "Buy 13.7 SOLUSDT" }).click();
    await order.getByRole("button", { name: "Yes, Buy 13.7 SOLUSDT" }).click();
    await order.getByText(message).waitFor();
    await order.getByRole("textbox", { name: "Quantity" }).fill("3.7");
    await order.getByText(message).waitFor({ state: "detached" });
    desk.verify();
  });

  productTest("shows the refusal of a setting until it is edited", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    await panel(page, "Order").getByRole("button", { name: "20×" }).click();
    const leverage = page.getByRole("dialog").getByLabel("Leverage", { exact: true });
    const isWrong = () => leverage.getAttribute("aria-invalid");
    await leverage.fill("9999");
    await page.getByRole("button", { name: "Set leverage" }).click();
    await expect.poll(isWrong).toBe("true");
    await leverage.fill("30");
    await expect.poll(isWrong).toBe("false");
    desk.verify();
  });

  for (const { kind, field, error } of [
    { kind: "Limit", field: "Price", error: "price must be a multiple of 0.1" },
    { kind: "Strategy", field: "Trigger price", error: "terms.trigger.triggerPrice must be a multiple of 0.1" },
  ])
    productTest(`moves nothing under the pointer on its button for an error at a field: ${kind}`, async ({ page, product }) => {
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
      const order = panel(page, "Order");
      await order.getByText(kind, { exact: true }).click();
      const price = order.getByRole("textbox", { name: field, exact: true });
      const button = order.getByRole("button", { name: /^Buy 0\.01 BTCUSDT/ });
      const shown = order.getByRole("alert").filter({ hasText: error });
      const top = async () => (await button.boundingBox())?.y;
      await order.getByRole("textbox", { name: "Quantity" }).fill("0.01");
      await price.fill("50000");
      await order.getByText("500.00 USDT").waitFor();
      let answer = (): void => undefined;
      const isAnswered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route("**/graphql", async (route) => {
        if ((route.request().postData() ?? "").includes("50000.123")) await isAnswered;
        await route.fallback();
      });
      await price.fill("50000.123");
      await button.hover();
      const before = await top();
      answer();
      await shown.waitFor();
      expect(await top()).toBe(before);
      await page.mouse.move(5, 5);
      await expect.poll(() => price.getAttribute("aria-invalid")).toBe("true");
      expect(await shown.count()).toBe(0);
      desk.verify();
    });

  productTest("keeps the focus of whoever sends by the keyboard, as does a dialog", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT");
    const focused = page.locator(":focus");
    const order = panel(page, "Order");
    await order.getByLabel("Price", { exact: true }).fill("50");
    await order.getByRole("textbox", { name: "Quantity" }).fill("1.3");
    await page.keyboard.press("Tab");
    await order.getByRole("button", { name: /^Buy 1\.3 SOLUSDT/ }).focus();
    await page.keyboard.press("Enter");
    await outcome(page, /Accepted.*Buy 1\.3 SOLUSDT/s).waitFor();
    expect(await focused.getAttribute("id")).toBe("ticket-size");
    const row = panel(page, "Positions").getByRole("row").filter({ hasText: "SOLUSDT" });
    await row.getByRole("button", { name: "TP/SL" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Trigger price").fill("1");
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Place it" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("the exchange refused").waitFor();
    expect(await focused.innerText()).toBe("Place it");
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
      expect(page.url()).toContain("#/trade/");
      await page.keyboard.press("?");
      const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      const buyKey = sheet.getByRole("button", { name: "Change the key of On Trade: buy" });
      await buyKey.click();
      await buyKey.getByText("press a key").waitFor();
      await page.keyboard.press("s");
      await sheet.getByText("has another meaning").waitFor();
      await page.keyboard.press("k");
      await buyKey.getByText("k", { exact: true }).waitFor();
      await sheet.getByLabel(/^Keys that lead to an order/).click();
      await sheet.getByText("Shift+Enter").waitFor();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
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
      const inputs = writesOf(page);
      let answer = (): void => undefined;
      const isAnswered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route("**/graphql", async (route) => {
        if (/mutation PlaceOrder/.test(route.request().postData() ?? "") && inputs.length > 0) await isAnswered;
        await route.fallback();
      });
      // Held down, and pressed again, while the order is on its way.
      await page.keyboard.down("Shift");
      for (let at = 0; at < 4; at += 1) await page.keyboard.down("Enter");
      await page.keyboard.up("Enter");
      await page.keyboard.press("Enter");
      await page.keyboard.up("Shift");
      answer();
      await outcome(page, /Accepted.*Buy 0\.0021 BTCUSDT @ 50/s).waitFor();
      expect(inputs).toHaveLength(1);
      desk.verify();
    },
  );

  // The last one: it closes what the account has.
  productTest(
    "opens and closes both positions of a market in hedge mode of a unified account, with exits, reversal and strategies",
    { timeout: 180_000 },
    async ({ page, product }) => {
      const inputs = writesOf(page);
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/SOLUSDT");
      const order = panel(page, "Order");
      const strip = page.locator('[data-panel="Account"]');
      const dialog = page.getByRole("dialog");
      // The exchange changes the mode only while the account has neither positions nor orders.
      await strip.locator("tbody tr").first().waitFor();
      await strip.getByRole("button", { name: "Close all" }).click();
      await dialog.getByRole("button", { name: /^Close these \d+$/ }).click();
      await strip.getByText("No open positions").waitFor({ timeout: 60_000 });
      await page.getByRole("tab", { name: "Open orders" }).click();
      const cancelAll = strip.getByRole("button", { name: "Cancel all" });
      await strip.getByText("No open orders").or(strip.locator("tbody tr").first()).waitFor();
      if (await cancelAll.isEnabled()) {
        await cancelAll.click();
        await dialog.getByRole("button", { name: /^Cancel these \d+$/ }).click();
      }
      await strip.getByText("No open orders").waitFor({ timeout: 60_000 });
      await page.getByRole("tab", { name: "Trigger orders" }).click();
      const trigger = strip.getByRole("row").getByRole("button", { name: "Cancel" });
      await strip.getByText("No trigger orders").or(trigger.first()).first().waitFor();
      for (let left = await trigger.count(); left > 0; left -= 1) {
        await trigger.first().click();
        await expect.poll(() => trigger.count()).toBeLessThan(left);
      }
      // The exchange has no call for the margin mode of a unified account.
      await expect.poll(() => order.getByTitle(/^Margin mode/).isDisabled()).toBe(true);
      await order.getByTitle("Position mode").click();
      await dialog.getByText("Hedge", { exact: true }).click();
      await dialog.getByRole("button", { name: "Set position mode" }).click();
      await order.getByRole("button", { name: "Hedge", exact: true }).waitFor();

      await lastPrice(page);
      await order.getByText("Market", { exact: true }).click();
      const trade = async (side: "Buy" | "Sell", effect: string, qty: string) => {
        await order.getByText(side, { exact: true }).click();
        await order.getByText(effect, { exact: true }).click();
        await order.getByRole("textbox", { name: "Quantity" }).fill(qty);
        await order.getByRole("button", { name: `${side} ${qty} SOLUSDT at market` }).click();
        await outcome(page, new RegExp(`Accepted.*${side} ${qty} SOLUSDT at market`, "s")).waitFor();
        return inputs.at(-1);
      };
      expect(await trade("Buy", "Open long", "2.1")).toMatchObject({ side: "BUY", posSide: "LONG" });
      expect(await trade("Sell", "Open short", "2.3")).toMatchObject({ side: "SELL", posSide: "SHORT" });
      expect(await trade("Sell", "Close long", "0.6")).toMatchObject({ side: "SELL", posSide: "LONG" });
      expect(await trade("Buy", "Close short", "0.7")).toMatchObject({ side: "BUY", posSide: "SHORT" });
      await page.getByRole("tab", { name: "Positions" }).click();
      const row = (side: "Long" | "Short") => strip.getByRole("row").filter({ hasText: "SOLUSDT" }).filter({ hasText: side });
      await row("Long").getByRole("cell", { name: "1.5 SOL", exact: true }).waitFor();
      await row("Short").getByRole("cell", { name: "1.6 SOL", exact: true }).waitFor();
      // One order cannot close the one position and open the other.
      expect(await strip.getByRole("button", { name: "Reverse" }).count()).toBe(0);

      const last = await lastPrice(page);
      const far = (percent: string) => multiplyDecimals(last, percent).replace(/(\.\d\d).*/, "$1");
      const [below, above] = [far("0.8"), far("1.2")];
      for (const [side, price] of [
        ["Long", above],
        ["Short", below],
      ] as const) {
        await row(side).getByRole("button", { name: "TP/SL" }).click();
        await dialog.getByLabel("Trigger price").fill(price);
        await dialog.getByRole("button", { name: "Place it" }).click();
        await outcome(page, new RegExp(`Accepted.*Take profit SOLUSDT at ${price}`, "s")).waitFor();
        expect(inputs.at(-1)).toMatchObject({ posSide: side.toUpperCase(), triggerPrice: price });
      }

      await order.getByText("Strategy", { exact: true }).click();
      const kind = order.getByLabel("Kind of strategy");
      const place = async (value: string, fields: Readonly<Record<string, string>>, words: string) => {
        await kind.selectOption(value);
        for (const [label, text] of Object.entries(fields))
          await order.getByRole("textbox", { name: label, exact: true }).fill(text);
        await order.getByRole("button", { name: words, exact: true }).click();
        await order.getByRole("button", { name: `Yes, ${words}`, exact: true }).click();
        await outcome(page, new RegExp(`Accepted.*${words.replaceAll(/[()]/g, ".")}`, "s")).waitFor({ timeout: 45_000 });
        return inputs.at(-1);
      };
      await order.getByText("Buy", { exact: true }).click();
      await order.getByText("Open long", { exact: true }).click();
      const sized = { Quantity: "1.4" };
      const long = { side: "BUY", posSide: "LONG" };
      expect(await place("trigger", { "Trigger price": below, ...sized }, "Buy 1.4 SOLUSDT, Trigger order")).toMatchObject(long);
      expect(
        await place("oco", { "Limit price": below, "Trigger price of the other order": above, ...sized }, "Buy 1.4 SOLUSDT, OCO"),
      ).toMatchObject(long);
      await order.getByText("Close short", { exact: true }).click();
      expect(
        await place("trailingStop", { "Distance from the best price": "3", ...sized }, "Buy 1.4 SOLUSDT, Trailing stop"),
      ).toMatchObject({ side: "BUY", posSide: "SHORT" });

      for (const [side, qty] of [
        ["Long", "1.5"],
        ["Short", "1.6"],
      ] as const) {
        await row(side).getByRole("button", { name: "Close", exact: true }).click();
        await dialog.getByRole("button", { name: "Close position" }).click();
        await outcome(page, new RegExp(`Accepted.*Close ${qty} SOLUSDT ${side.toLowerCase()}`, "s")).waitFor();
        await row(side).waitFor({ state: "detached" });
      }
      // The last one: it buys.
      await order.getByText("Open long", { exact: true }).click();
      expect(await place("twap", { Duration: "5", Quantity: "13.7" }, "Buy 13.7 SOLUSDT, TWAP")).toMatchObject(long);
      desk.verify();
    },
  );
});
