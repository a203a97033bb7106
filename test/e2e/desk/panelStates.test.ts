import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { tokenCommand } from "../../../src/access/tokens/tokenCommand.js";
import { SCOPE_NAMES } from "../../../src/schema/scopes.js";
import { browserTest } from "../../support/chromium.js";
import { describeUnless } from "../../support/missing.js";
import { type TcpProxy, tcpProxy } from "../../support/tcpProxy.js";
import { type Product, servingProduct } from "../product.js";
import { LEFT_OUT, openDesk, overSandbox, PAGES } from "./support.js";

type PageName = (typeof PAGES)[number];

/**
 * Every panel of every page: the scope that it requires beside `read:market`, and the source of its data. `stream`: pushed by
 * the exchange; `exchange`: read from the exchange, or dependent on such a read; `gateway`: known to the gateway itself.
 */
const PANELS: Readonly<Record<PageName, Readonly<Record<string, readonly [scope: string | null, from: string]>>>> = {
  Overview: {
    "All accounts": ["read:account", "exchange"],
    Equity: ["read:account", "exchange"],
    Allocation: ["read:account", "exchange"],
    Balances: ["read:account", "exchange"],
  },
  Trade: {
    Market: [null, "stream"],
    Order: ["trade", "exchange"],
    Chart: [null, "stream"],
    Book: [null, "stream"],
    Trades: [null, "stream"],
    Funding: [null, "exchange"],
    Account: ["read:account", "stream"],
    "Watch list": [null, "exchange"],
  },
  Positions: {
    Positions: ["read:account", "stream"],
    "Open orders": ["read:account", "stream"],
    "Trigger orders": ["read:account", "stream"],
    History: ["read:account", "exchange"],
  },
  // Answered from what the gateway has recorded.
  History: {
    Worth: ["read:account", "gateway"],
    Calendar: ["read:account", "gateway"],
    Causes: ["read:account", "gateway"],
    Performance: ["read:account", "gateway"],
    Reconciliation: ["read:account", "gateway"],
  },
  "Earn & loans": {
    Loans: ["read:account", "stream"],
    "Loan history": ["read:account", "exchange"],
    Savings: ["read:account", "exchange"],
    "Savings products": ["read:account", "exchange"],
    "Shark-fin": ["read:account", "exchange"],
    "Savings records": ["read:account", "exchange"],
    "Shark-fin offers": ["read:account", "exchange"],
    "Shark-fin records": ["read:account", "exchange"],
  },
  Convert: {
    Convert: ["read:account", "exchange"],
    Conversions: ["read:account", "exchange"],
  },
  Broker: {
    "Sub-accounts": ["read:account", "exchange"],
    "Sub-account": ["read:account", "exchange"],
    Withdrawals: ["read:account", "exchange"],
  },
  Journal: { Journal: ["read:account", "gateway"] },
  Health: {
    Exchange: ["admin", "gateway"],
    Halts: ["admin", "gateway"],
    "Rate budgets": ["admin", "gateway"],
    Streams: ["admin", "gateway"],
    Connections: ["admin", "gateway"],
    "Circuit breakers": ["admin", "gateway"],
    "Live lists": ["admin", "gateway"],
  },
};

/** State shown by each panel: `needs admin`, `EXCHANGE_UNAVAILABLE, asked again`, `stale since a time`, `loading` or `data`. */
const panelStates = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(() => {
    const stateOf = (panel: HTMLElement): string => {
      const words = (selector: string) => panel.querySelector<HTMLElement>(selector)?.innerText ?? "";
      const scope = /It needs the scope ([\w:]+)\./.exec(words("[data-state=refused]"))?.[1];
      if (scope !== undefined) return `needs ${scope}`;
      const code = (part: HTMLElement) =>
        `${part.querySelector("b")?.innerText}${/Asked again in \d+ s\./.test(part.innerText) ? ", asked again" : ""}`;
      const failed = panel.querySelector<HTMLElement>("[data-state=failed]");
      if (failed !== null) return code(failed);
      if (panel.querySelector("[data-state=loading]") !== null) return "loading";
      const since = /Nothing new since \d\d:\d\d:\d\d\./.test(words("[data-state=interrupted]"));
      if (panel.querySelector("[data-age=stale]") !== null) return since ? "stale since a time" : "stale";
      const notice = panel.querySelector<HTMLElement>("[data-state=partial]");
      if (notice !== null) return code(notice);
      return panel.querySelector("[data-source]") === null ? "nothing" : "data";
    };
    const panels = [...document.querySelectorAll<HTMLElement>("[data-panel]")].filter((panel) => panel.checkVisibility());
    return Object.fromEntries(panels.map((panel) => [panel.dataset.panel ?? "", stateOf(panel)]));
  });

const STALE = "stale since a time";

/** Expected state of every panel of a page. Sub-accounts have a panel only if there are any. */
function expected(name: PageName, say: (scope: string | null, from: string) => unknown): object {
  const all = Object.entries(PANELS[name]).map(([id, [scope, from]]) => [id, say(scope, from)] as const);
  return Object.fromEntries(all.filter(([id, words]) => id !== "Sub-account" || words === "data" || words === STALE));
}

/** Enters a token, or replaces the current one. */
async function signIn(page: Page, token: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Token" });
  const change = page.getByRole("button", { name: "Token", exact: true });
  await field.or(change).waitFor();
  if (await change.isVisible()) await change.click();
  await field.fill(token);
  await page.getByRole("button", { name: "Use this token" }).click();
  await field.waitFor({ state: "detached" });
}

/** Opens a page with an account that has data for it. */
async function visit(page: Page, name: PageName): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  const chip = page.locator("[data-account]").filter({ hasText: name === "Broker" ? "broker" : "main" });
  if ((await chip.count()) > 0) await chip.click();
}

/** After 30 s the gateway fails a stream that cannot be established, and retries an endpoint whose calls it had suspended. */
const RECOVERY = { timeout: 90_000 };

let sandbox: Sandbox | undefined;
/** The connection from the gateway to the exchange, and from the page to the gateway. */
let toExchange: TcpProxy;
let toGateway: TcpProxy;
let product: Product;
let url: string;
/** The scopes of each token, and the tokens. */
const SCOPES = { all: SCOPE_NAMES, market: ["read:market"], reader: ["read:market", "read:account"] } as const;
const tokens = { all: "", market: "", reader: "" };
beforeAll(async () => {
  if (LEFT_OUT !== undefined) return;
  const clients = join(mkdtempSync(join(tmpdir(), "states-")), "clients.json");
  const create = (name: string, scopes: readonly string[]) =>
    tokenCommand(["create", name, ...scopes.flatMap((scope) => ["--scope", scope])], clients, systemClock).out.trim();
  for (const [name, scopes] of Object.entries(SCOPES)) Object.assign(tokens, { [name]: create(name, scopes) });
  sandbox = await startSandbox();
  toExchange = await tcpProxy(sandbox.url);
  const { host } = toExchange;
  product = await servingProduct({
    ...overSandbox({ url: `http://${host}`, wsUrl: `ws://${host}` }),
    CLIENTS_FILE: clients,
  });
  toGateway = await tcpProxy(product.url);
  url = `http://${toGateway.host}`;
});
afterEach(() => sandbox?.faults.clear());
afterAll(async () => {
  if (LEFT_OUT !== undefined) return;
  await toGateway.close();
  await product.stop();
  await toExchange.close();
  await sandbox?.close();
});

const DATA = () => "data";
/** No response, or none before the timeout. */
const REFUSED: unknown = expect.stringMatching(/^EXCHANGE_(?:UNAVAILABLE|TIMEOUT), asked again$/);

describeUnless(LEFT_OUT, "every panel of the desk", () => {
  browserTest("says why and when it asks again where the exchange refuses", { timeout: 400_000 }, async ({ page }) => {
    await openDesk(page, url, "overview");
    await signIn(page, tokens.all);
    sandbox?.faults.add({ fault: { kind: "answer", status: 503 } });
    // Public data arrives over sockets, which stay open.
    const isThere = (scope: string | null, from: string) => from === "gateway" || (from === "stream" && scope === null);
    for (const name of PAGES) {
      await visit(page, name);
      await expect
        .poll(() => panelStates(page), RECOVERY)
        .toEqual(expected(name, (scope, from) => (isThere(scope, from) ? "data" : REFUSED)));
    }
  });

  browserTest("shows what its token may see, or names the scope that it lacks", { timeout: 400_000 }, async ({ page }) => {
    await openDesk(page, url, "overview");
    await signIn(page, tokens.reader);
    const granted = new Set<string | null>([null, ...SCOPES.reader]);
    for (const one of PAGES) {
      await visit(page, one);
      await expect
        .poll(() => panelStates(page), RECOVERY)
        .toEqual(expected(one, (scope) => (granted.has(scope) ? "data" : `needs ${scope}`)));
    }
  });

  browserTest("says that it is stale, and since when, while the gateway is gone", { timeout: 400_000 }, async ({ page }) => {
    await openDesk(page, url, "overview");
    await signIn(page, tokens.all);
    for (const name of PAGES) {
      await visit(page, name);
      await expect.poll(() => panelStates(page), RECOVERY).toEqual(expected(name, DATA));
      toGateway.breakDown();
      await expect.poll(() => panelStates(page), RECOVERY).toEqual(expected(name, () => STALE));
      toGateway.mend();
      await expect.poll(() => panelStates(page), RECOVERY).toEqual(expected(name, DATA));
    }
  });

  browserTest("says that it is stale, and since when, while the exchange is gone", { timeout: 400_000 }, async ({ page }) => {
    await openDesk(page, url, "trade");
    await signIn(page, tokens.all);
    for (const name of ["Trade", "Positions", "Earn & loans"] as const) {
      const streamed = Object.entries(PANELS[name]).flatMap(([id, [, from]]) => (from === "stream" ? [[id, STALE]] : []));
      await visit(page, name);
      await expect.poll(() => panelStates(page), RECOVERY).toEqual(expected(name, DATA));
      toExchange.breakDown();
      await expect.poll(() => panelStates(page), RECOVERY).toMatchObject(Object.fromEntries(streamed));
      toExchange.mend();
      await expect.poll(() => panelStates(page), RECOVERY).toEqual(expected(name, DATA));
    }
  });
});
