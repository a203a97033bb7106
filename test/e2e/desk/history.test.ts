import { readFileSync, writeFileSync } from "node:fs";
import { DAY_MS } from "@exchange-graph/contract/clock";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { notedProgress } from "../../../src/datasources/history/backfill/progress.js";
import { historyPathOf } from "../../../src/datasources/history/index.js";
import { differing, type ReconciledDay, storedDay } from "../../../src/datasources/history/reconciliation/day.js";
import { SqliteStore } from "../../../src/datasources/history/sqlite/sqliteStore.js";
import { browserTest } from "../../support/chromium.js";
import { describeUnless } from "../../support/missing.js";
import { type Product, servingProduct } from "../product.js";
import { recordedPast } from "./recordedPast.js";
import { complaintsOf, findings, LEFT_OUT, openDesk, overSandbox, panel, picture, sharedTest } from "./support.js";

/** A gateway whose accounts `main` and `classic` have a recorded past. The user of a third one cannot be asked for. */
let sandbox: Sandbox;
let product: Product;
let store: SqliteStore;
/** Days that were compared with the exchange, two of them with what differs, and how far the past is rebuilt. */
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const equal = { checked: 9, reason: null };
const days = [0, 1, 2].map((ago) => ({
  ...{ at: today - ago * DAY_MS, checkedAt: today, balances: equal, fills: { ...equal, checked: 41 }, journal: equal },
  ...{ differences: [], count: 0 },
}));
const missing = { coin: "USDT", pool: "UNIFIED", expected: "120.5", found: "128" } as const;
const order = {
  symbol: "BTCUSDT",
  category: "SPOT",
  orderId: "1795751315216000001",
  expected: "0.07",
  found: "0.05",
} as const;
const lost = ["1", "2"].map((key) => differing("WRITE_UNSETTLED", { key: `${order.orderId}-${key}` }));
const differences = [differing("BALANCE_UNEXPLAINED", missing), differing("FILLS_INCOMPLETE", order), ...lost];
const unread = { checked: 0, reason: "UNREADABLE" } as const;
const shown = [
  days[0],
  { ...days[1], differences, count: differences.length },
  { ...days[2], fills: unread, journal: unread },
] as ReconciledDay[];
const rebuiltTo = (reached: number, status: "RUNNING" | "COMPLETE" = "RUNNING") =>
  store.write({
    notes: [
      notedProgress(MAIN_UID, {
        ...{ status, mode: "UNIFIED", from: today - 80 * DAY_MS, until: today, reached, isKeptFrom: true },
        ...{ purses: [], exposures: [] },
      }),
    ],
  });
beforeAll(async () => {
  if (LEFT_OUT !== undefined) return;
  sandbox = await startSandbox();
  const settings = overSandbox(sandbox);
  const path = settings.EXCHANGE_ACCOUNTS_FILE ?? "";
  const [main, classic, broker]: readonly object[] = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify([main, classic, { ...broker, name: "closed", passphrase: "that-of-a-closed-account" }]), {
    mode: 0o600,
  });
  const journal = recordedPast();
  store = new SqliteStore(historyPathOf(journal), "live");
  store.write({ points: shown.map((one) => storedDay(MAIN_UID, one)) });
  rebuiltTo(today - 20 * DAY_MS);
  // The past is rebuilt as the test says, and not by the product.
  product = await servingProduct({ ...settings, JOURNAL_PATH: journal, HISTORY_BACKFILL_DAYS: "0" });
});
afterAll(async () => {
  if (LEFT_OUT !== undefined) return;
  await product.stop();
  store.close();
  await sandbox.close();
});

const historyTest = sharedTest.extend<{ readonly address: string; readonly product: Product }>({
  address: [async ({ executablePath: _ }, use) => use("history/1M"), { scope: "file" }],
  product: [async ({ executablePath: _ }, use) => use(product), { scope: "file" }],
});

/** Goes to a part of the page without loading it again. */
async function show(page: Page, part: string): Promise<void> {
  if (!page.url().endsWith(`#/history/${part}`)) await page.goto(`${product.url}/#/history/${part}`);
  await isRead(page);
}

const chart = (page: Page) => page.getByRole("application");
const choose = (page: Page, group: string, text: string) =>
  page.getByRole("group", { name: group }).getByText(text, { exact: true }).click();

/** Each panel has its data. */
async function isRead(page: Page): Promise<void> {
  await chart(page).locator("canvas").first().waitFor();
  await page.locator("[role=gridcell][data-tone=up]").first().waitFor();
  await page.locator("[data-panel=Causes] dl").first().waitFor();
  await page.locator("[data-panel=Performance] tbody tr").first().waitFor();
}

/** How much of the chart's canvas has the colour of a gap, of 1. */
const shareOfGaps = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const swatch = document.querySelector("[data-line=gap]");
    const gap = swatch === null ? "" : getComputedStyle(swatch).backgroundColor;
    const rgb = (gap.match(/\d+/g) ?? []).slice(0, 3).map(Number);
    let [own, all] = [0, 0];
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>("[role=application] canvas")) {
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      for (let at = 0; at < pixels.length; at += 4) {
        all++;
        if (rgb.every((part, index) => pixels[at + index] === part) && pixels[at + 3] === 255) own++;
      }
    }
    return own / all;
  });

/** Whether nothing of an element's text is cut off. */
const isReadWhole = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => {
    const end = element.closest("table")?.parentElement?.getBoundingClientRect().right ?? 0;
    const isWithin = [...element.querySelectorAll("li")].every((line) => line.getBoundingClientRect().right <= end);
    return isWithin && (getComputedStyle(element).overflow === "visible" || element.scrollHeight <= element.clientHeight);
  });

describeUnless(LEFT_OUT, "the desk's history", () => {
  historyTest(
    "shows each compared day with what differs, and how far the past is rebuilt, while that goes on",
    async ({ desk }) => {
      const { page } = desk;
      await show(page, "1M");
      const compared = panel(page, "Days of main compared with the exchange");
      const cells = compared.locator("tbody tr");
      const bothDifferences =
        /balance unexplained USDT unified 120\.5 \/ 128fills incomplete BTCUSDT spot 1795751315216000001 0\.07 \/ 0\.05/i;
      await expect
        .poll(() => cells.allTextContents())
        .toEqual([expect.anything(), expect.stringMatching(bothDifferences), expect.stringMatching(/unreadable.*unreadable/i)]);
      const bar = page.getByRole("progressbar", { name: /The past is being rebuilt/ });
      const value = () => bar.evaluate((one) => (one as HTMLProgressElement).value);
      await expect.poll(value).toBe(0.25);
      await page.getByText(/The past is being rebuilt, back to .* so far: 25/).waitFor();
      expect(await findings(page)).toEqual([]);
      await expect.poll(() => complaintsOf(page)).toEqual([]);
      await compared.getByText("1 more").click();
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(() => complaintsOf(page)).toEqual([]);
        await expect.poll(() => isReadWhole(compared.locator("td").filter({ has: page.locator("ul") }))).toBe(true);
        await compared.scrollIntoViewIfNeeded();
        await picture(page, `history-compared-${width}`);
      }
      rebuiltTo(today - 60 * DAY_MS);
      await expect.poll(value).toBe(0.75);
      rebuiltTo(today - 80 * DAY_MS, "COMPLETE");
      await expect.poll(() => bar.count()).toBe(0);
      desk.verify();
    },
  );

  historyTest("draws equity, drawdown, flows and gaps of an account, and reads them out by the keyboard", async ({ desk }) => {
    const { page } = desk;
    await show(page, "1M");
    const key = page.locator("[data-panel=Worth]");
    await key.getByText("reconstructed from records and past prices").waitFor();
    await key.getByText(/no sample for 3\d h: the gateway was not running/).waitFor();
    await key.getByText("↑ ↓ deposits, withdrawals and transfers, in USDT").waitFor();
    const words = page.locator("[data-panel=Worth] p[aria-live=polite]");
    await chart(page).focus();
    await page.keyboard.press("Home");
    await expect.poll(() => words.textContent()).toMatch(/: Equity, USDT [\d\s.]+, Drawdown .* reconstructed/);
    await page.keyboard.press("End");
    await expect.poll(() => words.textContent()).toMatch(/: Equity, USDT [\d\s.]+, Drawdown/);
    expect(await findings(page)).toEqual([]);
    await panel(page, "Days of main compared with the exchange")
      .getByText(/^No day of this range was compared yet|^Day \(UTC\)/)
      .waitFor();
    await expect.poll(() => complaintsOf(page)).toEqual([]);
    await picture(page, "history-recorded");
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => complaintsOf(page)).toEqual([]);
    desk.verify();
  });

  historyTest("names what a sum of all accounts lacks, and compares them", async ({ desk }) => {
    const { page } = desk;
    await show(page, "1M/all");
    for (const title of [
      "Equity of all accounts",
      "Calendar of all accounts",
      "Why equity changed",
      "Performance of all accounts",
    ])
      await panel(page, title).getByText("without closed").waitFor();
    const rows = panel(page, "Performance of all accounts").locator("tbody td:first-child");
    await expect.poll(() => rows.allTextContents()).toEqual(["main", "classic", "All together"]);
    await choose(page, "Accounts", "Compared");
    const legend = panel(page, "Accounts compared").locator("p[aria-hidden=true]");
    await expect.poll(() => legend.textContent()).toMatch(/main 1?\d\d\.\d\d.*classic \d+\.\d\d/);
    await choose(page, "Compared by", "USDT");
    await expect.poll(() => legend.textContent()).toMatch(/main [\d\s]+\.\d\d.*classic [\d\s]+\.\d\d/);
    desk.verify();
  });

  historyTest("says of each figure that is not known why, and of each day what it was, by the keyboard too", async ({ desk }) => {
    const { page } = desk;
    await show(page, "1D");
    const performance = panel(page, "Performance of main");
    const scrolls = () =>
      performance.getByRole("table").evaluate((table) => table.scrollWidth > (table.parentElement?.clientWidth ?? 0));
    const heads = () => performance.getByRole("columnheader").allInnerTexts();
    expect([await scrolls(), (await heads()).includes("Volatility")]).toEqual([false, false]);
    await performance.getByRole("button", { name: "Columns of Performance of main" }).click();
    const chooser = page.getByRole("dialog", { name: "Columns of Performance of main" });
    const [volatility, flows] = [chooser.getByLabel("Volatility"), chooser.getByLabel("Flows")];
    await volatility.click();
    await flows.click();
    await expect.poll(async () => [await volatility.isChecked(), await flows.isChecked()]).toEqual([true, false]);
    expect(await findings(page, "dialog")).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(heads).toContain("Volatility");
    await page.reload();
    await isRead(page);
    await expect.poll(heads).toContain("Volatility");
    expect(await heads()).not.toContain("Flows");
    await performance.getByText("– Volatility, Sharpe, Sortino, Calmar: the range has less than five days").waitFor();
    await choose(page, "Rows by", "Markets");
    await performance.getByRole("cell", { name: "BTCUSDT", exact: true }).waitFor();
    await performance.getByText("Equity, return and risk belong to an account as a whole").waitFor();
    await performance.getByText("What the figures are").click();
    await performance.getByText("share of closings with a profit").waitFor();
    const calendar = panel(page, "Calendar of main");
    await calendar.getByRole("button", { name: "Month before" }).click();
    const day = calendar.locator("[role=gridcell][tabindex='0']");
    await day.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => calendar.locator("p[aria-hidden=true]").textContent()).toMatch(/^\d\d-01: /);
    await page.keyboard.press("ArrowRight");
    await expect
      .poll(() => day.locator("> span:last-child").textContent())
      .toMatch(/^\d\d-02: (?:profit [+−][\d\s.]+ USDT, return|no sample)/);
    desk.verify();
  });

  historyTest("shows the curve as a table, with the reason of each gap, and own ranges by their address", async ({ desk }) => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const { page } = desk;
    await show(page, "1D");
    await page.getByRole("button", { name: "Chart as table" }).click();
    const table = page.getByRole("table", { name: "Equity of main" });
    await table.getByRole("button", { name: "Source" }).click();
    await table.getByText("No sample: the account's streams were interrupted").first().waitFor();
    await choose(page, "Range", "Own range");
    await page.getByLabel("From", { exact: true }).fill(yesterday);
    await page.getByLabel("Until", { exact: true }).fill(yesterday);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await expect.poll(() => page.url()).toContain(`#/history/${yesterday}..${yesterday}/one`);
    await table.waitFor();
    desk.verify();
  });

  browserTest("fits a phone, light, in German, without a finding of axe", async ({ page }) => {
    const desk = await openDesk(page, product.url, "history/1M/all", { theme: "light", width: 390, height: 844, language: "de" });
    await isRead(page);
    await page.getByRole("heading", { name: "Eigenkapital aller Konten" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await findings(page)).toEqual([]);
    await picture(page, "history-german-phone");
    desk.verify();
  });

  for (const width of [1440, 1024, 390])
    browserTest(`has the system's colours where they are forced, ${width} wide, without a finding of axe`, async ({ page }) => {
      await page.emulateMedia({ forcedColors: "active" });
      const desk = await openDesk(page, product.url, "history/1M", { width });
      await isRead(page);
      await expect.poll(() => shareOfGaps(page)).toBeGreaterThan(0);
      expect(await shareOfGaps(page)).toBeLessThan(0.005);
      await picture(page, `history-forced-${width}`);
      expect(await findings(page, "main")).toEqual([]);
      await expect.poll(() => complaintsOf(page)).toEqual([]);
      // The canvas is read for the test.
      desk.verify(/willReadFrequently/);
    });
});
