import { expect } from "vitest";
import { describeUnless } from "../support/missing.js";
import { findings, LEFT_OUT } from "./desk/support.js";
import { productTest } from "./support/productTest.js";

/** A page of each kind of the documentation. */
const DOCS = [
  "/docs",
  "/docs/client",
  "/docs/subscriptions",
  "/docs/desk",
  "/docs/schema",
  "/docs/schema/Query",
  "/docs/schema/OrderSide",
];

describeUnless(LEFT_OUT, "axe", () => {
  productTest("finds nothing on the documentation's pages, light and dark", async ({ page, product }) => {
    for (const path of DOCS) {
      const answer = await page.goto(`${product.url}${path}`);
      expect(answer?.status(), path).toBe(200);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await findings(page), `${path}, ${colorScheme}`).toEqual([]);
      }
    }
  });

  productTest("finds nothing on GraphiQL's page but what GraphiQL nests in its tabs", async ({ page, product }) => {
    await page.goto(`${product.url}/graphiql`);
    await page.locator(".graphiql-query-editor").getByText("FirstLook").waitFor();
    // GraphiQL's tabs have buttons inside of buttons.
    const own = (await findings(page)).filter((finding) => !finding.startsWith("nested-interactive: "));
    expect(own).toEqual([]);
  });
});
