import { spawn } from "node:child_process";
import { expect } from "vitest";
import { killedAtExit } from "../support/killedAtExit.js";
import { describeUnless } from "../support/missing.js";
import { codeOf } from "../support/pages.js";
import { LEFT_OUT } from "./desk/support.js";
import { productTest } from "./support/productTest.js";

/** The examples, served by the command of their page in front of the product. */
const exampleTest = productTest.extend<{ readonly origin: string }>({
  origin: [
    async ({ product }, use) => {
      const [command = "", ...others] = codeOf("examples");
      expect(others).toEqual([]);
      const child = spawn("bash", ["-euc", command.replace("http://127.0.0.1:4000", product.url)], {
        env: { ...process.env, NO_COLOR: "1" },
        stdio: ["ignore", "pipe", "inherit"],
        detached: true,
      });
      // The command's own processes end with it.
      const end = () => void (child.pid !== undefined && process.kill(-child.pid));
      child.once("close", killedAtExit(end));
      const origin = await new Promise<string>((resolve) => {
        let output = "";
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          output += text;
          const [, url] = /Local: +(\S+)/.exec(output) ?? [];
          if (url !== undefined) resolve(url);
        });
      });
      await use(origin);
      end();
    },
    { scope: "file" },
  ],
});

describeUnless(LEFT_OUT, "an example", () => {
  for (const library of ["urql", "apollo"])
    exampleTest(`for ${library} shows a price that lives, and an order once it is placed`, async ({ page, origin }) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      await page.goto(`${origin}${library}.html`);
      await page.locator("#price", { hasText: /^\d[\d,]*(\.\d+)?$/ }).waitFor();
      const first = await page.locator("#price").innerText();
      await page.waitForFunction((before) => document.querySelector("#price")?.textContent !== before, first);
      const before = await page.locator("#orders li").count();
      await page.getByRole("button", { name: "Buy 0.001 at 50,000" }).click();
      await page.getByRole("status").getByText("accepted", { exact: true }).waitFor();
      await page.waitForFunction((rows) => document.querySelectorAll("#orders li").length > rows, before);
      await page.locator("#orders li", { hasText: "BUY 0.001 at 50,000: NEW" }).first().waitFor();
      expect(complaints).toEqual([]);
    });
});
