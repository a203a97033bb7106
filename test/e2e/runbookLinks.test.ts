import { expect } from "vitest";
import { rulesOf } from "../deploy/rules.js";
import { productTest } from "./support/productTest.js";

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
