import { expect } from "vitest";
import { rulesOf } from "../deploy/rules.js";
import { productTest } from "./support/productTest.js";

productTest("the documentation is read, searched by keyboard, and calls no server but the gateway", async ({ page, product }) => {
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));

  await page.goto(`${product.url}/docs`);
  await page.getByRole("heading", { level: 1, name: "exchange-graph" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("orderBook");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForURL(/\/docs\/schema\//);

  await page.getByRole("link", { name: "Writing" }).click();
  await page.getByRole("heading", { level: 1, name: "Writing" }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow).toBe(0);

  expect(complaints).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(`${product.url}/`))).toEqual([]);
});

/** The default address in an alert's link, which Prometheus fills in without the external label `gateway_docs`. */
const DEFAULT = /^\{\{ with .*\{\{ else \}\}http:\/\/127\.0\.0\.1:4000(\/docs)\{\{ end \}\}(\/runbooks#\w+)$/;

productTest(
  "each alert's default link opens its runbook in the documentation that the gateway serves",
  async ({ page, product }) => {
    const alerts = rulesOf("deploy/prometheus/alerts.yml").filter(({ alert }) => alert !== undefined);
    expect(alerts.length).toBeGreaterThan(20);
    for (const { alert = "", annotations } of alerts) {
      const [, docs = "", runbook = ""] = DEFAULT.exec(annotations.runbook_url ?? "") ?? [];
      await page.goto(product.url + docs + runbook);
      const heading = page.getByRole("heading", { level: 2, name: alert, exact: true });
      await heading.waitFor();
      const target = page.locator(":target");
      expect([
        alert,
        await target.count(),
        await heading.evaluate((one) => one.matches(":target") || one.querySelector(":target") !== null),
      ]).toEqual([alert, 1, true]);
    }
  },
);
