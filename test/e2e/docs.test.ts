import { expect } from "vitest";
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
