import { expect } from "vitest";
import { describeUnless } from "../../support/missing.js";
import { productTest } from "../support/productTest.js";
import { LEFT_OUT, lastPrice, limitPrice, manyMarkets, openDesk, outcome, panel } from "./support.js";

/**
 * Runs in the page: the event `hide` hides the tab while its next frame is waited for. A hidden tab draws no frame; Playwright's own
 * tabs are never hidden.
 */
function hideAtNextFrame(): void {
  const request = requestAnimationFrame.bind(globalThis);
  let state: "visible" | "hiding" | "hidden" = "visible";
  addEventListener("hide", () => {
    state = "hiding";
  });
  Object.defineProperty(document, "visibilityState", { get: () => (state === "hidden" ? "hidden" : "visible") });
  globalThis.requestAnimationFrame = (draw) => {
    if (state === "hiding") {
      state = "hidden";
      setTimeout(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    }
    return request((time) => state !== "hidden" && draw(time));
  };
}

/** The lines of the book that are broken, and those that lie below it. Runs in the page. */
function cutLines(book: Element): readonly string[] {
  const { bottom } = book.getBoundingClientRect();
  return [...book.querySelectorAll<HTMLElement>("p > *")]
    .map((part) => ({ part, box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.height > 20 || box.bottom > bottom + 1)
    .map(({ part }) => part.innerText);
}

/** What on the page is too small for a finger: less than 24 px wide or high. Runs in the page. */
function tooSmall(): readonly string[] {
  return [...document.querySelectorAll<HTMLElement>("button, a[href], select")]
    .map((target) => ({ target, box: target.getBoundingClientRect() }))
    .filter(({ target, box }) => target.checkVisibility() && box.width > 1 && Math.min(box.width, box.height) < 24)
    .map(({ target }) => target.ariaLabel ?? target.innerText);
}

const SCREENS = [
  [1440, 900],
  [1024, 768],
] as const;

describeUnless(LEFT_OUT, "the trade page", () => {
  for (const [width, height] of SCREENS)
    productTest(
      `has chart, book, ticket and the account's strip on the screen at ${width}×${height}`,
      async ({ page, product }) => {
        const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT", { width, height });
        await panel(page, "Positions").locator("tbody tr").first().waitFor();
        await page.locator("[data-side=bids]").first().waitFor();
        const bottomOf = async (part: string): Promise<number> => {
          const box = await page.locator(part).boundingBox();
          return box === null || box.y <= 0 ? Number.NaN : box.y + box.height;
        };
        for (const id of ["Chart", "Book", "Order", "Account"])
          await expect.poll(() => bottomOf(`[data-panel="${id}"]`), { message: id }).toBeLessThanOrEqual(height + 20);
        await expect.poll(() => bottomOf(`[data-panel="Order"] button[type=submit]`)).toBeLessThanOrEqual(height);
        desk.verify();
      },
    );

  productTest("shows one part at a time on a phone, under a bar of one line", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT", { width: 390, height: 844 });
    await page.locator("[data-panel=Chart] canvas").first().waitFor();
    await expect.poll(async () => (await page.locator("[data-environment]").boundingBox())?.height).toBeLessThanOrEqual(48);
    await panel(page, "Watch list").getByRole("link", { name: "BTCUSDT" }).waitFor();
    // The mark of the chart's library is its own, and a handle is level with its price.
    expect((await page.evaluate(tooSmall)).filter((name) => !/TradingView|Arrow keys move it/.test(name))).toEqual([]);
    await page.getByRole("tab", { name: "Order", exact: true }).click();
    await panel(page, "Order").getByRole("textbox", { name: "Quantity" }).waitFor();
    await page.locator("[data-panel=Chart] canvas").first().waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Book", exact: true }).click();
    await page.locator("[data-side=bids]").first().click();
    await expect.poll(() => panel(page, "Order").getByLabel("Price", { exact: true }).inputValue()).toMatch(/^\d/);
    desk.verify();
  });

  productTest(
    "takes a price from the book by touch, and nothing else of what comes below the finger",
    async ({ page, product }) => {
      const phone = await page.context().browser()?.newContext({ hasTouch: true, isMobile: true });
      if (phone === undefined) throw new Error("a page without a browser");
      const touched = await phone.newPage();
      const desk = await openDesk(touched, product.url, "trade/USDT_FUTURES/BTCUSDT", { width: 390, height: 844 });
      const order = panel(touched, "Order");
      const book = touched.getByRole("tab", { name: "Book" });
      // The farther asks have no room.
      for (const [side, places] of Object.entries({ asks: [-2, -5, -8], bids: [1, 3, 7] }))
        for (const place of places) {
          await book.tap();
          await touched.locator(`[data-side=${side}]`).nth(place).tap();
          await expect.poll(() => order.getByLabel("Price", { exact: true }).inputValue()).toMatch(/^\d+\.?\d*$/);
          // A choice below the finger would have changed by now.
          await order.getByRole("button", { name: /^Buy BTCUSDT/ }).waitFor();
          expect(await order.getByRole("textbox", { name: "Quantity" }).inputValue()).toBe("");
        }
      await book.tap();
      const cutPx = (levels: Element) => levels.scrollHeight - levels.clientHeight;
      expect(await touched.locator("div:has(> [data-side=bids])").evaluate(cutPx)).toBeLessThan(24);
      const { x = 0, y = 0 } = (await touched.locator("[data-side=bids]").nth(5).boundingBox()) ?? {};
      const finger = await phone.newCDPSession(touched);
      const touch = (type: "touchStart" | "touchMove" | "touchEnd", by?: number) =>
        finger.send("Input.dispatchTouchEvent", { type, touchPoints: by === undefined ? [] : [{ x: x + 40, y: y + 5 - by }] });
      await touch("touchStart", 0);
      for (let by = 20; by <= 200; by += 20) await touch("touchMove", by);
      await touch("touchEnd");
      await touched.waitForFunction(() => scrollY > 50);
      expect(await book.getAttribute("aria-selected")).toBe("true");
      desk.verify();
      await phone.close();
    },
  );

  productTest("moves through the account's strip by arrow keys: the focus stays on its tabs", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    const strip = page.locator('[data-panel="Account"]');
    await strip.getByRole("tab", { name: "Positions" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe("body");
    await strip.getByRole("tab", { name: "Positions" }).focus();
    for (const name of ["Open orders", "Trigger orders", "History", "Positions"]) {
      await page.keyboard.press("ArrowRight");
      await strip.getByRole("heading", { name, exact: true }).waitFor();
      await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText)).toBe(name);
    }
    desk.verify();
  });

  productTest("finds a market, keeps favourites, and watches them", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    const picker = page.getByRole("dialog", { name: "Markets" });
    await page.getByRole("button", { name: /^BTCUSDT/ }).click();
    await picker.getByRole("row").filter({ hasText: "XRPUSDT" }).getByRole("button", { name: "Favourite XRPUSDT" }).click();
    await picker.getByRole("combobox").fill("sol");
    await expect.poll(() => picker.locator("tbody tr").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.waitForURL(/USDT_FUTURES\/SOLUSDT$/);
    await picker.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Favourite SOLUSDT" }).click();
    const watched = panel(page, "Watch list").locator("tbody tr");
    await expect.poll(() => watched.count()).toBe(4);
    await page.reload();
    await expect.poll(() => watched.nth(2).innerText()).toMatch(/XRPUSDT.*\d/s);
    desk.verify();
  });

  productTest(
    "sorts a table by a column in both directions, and opens the first market that is shown",
    async ({ page, product }) => {
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
      await page.getByRole("button", { name: /^BTCUSDT/ }).click();
      const picker = page.getByRole("dialog", { name: "Markets" });
      const column = (nth: number) => picker.locator(`tbody td:nth-child(${nth})`).allInnerTexts();
      await picker.getByRole("row").nth(5).waitFor();
      const byTurnover = await column(2);
      const title = (name: string) => picker.getByRole("columnheader", { name, exact: true });
      const sort = (name: string) => title(name).getByRole("button").click();
      await title("Favourite").waitFor();
      await sort("Last");
      expect(await title("Last").getAttribute("aria-sort")).toBe("ascending");
      const prices = (await column(3)).map((text) => Number(text.replaceAll(/[^\d.]/g, "")));
      expect(prices).toEqual([...prices].sort((a, b) => a - b));
      await sort("Market");
      expect(await title("Last").getAttribute("aria-sort")).toBe("none");
      await sort("Market");
      expect(await title("Market").getAttribute("aria-sort")).toBe("descending");
      const names = await column(2);
      expect(names).toEqual([...names].sort((a, b) => b.localeCompare(a)));
      await picker.getByRole("combobox").press("Enter");
      await page.waitForURL((url) => decodeURI(url.hash).endsWith(`/${names[0]}`));
      await page.getByRole("button", { name: new RegExp(`^${names[0]}`) }).click();
      await picker.getByRole("row").nth(5).waitFor();
      for (let click = 0; click < 3; click += 1) await sort("Market");
      expect(await column(2)).toEqual(byTurnover);
      desk.verify();
    },
  );

  productTest("takes the Enter of an input method for the end of its word, and not for a choice", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    const search = page.getByRole("dialog").getByRole("combobox");
    for (const name of [/^BTCUSDT/, "Search and commands"]) {
      await page.getByRole("button", { name }).click();
      await search.fill("SOLUSDT");
      await page.getByRole("dialog").getByText("SOLUSDT").first().waitFor();
      await search.dispatchEvent("keydown", { key: "Enter", isComposing: true });
      expect(await search.inputValue()).toBe("SOLUSDT");
      await page.keyboard.press("Escape");
      await search.waitFor({ state: "detached" });
    }
    expect(page.url()).toMatch(/BTCUSDT$/);
    desk.verify();
  });

  productTest("lists hundreds of markets as few elements, and watches none of them", async ({ page, product }) => {
    const HUNDREDS = 800;
    const seen = await manyMarkets(page, HUNDREDS);
    let subscriptions = 0;
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => {
        if (payload.toString().includes('"type":"subscribe"')) subscriptions += 1;
      }),
    );
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    // The last part of the page has its data.
    await panel(page, "Funding").locator("canvas").first().waitFor();
    await lastPrice(page);
    const [before, elements] = [subscriptions, await page.locator("body *").count()];
    const started = performance.now();
    await page.getByRole("button", { name: /^BTCUSDT/ }).click();
    const picker = page.getByRole("dialog", { name: "Markets" });
    await picker.getByRole("button", { name: "M0USDT", exact: true }).waitFor();
    const openedMs = performance.now() - started;
    const rows = picker.locator("tbody tr");
    // Those that are visible, and some around them.
    await expect.poll(() => rows.count()).toBeLessThan(60);
    const added = (await page.locator("body *").count()) - elements;
    await picker.locator("div:has(> table)").evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
    await picker.getByRole("button", { name: `M${HUNDREDS - 1}USDT`, exact: true }).waitFor();
    await expect.poll(() => rows.count()).toBeLessThan(60);
    // Their figures are read again while the list is open, in one request.
    const reread = seen.answers;
    await expect.poll(() => seen.answers).toBeGreaterThan(reread);
    expect(subscriptions - before).toBe(0);
    process.stdout.write(`${HUNDREDS} markets: open after ${openedMs.toFixed(0)} ms, ${added} elements\n`);
    await picker.getByRole("combobox").fill(`m${HUNDREDS - 1}`);
    await expect.poll(() => rows.count()).toBe(1);
    desk.verify();
  });

  productTest("watches hundreds of favourites as few elements, in their order", async ({ page, product }) => {
    const HUNDREDS = 800;
    await manyMarkets(page, HUNDREDS);
    const favourites = Array.from({ length: HUNDREDS }, (_, at) => `USDT_FUTURES/M${(at + 7) % HUNDREDS}USDT`);
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT", { favourites });
    const watched = panel(page, "Watch list");
    const rows = watched.locator("tbody tr");
    await expect.poll(() => rows.first().innerText()).toMatch(/^M7USDT/);
    await expect.poll(() => rows.count()).toBeLessThan(60);
    await watched.locator("div:has(> table)").evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
    await rows.filter({ hasText: /^M6USDT/ }).waitFor();
    await expect.poll(() => rows.count()).toBeLessThan(60);
    desk.verify();
  });

  productTest("marks own orders in the book, which can be grouped by keyboard and shown as depth", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/ETHUSDT");
    const order = panel(page, "Order");
    const book = panel(page, "Book");
    const own = page.locator("[data-own]").first();
    const level = page.locator("[data-side=bids]").nth(3);
    await level.waitFor();
    const cutPx = (levels: Element) => levels.scrollHeight - levels.clientHeight;
    expect(await page.locator("div:has(> [data-side=bids])").evaluate(cutPx)).toBeLessThan(18);
    const buyAtLevel = async () => {
      // Some way below the best bid, where the order waits for a while.
      await book.getByLabel("Group by").selectOption({ index: 3 });
      await level.click();
      await limitPrice(page);
      await order.getByRole("textbox", { name: "Quantity" }).fill("0.21");
      await order.getByRole("button", { name: /^Buy 0\.21 ETHUSDT/ }).click();
      await outcome(page, "Accepted").first().waitFor();
      await book.getByLabel("Group by").selectOption({ index: 5 });
    };
    // The market may reach or leave a level before it is marked: then there is another order.
    const isMarked = async () => {
      if ((await own.count()) === 0) await buyAtLevel();
      return own.count();
    };
    await expect.poll(isMarked, { timeout: 90_000, interval: 3_000 }).toBe(1);
    await book.getByLabel("Group by").selectOption({ index: 0 });
    const group = () => book.getByLabel("Group by").inputValue();
    // The level that has the focus may leave the book before the key is pressed.
    await expect
      .poll(async () => {
        if ((await group()) === "1") await page.locator("[data-side=bids]").first().press("+");
        return group();
      })
      .toBe("2");
    await book.getByRole("button", { name: /^Total,/ }).click();
    await book.getByRole("button", { name: "Total, USDT" }).waitFor();
    await book.getByRole("button", { name: "Depth" }).click();
    await book.getByRole("img", { name: /^Depth of ETHUSDT: \d+ % of it are bids$/ }).waitFor();
    desk.verify();
  });

  for (const language of ["en", "de"] as const)
    productTest(`keeps the columns of the book apart, however many digits they have: ${language}`, async ({ page, product }) => {
      const desk = await openDesk(page, product.url, "trade", { language });
      const gapsPx = () =>
        page.locator("[data-side]").evaluateAll((levels) =>
          levels.flatMap((level) => {
            const texts = [...level.querySelectorAll("span:not(.hidden)")].map((part) => {
              const range = document.createRange();
              range.selectNodeContents(part);
              return range.getBoundingClientRect();
            });
            return texts.slice(1).map((text, at) => text.left - (texts[at]?.right ?? 0));
          }),
        );
      const totals = page.getByRole("button", { name: /^(?:Total|Summe)/ });
      for (const market of ["SPOT/SHIBUSDT", "SPOT/BTCUSDT", "USDT_FUTURES/BTCUSDT"]) {
        await page.evaluate((to) => {
          location.hash = to;
        }, `#/trade/${market}`);
        for (const [width, height] of SCREENS) {
          await page.setViewportSize({ width, height });
          await page.getByRole("heading", { name: market.split("/")[1] ?? "" }).waitFor({ state: "attached" });
          await page.locator("[data-side=bids]").nth(4).waitFor();
          const hasRoom = width > 1024 || market.startsWith("USDT_FUTURES");
          await expect.poll(() => totals.count(), { message: market }).toBe(hasRoom ? 1 : 0);
          await expect.poll(async () => Math.min(...(await gapsPx())), { message: market }).toBeGreaterThan(4);
          await expect.poll(() => page.locator("[data-panel=Book] fieldset").evaluate(cutLines), { message: market }).toEqual([]);
        }
      }
      desk.verify();
    });

  productTest(
    "sizes an order by its risk, marks its fill on the chart, reverses the position and closes all",
    async ({ page, product }) => {
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/XRPUSDT");
      const order = panel(page, "Order");
      await page.locator("[data-side=bids]").first().waitFor();
      await expect
        .poll(() => page.locator("[data-panel=Chart] p[aria-hidden=true]").innerText())
        .toMatch(/O\s*[\d.]+.*C\s*[\d.]+/s);
      await order.getByText("Market", { exact: true }).click();
      await order.getByText("Risk", { exact: true }).click();
      const last = Number(await lastPrice(page));
      await order.getByRole("textbox", { name: "Stop loss", exact: true }).fill((last * 0.9).toFixed(4));
      await order.getByRole("textbox", { name: "Equity lost at the stop loss" }).fill("0.01");
      await order.getByRole("button", { name: /^Buy [\d.\s]+ XRPUSDT at market/ }).click();
      await outcome(page, /Accepted.*XRPUSDT at market/s).waitFor();
      const strip = page.locator('[data-panel="Account"]');
      const row = strip.getByRole("row").filter({ hasText: "XRPUSDT" });
      await row.filter({ hasText: "Long" }).getByRole("button", { name: "Reverse" }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Sell [\d.\s]+ at market$/ })
        .click();
      await row.filter({ hasText: "Short" }).waitFor();
      // An order that is filled after the close, such as one of another journey, would open a position again.
      await strip.getByRole("tab", { name: "Open orders" }).click();
      await strip.getByRole("button", { name: "Cancel all" }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Cancel these \d+$/ })
        .click();
      await strip.getByText("No open orders").waitFor();
      await strip.getByRole("tab", { name: "Positions" }).click();
      await strip.getByRole("button", { name: "Close all" }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Close these \d+$/ })
        .click();
      await strip.getByText("No open positions").waitFor({ timeout: 60_000 });
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("change the grouping").waitFor();
      desk.verify();
    },
  );

  productTest("covers nothing in the head of a panel that is made narrow", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    await page.locator("[data-panel=Chart] canvas").first().waitFor();
    for (const title of ["Chart", "Market", "Positions"]) {
      await page.getByRole("button", { name: `Move or resize ${title}` }).focus();
      for (let step = 0; step < 15; step += 1) await page.keyboard.press("Shift+ArrowLeft");
    }
    await page.getByText("4 of 24 columns").waitFor({ state: "attached" });
    const covered = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("[data-panel] > header")].flatMap((head) =>
          ["h2 > button", "[data-source]", "[aria-label^='Move or resize']"]
            .filter((part) => {
              const element = head.querySelector(part);
              if (element === null || !element.checkVisibility()) return false;
              element.scrollIntoView({ block: "center" });
              const { x, y, width, height } = element.getBoundingClientRect();
              const at = document.elementFromPoint(x + width / 2, y + height / 2);
              return at === null || !(element.contains(at) || at.contains(element));
            })
            .map((part) => `${head.textContent}: ${part}`),
        ),
      );
    await expect.poll(covered).toEqual([]);
    desk.verify();
  });

  productTest("keeps layouts by name, and takes them to another browser as a file", async ({ page, product }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    const order = () => page.locator("[data-panel]").evaluateAll((panels) => panels.map((one) => one.getAttribute("data-panel")));
    for (const title of ["Book", "Watch list"]) await panel(page, title).waitFor();
    const plain = await order();
    await page.getByRole("button", { name: "Move or resize Book" }).focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(order).not.toEqual(plain);
    const moved = await order();
    const settings = page.getByRole("button", { name: "Settings" });
    await settings.click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByLabel("Name of the present layout").fill("Scalping");
    await dialog.getByRole("button", { name: "Save it by this name" }).click();
    await dialog.getByRole("button", { name: "Reset the layout of this page" }).click();
    await expect.poll(order).toEqual(plain);
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save all as a file" }).click();
    const file = await (await saved).path();
    await dialog.getByRole("button", { name: "Delete the layout Scalping" }).click();
    const reader = dialog.getByLabel("Read a file");
    await reader.setInputFiles({ name: "other.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await dialog.getByText("This file has no layouts of the desk.").waitFor();
    await reader.setInputFiles(file);
    await dialog.getByRole("button", { name: "Take the layout Scalping" }).click();
    await expect.poll(order).toEqual(moved);
    desk.verify();
  });

  productTest("has price and profit in the title of its tab, also in a tab that is hidden", async ({ page, product }) => {
    await page.addInitScript(hideAtNextFrame);
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
    await expect.poll(() => page.title()).toMatch(/^[\d\u202f]+\.\d BTCUSDT, [+−]?[\d\u202f]+\.\d\d$/);
    const shown = await page.evaluate(() => {
      dispatchEvent(new Event("hide"));
      return document.title;
    });
    await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe("hidden");
    await expect.poll(() => page.title()).not.toBe(shown);
    await page.getByRole("link", { name: "Journal" }).click();
    await expect.poll(() => page.title()).toBe("exchange-graph desk");
    desk.verify();
  });

  productTest(
    "reports fills, refusals and the distance to liquidation by a notification and a sound, once the user has asked for it",
    async ({ page, product }) => {
      // A headless browser shows no notifications, and plays nothing: what the page asks of it is recorded.
      await page.addInitScript(() => {
        const reported: string[] = [];
        Reflect.set(globalThis, "reported", reported);
        class Recorded {
          static readonly permission = "granted";
          static async requestPermission(): Promise<string> {
            return "granted";
          }
          constructor(title: string, { body }: { readonly body: string }) {
            reported.push(`${title}: ${body}`);
          }
        }
        Reflect.set(globalThis, "Notification", Recorded);
        OscillatorNode.prototype.start = () => void reported.push("a sound");
        OscillatorNode.prototype.stop = () => undefined;
      });
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/ETHUSDT");
      const reported = (): Promise<readonly string[]> => page.evaluate(() => Reflect.get(globalThis, "reported"));
      const order = panel(page, "Order");
      // Without a price, a market order is confirmed as a large one.
      await lastPrice(page);
      await order.getByText("Market", { exact: true }).click();
      const buy = async (qty: string, answer = "Accepted") => {
        await order.getByRole("textbox", { name: "Quantity" }).fill(qty);
        await order.getByRole("button", { name: `Buy ${qty} ETHUSDT at market` }).click();
        await outcome(page, new RegExp(`${answer}.*Buy ${qty} ETHUSDT at market`, "s")).waitFor();
      };
      await buy("0.11");
      expect(await reported()).toEqual([]);
      await page.getByRole("button", { name: "Settings" }).click();
      for (const label of ["By a browser notification", "By a sound"]) await page.getByLabel(label).click();
      await expect.poll(() => page.evaluate(() => localStorage.getItem("desk.notices"))).toContain('"notifications":true');
      await page.keyboard.press("Escape");
      // What is filled before the page watches fills, which it does from now on, is not reported.
      let cents = 12;
      const reportedFills = async () => {
        await buy(`0.${cents++}`);
        return (await reported()).join("\n");
      };
      await expect.poll(reportedFills, { interval: 1_000 }).toMatch(/Filled, main: Buy 0\.[\d]+ ETHUSDT @ [\d\s.]+/);
      await expect.poll(reported).toContain("a sound");
      // The step of quantities is 0.01.
      await buy("0.113", "Rejected");
      await expect.poll(async () => (await reported()).join("\n")).toMatch(/Rejected: Buy 0\.113 ETHUSDT at market\. /);

      // With this leverage a position is liquidated at less than 5 % from its price.
      await page.evaluate((path) => location.assign(path), "#/trade/USDT_FUTURES/DOGEUSDT");
      await page
        .locator("[data-account]")
        .filter({ hasText: /^classic/ })
        .click();
      const dialog = page.getByRole("dialog");
      await order.getByTitle("Margin mode").click();
      await dialog.getByText("Isolated", { exact: true }).click();
      await dialog.getByRole("button", { name: "Set margin mode" }).click();
      await order.getByRole("button", { name: "Isolated", exact: true }).waitFor();
      await order.getByTitle("Leverage").click();
      await dialog.getByLabel("Leverage").fill("50");
      await dialog.getByRole("button", { name: "Set leverage" }).click();
      await order.getByRole("button", { name: "50×" }).waitFor();
      await lastPrice(page);
      expect((await reported()).join("\n")).not.toContain("Close to liquidation");
      await order.getByText("Market", { exact: true }).click();
      await order.getByRole("textbox", { name: "Quantity" }).fill("130");
      await order.getByRole("button", { name: "Buy 130 DOGEUSDT at market" }).click();
      await expect.poll(reported).toContain("Close to liquidation, classic: DOGEUSDT long");
      // It stays close, and is reported once.
      const once = async () => (await reported()).filter((text) => text.startsWith("Close to liquidation")).length;
      await expect.poll(once).toBe(1);
      desk.verify();
    },
  );

  productTest(
    "is installable, and opens while the gateway is away, without any answer of the graph",
    async ({ page: without, product }) => {
      const profile = await without.context().browser()?.newContext();
      if (profile === undefined) throw new Error("a page without a browser");
      const page = await profile.newPage();
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/BTCUSDT");
      await page.locator("[data-side=bids]").first().waitFor();
      await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
      await page.reload();
      await page.locator("[data-side=bids]").first().waitFor();
      const kept = await page.evaluate(async () => {
        const cache = await caches.open("desk-shell-1");
        return (await cache.keys()).map(({ url }) => new URL(url).pathname);
      });
      expect(kept).toContain("/");
      for (const path of kept) expect(path).toMatch(/^\/$|^\/desk\/assets\//);
      // Requests of the graph do not wait for the worker.
      const sources = await page.evaluate(() => {
        const ofGraph = performance.getEntriesByType("resource").filter(({ name }) => new URL(name).pathname === "/graphql");
        return [...new Set(ofGraph.map((timing): unknown => Reflect.get(timing, "workerFinalSourceType")))];
      });
      expect(sources).toEqual(["network"]);
      // A full disk keeps nothing, and takes nothing away.
      const devtools = await profile.newCDPSession(page);
      const quota = { origin: product.url, quotaSize: 1 };
      await page.evaluate(() => caches.delete("desk-shell-1"));
      await devtools.send("Storage.overrideQuotaForOrigin", quota);
      await page.reload();
      await page.locator("[data-side=bids]").first().waitFor();
      expect(await page.evaluate(async () => (await (await caches.open("desk-shell-1")).keys()).length)).toBe(0);
      await devtools.send("Storage.overrideQuotaForOrigin", { origin: product.url });
      await page.reload();
      await page.locator("[data-side=bids]").first().waitFor();
      await profile.setOffline(true);
      await page.reload();
      await page.getByText("UNREACHABLE").or(page.getByText("Connecting to the gateway")).first().waitFor();
      await profile.setOffline(false);
      desk.verify(/ERR_INTERNET_DISCONNECTED|WebSocket/);
      await profile.close();
    },
  );
});
