import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { NO_CHROMIUM } from "../support/chromium.js";
import { describeUnless } from "../support/missing.js";
import { findings, LEFT_OUT } from "./desk/support.js";
import type { Product } from "./product.js";
import { QUERY, write } from "./support/graphiqlEditor.js";
import { productTest } from "./support/productTest.js";

const WITHIN = { timeout: 20_000 };

interface Opened {
  readonly product: Product;
  readonly page: Page;
  readonly requests: readonly string[];
  readonly complaints: string[];
}

/** The tests share a page, because loading it and its editor takes longer than the tests. */
const pageTest = productTest.extend<{ readonly shared: Opened | undefined; readonly opened: Opened }>({
  shared: [
    async ({ browser, product }, use) => {
      if (browser === undefined) {
        await use(undefined);
        return;
      }
      const page = await browser.newPage();
      await use(await open(product, page));
      await page.close();
    },
    { scope: "file" },
  ],
  opened: async ({ shared, skip }, use) => {
    if (shared === undefined) return skip(NO_CHROMIUM);
    await use(shared);
  },
});

/** Opens the page; records every request and every error that the browser reports. */
async function open(product: Product, page: Page): Promise<Opened> {
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  // The editor renders only visible text.
  await page.setViewportSize({ width: 1600, height: 3000 });
  await page.goto(`${product.url}/graphiql`);
  await page.locator(".graphiql-query-editor").getByText("FirstLook").waitFor();
  return { product, page, requests, complaints };
}

/** Runs the editor's document; resolves to the visible text of the response once it contains `expected`. */
async function run(page: Page, expected: string): Promise<string> {
  await page.getByRole("button", { name: /execute query/i }).click();
  const answer = page.locator(".graphiql-response");
  await answer.getByText(expected).first().waitFor();
  return (await answer.innerText()).replaceAll("\u00a0", " ");
}

describe("GraphiQL", () => {
  pageTest("runs its first query, and calls no server but the gateway", async ({ opened }) => {
    const { product, page, requests, complaints } = opened;
    expect(page.url()).toBe(`${product.url}/graphiql`);
    expect(await page.title()).toBe("exchange-graph");

    const answer = await run(page, '"main"');
    expect(answer).toContain('"data": {');
    expect(answer).toContain('"name": "main"');
    expect(answer).not.toContain('"errors"');

    expect(complaints).toEqual([]);
    const elsewhere = requests.filter((url) => !url.startsWith(`${product.url}/`) && !/^(?:data|blob):/.test(url));
    expect(elsewhere).toEqual([]);
  });
});

describeUnless(LEFT_OUT, "GraphiQL's page", () => {
  pageTest("opens with a tab for each screen, a mutation and a subscription", async ({ opened: { page, complaints } }) => {
    const screens = ["Portfolio", "Trading", "MarketScreen", "Risk", "CryptoLoans", "EarnProducts", "ConvertDesk", "BrokerDesk"];
    await expect
      .poll(() => page.getByRole("tab").allInnerTexts())
      .toEqual(["FirstLook", ...screens, "PlaceOrder", "WatchTicker"]);
    await page.getByRole("tab", { name: "PlaceOrder" }).click();
    await page.locator(".graphiql-query-editor").getByText("mutation").waitFor();
    // The unchanged document is a dry run.
    // GraphiQL takes over the name of a tab's operation some time after its text; until then it asks for the former one.
    const unnamed = page.locator(".graphiql-response").getByText("Unknown operation named");
    const answered = page.locator(".graphiql-response").getByText('"isAffordable"');
    await expect
      .poll(
        async () => {
          await page.getByRole("button", { name: /execute query/i }).click();
          await answered.or(unnamed).first().waitFor();
          return answered.count();
        },
        { timeout: 30_000, interval: 300 },
      )
      .toBeGreaterThan(0);
    complaints.splice(0);
    await page.getByRole("tab", { name: "FirstLook" }).click();
    await page.locator(".graphiql-query-editor").getByText("FirstLook").waitFor();
  });

  pageTest("shows in a panel who asks, and what the last answer was made of", async ({ opened: { page, complaints } }) => {
    expect(await run(page, '"main"')).not.toContain('"extensions"');
    await page.getByRole("button", { name: "Show Session" }).click();
    const panel = page.getByRole("region", { name: "Session" });
    await panel.getByText("None: this gateway has no clients.").waitFor();
    await panel.getByText("FirstLook").waitFor();
    await panel.getByRole("cell", { name: "spotSymbols" }).waitFor();
    expect(await panel.locator("dl").innerText()).toMatch(/Calls\s+\d+ of at most \d+/);
    await panel.getByTitle("Set the variable account to classic").click();
    await page.getByRole("button", { name: "Variables" }).click();
    const variables = page.locator(".graphiql-editor-tool");
    await variables.getByText('"classic"').waitFor();
    await write(page, ".graphiql-editor-tool .graphiql-editor:not(.hidden)", '"first": 5');
    await panel.getByTitle("Set the variable account to main").click();
    await panel.getByRole("alert").getByText("not a JSON object").waitFor();
    await variables.getByText('"first"').waitFor();
    await write(page, ".graphiql-editor-tool .graphiql-editor:not(.hidden)", "{}");
    await panel.getByTitle("Set the variable account to main").click();
    await variables.getByText('"main"').waitFor();
    expect(await panel.getByRole("alert").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  pageTest("can be read on a phone: the answer below the query, a panel over both", async ({ opened: { page } }) => {
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect
      .poll(async () => (await page.getByRole("region", { name: "Session" }).boundingBox())?.width)
      .toBeGreaterThan(250);
    await page.getByRole("button", { name: "Hide Session" }).click();
    /** The answer is as wide as the phone, high enough to be read, and below the query. */
    const canBeRead = async () => {
      const answer = await page.locator(".graphiql-response").boundingBox();
      const query = await page.locator(".graphiql-query-editor").boundingBox();
      if (answer === null || query === null) return "not on the page";
      const { x, y, width, height } = answer;
      return { isWide: width > 280 && x + width <= 390, isHigh: height > 300, isBelow: y >= query.y + query.height };
    };
    await expect.poll(canBeRead).toEqual({ isWide: true, isHigh: true, isBelow: true });
    if (wide !== null) await page.setViewportSize(wide);
  });
});

describe("GraphiQL's editor", () => {
  pageTest("runs a subscription until it is stopped", async ({ opened: { page, complaints } }) => {
    await write(
      page,
      QUERY,
      'subscription Watch { ticker(category: USDT_FUTURES, symbol: "BTCUSDT", pace: { mode: ALL }) { ticker { symbol lastPrice bid1Qty } } }',
    );
    // The tab has the operation's name once GraphiQL has parsed it.
    await page.getByRole("tab", { name: /^Watch\b/ }).waitFor();
    await run(page, '"BTCUSDT"');
    const response = page.locator(".graphiql-response");
    await page.waitForFunction(
      (before) => document.querySelector(".graphiql-response")?.textContent !== before,
      await response.textContent(),
    );
    await page.getByRole("button", { name: /stop query/i }).click();
    await page.getByRole("button", { name: /execute query/i }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describeUnless(LEFT_OUT, "GraphiQL's editor, at length", () => {
  pageTest("runs what was typed at once, before it has read the operation's name", async ({ opened: { page } }) => {
    await write(page, QUERY, "{ accounts { mode } }");
    await page.keyboard.press("Control+Enter");
    await page.locator(".graphiql-response").getByText('"CLASSIC"').first().waitFor();
    await write(page, QUERY, 'subscription Soon { ticker(category: SPOT, symbol: "BTCUSDT") { ticker { bid1Price } } }');
    await page.keyboard.press("Control+Enter");
    await page.locator(".graphiql-response").getByText('"bid1Price"').first().waitFor();
    await page.getByRole("button", { name: /stop query/i }).click();
  });

  pageTest(
    "runs a look at everything: all accounts, loans, earn products, the broker, reference data",
    async ({ opened: { page } }) => {
      // The editor indents typed text; an already indented document would exceed the limit of its size.
      await write(page, QUERY, readFileSync("docs/examples/first-look.graphql", "utf8").replace(/^ +/gm, ""));
      const received = page.waitForResponse((response) => response.request().postData()?.includes("query Overview") === true);
      await run(page, '"classic"');
      const { data, errors } = await (await received).json();
      expect(errors).toBeUndefined();
      expect(data.main.positionHistory.edges).toHaveLength(5);
      expect(data.classic.futuresAccounts[0].assets.length).toBeGreaterThan(0);
      expect(data.broker.broker.subAccounts.edges[0].node.spotAssets.length).toBeGreaterThan(0);
      expect(data.spotFundFlow.whale.buyVolume).toMatch(/^\d/);
    },
  );

  pageTest(
    "builds a document by ticking fields, with the mouse or the keyboard, in both themes and on a phone",
    async ({ opened: { page, complaints } }) => {
      await write(page, QUERY, "query Built { viewer { name } }");
      await page.getByRole("tab", { name: /^Built\b/ }).waitFor();
      await page.getByRole("button", { name: "Show Query builder" }).click();
      const builder = page.getByRole("region", { name: "Query builder" });
      const editor = page.locator(".graphiql-query-editor");
      await builder.getByRole("checkbox", { name: "accounts" }).click();
      await builder.getByRole("checkbox", { name: "name", checked: false }).press("Enter");
      await expect.poll(() => editor.locator(".view-lines").innerText()).toMatch(/accounts\s*\{\s*name/);
      expect(await run(page, '"classic"')).not.toContain('"errors"');
      await builder.getByRole("checkbox", { name: "instrument", exact: true }).click();
      await builder.getByRole("checkbox", { name: "symbol", checked: false }).first().press(" ");
      await builder.getByLabel("symbol", { exact: true }).and(page.locator("input")).fill("BTCUSDT");
      await editor.getByText('"BTCUSDT"').waitFor();
      await page.mouse.move(0, 0);
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await findings(page, ".builder")).toEqual([]);
      }
      const wide = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      const isInSight = async () => {
        const box = await builder.boundingBox();
        return box !== null && box.width > 280 && box.x + box.width <= 390;
      };
      await expect.poll(isInSight).toBe(true);
      if (wide !== null) await page.setViewportSize(wide);
      await page.getByRole("button", { name: "Hide Query builder" }).click();
      expect(complaints).toEqual([]);
    },
  );

  pageTest("completes what is typed, from the graph's own schema", async ({ opened: { page } }) => {
    await write(page, QUERY, "");
    await page.keyboard.type("{ acc");
    await page.locator(".suggest-widget").getByText("accounts").first().waitFor();
  });
});

describeUnless(LEFT_OUT, "GraphiQL's assets", () => {
  pageTest("takes at most 2.0 MB over the wire, and nothing the second time", async ({ opened: { product }, page }) => {
    /** The files of the page with the bytes that each took over the wire, once those that load last are there. */
    const visit = async (): Promise<Map<string, number>> => {
      const files = new Map<string, number>();
      await open(product, page);
      const read = async (): Promise<string[]> => {
        const entries: readonly [name: string, bytes: number][] = await page.evaluate(() =>
          performance
            .getEntriesByType("resource")
            .filter((entry) => entry instanceof PerformanceResourceTiming)
            .map(({ name, transferSize }) => [name, transferSize]),
        );
        files.clear();
        for (const [name, bytes] of entries) {
          if (!name.endsWith("/graphql")) files.set(name, (files.get(name) ?? 0) + bytes);
        }
        return [...files.keys()];
      };
      const last = ["editor.worker", "graphql.worker", "json.worker", "codicon"];
      await expect
        .poll(async () => (await read()).filter((file) => last.some((part) => file.includes(`/${part}`))).length, WITHIN)
        .toBe(last.length);
      return files;
    };
    const cold = await visit();
    const size = [...cold.values()].reduce((all, bytes) => all + bytes, 0);
    expect(size).toBeGreaterThan(500_000);
    expect(size).toBeLessThanOrEqual(2_000_000);
    await page.goto("about:blank");
    const warm = await visit();
    // Files that load late may be missing from the first record.
    expect([...warm].filter(([file, bytes]) => bytes > 0 && cold.has(file))).toEqual([]);
  });
});
