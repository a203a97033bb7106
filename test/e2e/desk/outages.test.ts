import { exact, plain } from "@exchange-graph/contract/decimal";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { post } from "../../support/ask.js";
import { browserTest } from "../../support/chromium.js";
import { freePort } from "../../support/freePort.js";
import { describeUnless } from "../../support/missing.js";
import { type TcpProxy, tcpProxy } from "../../support/tcpProxy.js";
import { type Product, servingProduct } from "../product.js";
import { LEFT_OUT, openDesk, outcome, overSandbox, panel } from "./support.js";

let sandbox: Sandbox;
/** The connection from the gateway to the exchange. */
let line: TcpProxy;
let product: Product;
let settings: Record<string, string>;
beforeAll(async () => {
  if (LEFT_OUT !== undefined) return;
  sandbox = await startSandbox();
  line = await tcpProxy(sandbox.url);
  settings = { ...overSandbox({ url: `http://${line.host}`, wsUrl: `ws://${line.host}` }), PORT: String(await freePort()) };
  product = await servingProduct(settings);
});
afterAll(async () => {
  if (LEFT_OUT !== undefined) return;
  await product.stop();
  await line.close();
  await sandbox.close();
});

const MAIN = { uid: MAIN_UID } as const;

/** Raises a position's entry price until its margin is insufficient; the exchange liquidates it at the next check. */
function makeInsolvent({ world }: Sandbox, symbol: string): void {
  const position = [...world.state.positions.open(MAIN_UID)].find((one) => one.symbol === symbol);
  if (position === undefined) throw new Error(`no position in ${symbol}`);
  Object.assign(position, { cost: position.cost.times("1.12") });
  // The exchange checks after a change of the account.
  world.transfers.transfer({ ...MAIN, kind: "unified" }, { ...MAIN, kind: "funding" }, "USDT", exact("1"));
}

/** Trades at the exchange directly, without the gateway. */
const buy = ({ world }: Sandbox, symbol: string, quantity: string) =>
  world.orders.place({
    ...MAIN,
    category: "USDT-FUTURES",
    symbol,
    side: "buy",
    orderType: "market",
    quantity: exact(quantity),
  });

/** Titles of the panels that are shown as interrupted. */
const stale = (page: Page): Promise<readonly string[]> => page.locator("[data-panel]:has([data-age=stale]) h2").allInnerTexts();

describeUnless(LEFT_OUT, "the desk, when something breaks", () => {
  browserTest("says so when the exchange liquidates a position: it goes, and what is left follows", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions");
    const row = panel(page, "Positions").getByRole("row").filter({ hasText: "SOLUSDT" });
    await row.waitFor();
    const figures = page.locator("[data-account]:has(:checked) > span + span > span");
    await figures.filter({ hasText: /[+−]\d/ }).waitFor();
    const equity = figures.first();
    const before = await equity.innerText();
    makeInsolvent(sandbox, "SOLUSDT");
    await outcome(page, "Liquidation, SOLUSDT long, main").waitFor({ timeout: 45_000 });
    await row.waitFor({ state: "detached" });
    await expect.poll(() => equity.innerText()).not.toBe(before);
    await page.getByRole("tab", { name: "Order history" }).click();
    await panel(page, "History")
      .getByRole("row")
      .filter({ hasText: "SOLUSDT" })
      .filter({ hasText: "Liquidation" })
      .waitFor({ timeout: 45_000 });
    desk.verify();
  });

  browserTest("is live again by itself when its gateway is back, and has missed nothing", async ({ page }) => {
    const desk = await openDesk(page, product.url, "positions");
    const [positions, orders, history] = ["Positions", "Open orders", "History"].map((title) => panel(page, title));
    await orders?.locator("table").waitFor();
    await history?.locator("table").waitFor();
    await panel(page, "Trigger orders").locator("table, [data-state=empty]").first().waitFor();
    await expect.poll(() => orders?.getByRole("row").filter({ hasText: "SOLUSDT" }).count()).toBe(1);
    await product.stop("SIGKILL");
    await page.getByRole("status", { name: "Gateway lost" }).waitFor();
    await expect.poll(() => stale(page)).toEqual(expect.arrayContaining(["Positions", "Open orders", "Trigger orders"]));
    // Meanwhile a position is opened and an order disappears.
    const bought = buy(sandbox, "XRPUSDT", "777");
    const [order] = [...sandbox.world.state.orders.open(MAIN_UID)].filter(({ symbol }) => symbol === "SOLUSDT");
    if (order === undefined) throw new Error("no order to cancel");
    sandbox.world.service.cancel(order, "normal_cancel");
    product = await servingProduct(settings);
    await page.getByRole("status", { name: "Gateway live" }).waitFor();
    await positions?.getByRole("row").filter({ hasText: "XRPUSDT" }).filter({ hasText: "777" }).waitFor();
    await orders?.getByRole("row").filter({ hasText: "SOLUSDT" }).waitFor({ state: "detached" });
    await expect.poll(() => stale(page)).toEqual([]);
    // The order may have been filled in parts.
    const fills = sandbox.world.state.orders.fills(MAIN_UID).filter(({ orderId }) => orderId === bought.order.orderId);
    expect(fills).not.toHaveLength(0);
    for (const { quantity } of fills)
      await history
        ?.getByRole("row")
        .filter({ hasText: "XRPUSDT" })
        .filter({ hasText: plain(quantity) })
        .first()
        .waitFor();
    // Parts of the page are asked for, and fail, while the gateway is gone.
    desk.verify(/net::ERR_|WebSocket/);
  });

  browserTest(
    "says that an order has no answer when its gateway is killed, and what became of it once it is back",
    async ({ page }) => {
      const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/ETHUSDT");
      const ticket = panel(page, "Order");
      const placed = () =>
        [...sandbox.world.state.orders.open(MAIN_UID)].filter(({ quantity }) => plain(quantity) === "0.53").length;
      await page.locator("[data-side=bids]").first().waitFor();
      await ticket.getByLabel("Price", { exact: true }).fill("2900");
      await ticket.getByRole("textbox", { name: "Quantity" }).fill("0.53");
      await ticket.getByText("1 537.00 USDT").waitFor();
      line.deafen();
      await ticket.getByRole("button", { name: /^Buy 0\.53 ETHUSDT/ }).click();
      await expect.poll(placed, { timeout: 30_000 }).toBe(1);
      await product.stop("SIGKILL");
      await outcome(page, "No answer from the gateway").waitFor();
      line.mend();
      product = await servingProduct(settings);
      await outcome(page, "Accepted").filter({ hasText: "0.53 ETHUSDT" }).waitFor({ timeout: 90_000 });
      expect(placed()).toBe(1);
      desk.verify(/net::ERR_|WebSocket/);
    },
  );

  browserTest("looks an order without an answer up in the journal once it is too late to repeat it", async ({ page }) => {
    const desk = await openDesk(page, product.url, "trade/USDT_FUTURES/ETHUSDT");
    await page.clock.install();
    const ticket = panel(page, "Order");
    await page.locator("[data-side=bids]").first().waitFor();
    let isReceived = false;
    let isAnswered = false;
    await page.route("**/graphql", async (route) => {
      const text = route.request().postData() ?? "";
      if (isAnswered || (!text.includes("RecentWrites") && !/"qty":"0\.5[45]"(?!.*"dryRun":true)/.test(text)))
        return route.fallback();
      if (isReceived) await route.fetch();
      return route.abort();
    });
    const place = async (size: string) => {
      isAnswered = false;
      await ticket.getByLabel("Price", { exact: true }).fill("2900");
      await ticket.getByRole("textbox", { name: "Quantity" }).fill(size);
      await ticket.getByRole("button", { name: new RegExp(`^Buy ${size} ETHUSDT`) }).click();
      await outcome(page, "No answer from the gateway").filter({ hasText: size }).waitFor();
      await page.clock.fastForward(31_000);
      await outcome(page, "Still unknown. It is looked up").filter({ hasText: size }).waitFor();
      isAnswered = true;
    };
    await place("0.54");
    await page.clock.fastForward(4_000);
    await expect
      .poll(async () => {
        await page.clock.fastForward(4_000);
        return outcome(page, "The journal does not have it").filter({ hasText: "0.54" }).count();
      })
      .toBe(1);
    isReceived = true;
    await place("0.55");
    await page.clock.fastForward(4_000);
    await outcome(page, "Settled: it took effect").filter({ hasText: "0.55" }).waitFor();
    const open = [...sandbox.world.state.orders.open(MAIN_UID)].map(({ quantity }) => plain(quantity));
    expect(open.filter((quantity) => ["0.54", "0.55"].includes(quantity))).toEqual(["0.55"]);
    desk.verify(/net::ERR_FAILED/);
  });

  browserTest("says that it has another version of the page, where a part of this one is gone", async ({ page }) => {
    const desk = await openDesk(page, product.url, "overview");
    const gone = (address: URL) => address.pathname.startsWith("/desk/assets/history-");
    await page.route(gone, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("link", { name: "History" }).click();
    const said = page.getByRole("alert").filter({ hasText: "another version of this page" });
    await page.waitForResponse((response) => gone(new URL(response.url())) && response.status() === 404);
    expect(await said.count()).toBe(0);
    const replaced = async (route: Route) => {
      if (route.request().isNavigationRequest()) return route.fallback();
      const response = await route.fetch();
      const body = (await response.text()).replace(/assets\/index-[\w-]+\.js/, "assets/index-later.js");
      return route.fulfill({ response, body });
    };
    await page.route(`${product.url}/`, replaced);
    await said.waitFor();
    await page.unroute(gone);
    await page.getByRole("button", { name: "Load the page anew" }).click();
    await panel(page, "Equity of main").waitFor();
    expect(await said.count()).toBe(0);
    desk.verify(/404/);
  });

  browserTest("says that the chosen account was renamed or removed, and which one it shows instead", async ({ page }) => {
    await page.clock.install();
    const desk = await openDesk(page, product.url, "positions", { account: "classic" });
    await panel(page, "Positions").getByRole("row").filter({ hasText: "ETHPERP" }).waitFor();
    const { accounts } = await (await post(product.url, { query: "{ accounts { name mode } }" })).json().then(({ data }) => data);
    const others = accounts.filter(({ name }: { name: string }) => name !== "classic");
    await page.route("**/graphql", (route) =>
      (route.request().postData() ?? "").includes("query ListAccounts")
        ? route.fulfill({ json: { data: { accounts: others } } })
        : route.fallback(),
    );
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByRole("button", { name: "Halt classic" }).click();
    await page.getByRole("dialog", { name: "Halt trading of classic?" }).waitFor();
    await page.clock.fastForward(61_000);
    const said = page.getByRole("alert").filter({ hasText: "The account classic is not there any more. This is main." });
    await said.waitFor();
    // Its dialog would halt the account that is shown instead.
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.locator("[data-account=broker]").click();
    await said.waitFor({ state: "detached" });
    desk.verify();
  });

  browserTest("stops asking about an order at once when it is told to, however early the gateway has gone", async ({ page }) => {
    const desk = await openDesk(page, product.url, "trade/SPOT/BTCUSDT");
    const ticket = panel(page, "Order");
    await ticket.getByLabel("Price", { exact: true }).fill("20000");
    await ticket.getByRole("textbox", { name: "Quantity" }).fill("0.0057");
    const rule = sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 600_000 } });
    await ticket.getByRole("button", { name: /^Buy 0\.0057 BTCUSDT/ }).click();
    await outcome(page, /Sending.*0\.0057/s).waitFor();
    await product.stop("SIGKILL");
    await outcome(page, /Sending.*until \d\d:\d\d:\d\d/s)
      .getByRole("button", { name: "Stop asking" })
      .click();
    await outcome(page, /Unknown.*Not asked again/s).waitFor();
    sandbox.faults.remove(rule);
    product = await servingProduct(settings);
    await page.getByRole("status", { name: "Gateway live" }).waitFor();
    await outcome(page, /Unknown.*Not asked again/s).waitFor();
    desk.verify(/net::ERR_|WebSocket/);
  });

  browserTest("goes on while the exchange is slow, says per panel when it is gone, and recovers by itself", async ({ page }) => {
    const desk = await openDesk(page, product.url, "overview");
    const accounts = panel(page, "All accounts");
    await accounts.getByRole("row").filter({ hasText: "main" }).waitFor();
    line.delay(1_200);
    await page.getByRole("link", { name: "Trade", exact: true }).click();
    await page.locator("[data-side=bids]").first().waitFor();
    expect(await panel(page, "Book").locator("[data-age=stale]").count()).toBe(0);
    line.delay(0);
    line.breakDown();
    const live = ["Market", "Chart", "Book", "Trades", "Positions"];
    await expect.poll(() => stale(page), { timeout: 30_000 }).toEqual(expect.arrayContaining(live));
    await panel(page, "Book").getByText("line to the exchange is interrupted").waitFor();
    await page.getByRole("link", { name: "Convert" }).click();
    await panel(page, "Conversions").getByText("EXCHANGE_UNAVAILABLE").waitFor({ timeout: 30_000 });
    await panel(page, "Conversions")
      .getByText(/Asked again in \d+ s/)
      .waitFor();
    line.mend();
    await panel(page, "Conversions").locator("table, [data-state=empty]").first().waitFor({ timeout: 30_000 });
    await page.getByRole("link", { name: "Trade", exact: true }).click();
    await page.locator("[data-side=bids]").first().waitFor({ timeout: 30_000 });
    await expect.poll(() => stale(page), { timeout: 30_000 }).toEqual([]);
    desk.verify();
  });
});
