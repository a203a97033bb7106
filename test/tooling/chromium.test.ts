import { expect, test } from "vitest";
import { browserTest, chromiumPath } from "../support/chromium.js";

test("CHROMIUM_PATH alone decides where it is set", () => {
  expect(chromiumPath({ CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
  expect(chromiumPath({ CHROMIUM_PATH: "/nowhere/chromium" })).toBeUndefined();
});

browserTest("a browser test drives a real page", async ({ page }) => {
  await page.setContent("<h1>exchange-graph</h1>");
  expect(await page.textContent("h1")).toBe("exchange-graph");
});

browserTest("a page cannot reach another machine", async ({ page }) => {
  await expect(page.goto("http://example.com/")).rejects.toThrow("ERR_NAME_NOT_RESOLVED");
});
