import type { Page } from "playwright-core";
import { expect } from "vitest";
import { describeUnless } from "../support/missing.js";
import { tcpProxy } from "../support/tcpProxy.js";
import { LEFT_OUT } from "./desk/support.js";
import { QUERY, write } from "./support/graphiqlEditor.js";
import { productTest } from "./support/productTest.js";

/** Runs an operation after GraphiQL has parsed its name, and waits until the response contains a text. */
async function runs(page: Page, name: string, operation: string, shown: string): Promise<void> {
  await write(page, QUERY, operation);
  await page.getByRole("tab", { name: new RegExp(`^${name}\\b`) }).waitFor();
  await page.getByRole("button", { name: /execute query/i }).click();
  await page.locator(".graphiql-response").getByText(shown).first().waitFor();
}

describeUnless(LEFT_OUT, "GraphiQL without a line to its gateway", () => {
  productTest("says so beside the last event of a subscription, and instead of an answer", async ({ page, product }) => {
    const line = await tcpProxy(product.url);
    await page.setViewportSize({ width: 1600, height: 1600 });
    await page.goto(`http://${line.host}/graphiql`);
    await page.locator(".graphiql-query-editor").getByText("FirstLook").waitFor();
    await runs(
      page,
      "Watch",
      'subscription Watch { ticker(category: USDT_FUTURES, symbol: "ETHUSDT") { ticker { symbol } } }',
      '"ETHUSDT"',
    );
    const response = page.locator(".graphiql-response");
    line.breakDown();
    await response.getByText("Interrupted, and resumed by itself").waitFor();
    await response.getByText('"ETHUSDT"').first().waitFor();
    line.mend();
    await response.getByText("Interrupted").waitFor({ state: "detached" });
    await response.getByText('"ETHUSDT"').first().waitFor();
    await page.getByRole("button", { name: /stop query/i }).click();
    line.breakDown();
    const cancel = 'mutation Cancel { cancelOrder(input: { account: "main", orderId: "1" }) { outcome } }';
    await runs(page, "Cancel", cancel, "Whether it took effect is not known");
    expect(await response.innerText()).not.toContain("stack");
    await line.close();
  });
});

describeUnless(LEFT_OUT, "GraphiQL in front of a gateway with clients", () => {
  productTest(
    "opens with a field for the token, and loads the schema as soon as it fits",
    async ({ page, guarded: { url, classicToken: token } }) => {
      await page.setViewportSize({ width: 1600, height: 1600 });
      await page.goto(`${url}/graphiql`);
      const field = page.getByLabel("API token");
      await field.fill("exgt_wrong");
      await page.getByRole("button", { name: "Open GraphiQL" }).click();
      await page.getByRole("alert").getByText("does not know this token").waitFor();
      await field.fill(token);
      await page.getByRole("button", { name: "Open GraphiQL" }).click();
      await page.locator(".graphiql-query-editor").getByText("FirstLook").waitFor();
      await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
      await page.locator(".graphiql-doc-explorer").getByText("Subscription", { exact: true }).first().waitFor();
      await runs(page, "Mine", "query Mine { accounts { name } }", '"classic"');
      await runs(
        page,
        "Watch",
        'subscription Watch { ticker(category: USDT_FUTURES, symbol: "ETHUSDT") { ticker { symbol } } }',
        '"ETHUSDT"',
      );
      await page.getByRole("button", { name: "Show Session" }).click();
      const panel = page.getByRole("region", { name: "Session" });
      await panel.getByText("explorer").waitFor();
      const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
      expect(kept).not.toContain(token);
      await panel.getByRole("button", { name: "Change" }).click();
      await field.waitFor();
    },
  );

  productTest("says whose token it is, and why it lists no accounts, where it may not read them", async ({ page, guarded }) => {
    await page.setViewportSize({ width: 1600, height: 1600 });
    await page.goto(`${guarded.url}/graphiql`);
    await page.getByLabel("API token").fill(guarded.marketToken);
    await page.getByRole("button", { name: "Open GraphiQL" }).click();
    await page.getByRole("button", { name: "Show Session" }).click();
    const panel = page.getByRole("region", { name: "Session" });
    await panel.getByText("prices").waitFor();
    await panel.getByText("read:account").waitFor();
  });

  productTest(
    "keeps the token for the tab where its reader ticks that, and asks as a header says",
    async ({ page, guarded: { url, classicToken: token } }) => {
      await page.setViewportSize({ width: 1600, height: 1600 });
      await page.goto(`${url}/graphiql`);
      await page.getByLabel("API token").fill(token);
      await page.getByLabel("Keep it for this browser tab").check();
      await page.getByRole("button", { name: "Open GraphiQL" }).click();
      await page.locator(".graphiql-query-editor").getByText("FirstLook").waitFor();
      await page.reload();
      await page.locator(".graphiql-query-editor").getByText("FirstLook").waitFor();
      await page.getByRole("button", { name: "Headers" }).click();
      await write(page, ".graphiql-editor-tool .graphiql-editor:not(.hidden)", '{ "Authorization": "Bearer exgt_other" }');
      await runs(page, "Other", "query Other { viewer { name } }", "UNAUTHENTICATED");
    },
  );
});
