import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { NO_CHROMIUM } from "../../support/chromium.js";
import { productTest } from "../support/productTest.js";

/** A page of the desk, with the browser's errors and the contacted servers. */
export interface Watched {
  readonly page: Page;
  /** Fails if the browser reported an error that is not allowed here, or another server was contacted. */
  verify(allowed?: RegExp): void;
}

interface Opened {
  readonly theme?: "dark" | "light";
  readonly account?: string;
  readonly width?: number;
  readonly height?: number;
  readonly language?: "en" | "de";
  /** Names of markets, such as `SPOT/BTCUSDT`. Default: the desk's own. */
  readonly favourites?: readonly string[];
}

/** Timeout of each step on a busy machine, ms. */
const WAIT_MS = 30_000;

/** Playwright's warning where it blocks service workers. */
const BLOCKED = "Service Worker registration blocked by Playwright";

/** Opens a page of the desk, for example `trade`, in a browser without stored state. */
export async function openDesk(page: Page, url: string, path: string, opened: Opened = {}): Promise<Watched> {
  const { theme = "dark", account = "main", width = 1440, height = 900, language = "en", favourites } = opened;
  page.setDefaultTimeout(WAIT_MS);
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && message.text() !== BLOCKED)
      complaints.push(`${message.text()} (${page.url()}, ${new Date().toISOString()})`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith("blob:")) elsewhere.push(request.url());
  });
  await page.setViewportSize({ width, height });
  await page.addInitScript(
    (kept) => {
      for (const [name, value] of Object.entries(kept))
        if (localStorage.getItem(`desk.${name}`) === null) localStorage.setItem(`desk.${name}`, JSON.stringify(value));
    },
    { theme, account, language, ...(favourites && { favourites }) },
  );
  await page.addInitScript(reportNestedForms);
  await page.goto(`${url}/#/${path}`);
  return {
    page,
    verify(allowed) {
      expect(complaints.filter((text) => allowed?.test(text) !== true)).toEqual([]);
      expect(elsewhere).toEqual([]);
    },
  };
}

/**
 * Runs in the page: reports a form or dialog inside a form as an error. A browser sends the outer form or none, and the inner form's
 * write is lost without a word. A dialog takes the focus when it opens, so that each dialog of each journey is seen.
 */
function reportNestedForms(): void {
  addEventListener("focusin", () => {
    const nested = document.querySelector("form form, form dialog");
    if (nested !== null) reportError(new Error(`a form contains ${nested.localName} "${nested.textContent?.slice(0, 80)}"`));
  });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Repeated rows, which are excluded: checking each takes long and finds nothing new. */
const ALIKE = [
  "tbody tr:nth-child(n+3)",
  "[data-side]:nth-child(n+3)",
  "[data-list=trades] li:nth-child(n+3)",
  "[data-list=gauges] li:nth-child(n+4)",
  "[data-list=loans] li:nth-child(n+3)",
];

interface Axe {
  run(context: object): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }>;
}

/** Findings of axe on the page or a part of it, by rule and element. */
export async function findings(page: Page, part = "html"): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(
    async ({ include, alike }) => {
      const axe: Axe = Reflect.get(globalThis, "axe");
      const { violations } = await axe.run({ include: [include], exclude: alike.map((one) => [one]) });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
      );
    },
    { include: part, alike: ALIKE },
  );
}

/** The last price of the market's head as decimal text, as soon as the page has one. */
export async function lastPrice(page: Page): Promise<string> {
  const figure = page.locator("[data-last-price] dd").filter({ hasText: /\d/ });
  return (await figure.innerText()).replaceAll(/[^\d.]/g, "");
}

/** The ticket's limit price, as soon as it has one. */
export async function limitPrice(page: Page): Promise<string> {
  const field = panel(page, "Order").getByLabel("Price", { exact: true });
  await expect.poll(() => field.inputValue()).toMatch(/^\d+\.\d+$/);
  return field.inputValue();
}

/** The pages by the text of their links. */
export const PAGES = [
  "Overview",
  "Trade",
  "Positions",
  "History",
  "Earn & loans",
  "Convert",
  "Broker",
  "Journal",
  "Health",
] as const;

/** Opens a page and waits until each of its panels shows a state. */
export async function goTo(page: Page, name: (typeof PAGES)[number]): Promise<void> {
  const menu = page.locator("[data-environment] > button[aria-haspopup=dialog]");
  const isPhone = (await menu.count()) > 0;
  if (isPhone) await menu.click();
  await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  await (isPhone ? menu : page.locator("[aria-current=page]")).filter({ hasText: name }).waitFor();
  await page.waitForFunction(() => {
    const panels = [...document.querySelectorAll("[data-panel]")];
    // While a page loads, the previous page's panels still exist, hidden.
    const isSettled = (panel: Element) =>
      panel.checkVisibility() && panel.querySelector("[data-source], [data-state=failed], [data-state=refused]") !== null;
    return document.querySelector("[data-state=loading]") === null && panels.length > 0 && panels.every(isSettled);
  });
}

/**
 * Problems of the visible panels. Each must have a title; an age and source, or the reason why it has no data;
 * a link to its query; a drag handle; a CSV of each table; numbers in tabular figures. Nothing may overflow the page. On a phone
 * panels are in one column and rows are cards.
 */
export const complaintsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const isPhone = innerWidth <= 700;
    const found: string[] = [];
    const columns = new Set<number>();
    for (const panel of document.querySelectorAll<HTMLElement>("[data-panel]")) {
      const title = panel.querySelector("h2")?.textContent ?? "(no title)";
      const complain = (text: string) => found.push(`${title}: ${text}`);
      const text = panel.innerText;
      if (/\bundefined\b|\bNaN\b|\bnull\b|\[object|Invalid/.test(text)) complain(`shows ${text}`);
      const reason = panel.querySelector("[data-state=failed], [data-state=refused]");
      const source = panel.querySelector("[data-source]")?.textContent ?? "";
      if (reason === null && source === "") complain("says neither how old it is nor why it has nothing");
      if (reason !== null && (reason.textContent ?? "").length < 10) complain("gives no reason");
      const query = new URLSearchParams(panel.querySelector<HTMLAnchorElement>('a[href^="/graphiql#"]')?.hash.slice(1) ?? "").get(
        "query",
      );
      if (!/^(?:query|subscription) /.test(query ?? "")) complain("does not show its query");
      if (panel.querySelector("h2 > button[aria-expanded]") === null) complain("cannot be folded");
      const grip = panel.querySelector<HTMLElement>('[aria-label^="Move or resize"]');
      if (!isPhone && (grip === null || getComputedStyle(grip).display === "none")) complain("cannot be moved");
      for (const table of panel.querySelectorAll("table[aria-label]:not([role=grid])")) {
        const name = table.getAttribute("aria-label") ?? "";
        if (panel.querySelector(`[aria-label="Save ${name} as CSV"]`) === null) complain(`${name} has no CSV`);
        const row = table.querySelector("tbody tr[data-index]");
        if (isPhone && row !== null && getComputedStyle(row).display !== "grid") complain(`rows of ${name} are no cards`);
      }
      const figure = panel.querySelector("td, dd, li, fieldset span");
      if (figure !== null && !getComputedStyle(figure).fontVariantNumeric.includes("tabular-nums"))
        complain("has figures of different widths");
      const edges = panel.getBoundingClientRect();
      columns.add(Math.round(edges.left));
      if (edges.right > innerWidth + 1) complain("reaches over the edge of the page");
      if (!isPhone) continue;
      for (const part of panel.querySelectorAll<HTMLElement>("td, dd, dt, button, select, input, [data-state=partial]")) {
        const box = part.getBoundingClientRect();
        if (box.width <= 1 || part.closest("[role=tablist], [role=application]") !== null) continue;
        if (box.right > edges.right + 1) complain(`clips ${part.tagName} ${part.innerText.slice(0, 30)}`);
        const isClipped = part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline";
        if (isClipped && part.tagName !== "SELECT" && part.tagName !== "INPUT")
          complain(`clips the text of ${part.innerText.slice(0, 30)}`);
      }
    }
    if (columns.size === 0) found.push("there is no panel");
    if (isPhone && columns.size > 1) found.push(`panels are in ${columns.size} columns`);
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the screen");
    return found;
  });

/** Problems of the top bar: parts that overlap, are cut off or overflow the page. */
export const topBarComplaints = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const parts = [
      ...document.querySelectorAll<HTMLElement>(
        "[data-environment] > :is(a, span), [data-account] > span:first-of-type, [data-account] > span + span > *, fieldset + div > *, nav a",
      ),
    ].map((part) => ({ name: `"${part.innerText || part.ariaLabel}"`, box: part.getBoundingClientRect(), part }));
    for (const { name, box, part } of parts) {
      if (box.width < 8 || box.height < 8) found.push(`${name} is not there`);
      if (box.left < 0 || box.right > innerWidth) found.push(`${name} reaches over the edge`);
      if (part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline")
        found.push(`${name} is cut off`);
    }
    for (const [at, one] of parts.entries())
      for (const other of parts.slice(at + 1)) {
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (across > 0.5 && down > 0.5) found.push(`${one.name} and ${other.name} overlap`);
      }
    return found;
  });

/** Saves pictures of the pages for the documentation if `DESK_PICTURES` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.DESK_PICTURES;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

interface Tickers {
  readonly data: { readonly tickers: readonly object[] };
}

/** Lets each list of markets have this many of them, `M0USDT` and so on, and counts its answers. */
export async function manyMarkets(page: Page, count: number): Promise<{ readonly answers: number }> {
  const seen = { answers: 0 };
  await page.route("**/graphql", async (route) => {
    if (!(route.request().postData() ?? "").includes("query MarketsOf")) return route.fallback();
    const answer = await route.fetch();
    const body: Tickers = await answer.json();
    const [first] = body.data.tickers;
    const rows = Array.from({ length: count }, (_, at) => ({ ...first, symbol: `M${at}USDT`, turnover24h: `${count - at}` }));
    seen.answers += 1;
    return route.fulfill({ response: answer, json: { ...body, data: { tickers: rows } } });
  });
  return seen;
}

/** Inputs of the page's writes from now on, with their dry runs or without. */
export function writesOf(page: Page, withDryRuns = false): readonly Readonly<Record<string, unknown>>[] {
  const inputs: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    const { query, variables } = request.method() === "POST" ? (request.postDataJSON() ?? {}) : {};
    if (/^\s*mutation/.test(query ?? "") && (withDryRuns || variables.input.dryRun !== true)) inputs.push(variables.input);
  });
  return inputs;
}

/** The panel with this title. */
export const panel = (page: Page, title: string) => page.getByRole("region", { name: title, exact: true }).first();

/** Outcome of the last action: state and text. */
export const outcome = (page: Page, title: string | RegExp) =>
  page.getByRole("list", { name: "Outcomes" }).getByRole("listitem").filter({ hasText: title });

/** All journeys take minutes of browser time; by default all but a few are skipped. */
export const LEFT_OUT = process.env.DESK_JOURNEYS === "all" ? undefined : "they take minutes: DESK_JOURNEYS=all enables them";

interface Shared {
  /** The page that is opened. */
  readonly address: string;
  readonly shared: Watched | undefined;
  readonly desk: Watched;
}

/** Tests that share a page, because loading it takes longer than they do. */
export const sharedTest = productTest.extend<Shared>({
  address: [async ({ executablePath: _ }, use) => use("trade/USDT_FUTURES/ETHUSDT"), { scope: "file" }],
  shared: [
    async ({ browser, product, address }, use) => {
      if (browser === undefined) {
        await use(undefined);
        return;
      }
      const page = await browser.newPage({ serviceWorkers: "block" });
      await use(await openDesk(page, product.url, address));
      await page.close();
    },
    { scope: "file" },
  ],
  desk: async ({ shared, skip }, use) => {
    if (shared === undefined) return skip(NO_CHROMIUM);
    await shared.page.setViewportSize({ width: 1440, height: 900 });
    await use(shared);
  },
});

/** Settings of a gateway with all accounts of a sandbox. */
export function overSandbox(
  { url, wsUrl }: { readonly url: string; readonly wsUrl: string },
  credentials: typeof SANDBOX_CREDENTIALS = SANDBOX_CREDENTIALS,
): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "desk-"));
  const path = join(folder, "accounts.json");
  const accounts = credentials.map(({ name, key, secret, passphrase }) => ({
    name,
    apiKey: key,
    apiSecret: secret,
    passphrase,
  }));
  writeFileSync(path, JSON.stringify(accounts), { mode: 0o600 });
  return {
    EXCHANGE_BASE_URL: url,
    EXCHANGE_WS_URL: wsUrl,
    EXCHANGE_ACCOUNTS_FILE: path,
    JOURNAL_PATH: join(folder, "journal.sqlite"),
  };
}
