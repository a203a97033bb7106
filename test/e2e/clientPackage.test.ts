import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build, preview } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeUnless } from "../support/missing.js";
import { codeOf } from "../support/pages.js";
import { LEFT_OUT } from "./desk/support.js";
import { productTest } from "./support/productTest.js";

const run = promisify(execFile);

/** What an app has beside the client, installed from this repository's packages: the test needs no registry. */
const BESIDE = [
  ...["react", "react-dom", "scheduler", "@types/react", "@types/react-dom", "csstype"],
  ...["@graphql-typed-document-node/core", "graphql", "@urql/core", "@0no-co/graphql.web", "wonka"],
];

/** An app outside the workspace. */
let app: string;
beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), "app-"));
  const packed = await run("npm", ["pack", resolve("packages/client"), "--silent", "--pack-destination", app]);
  await writeFile(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  const [install = ""] = codeOf("clientInstall");
  const [command = "", ...words] = install.trim().replace("@exchange-graph/client", `./${packed.stdout.trim()}`).split(" ");
  const here = ["--offline", "--install-links", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run(command, [...words, ...here, ...BESIDE.map((name) => resolve("node_modules", name))], { cwd: app });
  await writeFile(join(app, "main.tsx"), codeOf("clientReact").join(""));
  await writeFile(join(app, "index.html"), '<!doctype html><title>App</title><script type="module" src="/main.tsx"></script>');
});
afterAll(() => rm(app, { recursive: true }));

const installed = (...path: readonly string[]) => join(app, "node_modules/@exchange-graph/client", ...path);

/** Builds the app, from an entry; returns the code. */
async function bundled(input: string): Promise<string> {
  const rolldownOptions = { input: join(app, input) };
  const built = await build({ root: app, configFile: false, logLevel: "warn", build: { write: false, rolldownOptions } });
  if (!("output" in built)) throw new Error("it was not built once");
  return built.output.map((file) => (file.type === "chunk" ? file.code : "")).join("\n");
}

describe("the client, installed from its archive outside the workspace", () => {
  it("is its build, its sources and its licence, and nothing else", async () => {
    expect((await readdir(installed())).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json", "src"]);
    const manifest = JSON.parse(await readFile(installed("package.json"), "utf8"));
    expect(manifest.private).toBeUndefined();
    const files = (await readdir(installed(), { recursive: true })).filter((name) => /tsbuildinfo|\.test\.|gql\./.test(name));
    expect(files).toEqual([]);
    expect(await readFile(installed("README.md"), "utf8")).toMatch(/^# @exchange-graph\/client\n\n```sh\nnpm install /);
  });

  it.each(["bundler", "nodenext"])("has types for strict TypeScript with the module resolution %s", async (moduleResolution) => {
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true },
      ...{ target: "ES2022", module: moduleResolution === "bundler" ? "esnext" : "nodenext", moduleResolution },
      ...{ lib: ["ES2022", "DOM", "DOM.Iterable"], jsx: "react-jsx", noEmit: true, skipLibCheck: false, types: [] },
    };
    await writeFile(
      join(app, "uses.ts"),
      `import { Client } from "@urql/core";
       import { createClient } from "@exchange-graph/client";
       import { frontEnd } from "@exchange-graph/client/codegen";
       import { type PortfolioQuery, PortfolioDocument } from "@exchange-graph/client/documents";
       import { clientExchange } from "@exchange-graph/client/urql";
       const client = createClient({ url: "/graphql" });
       export const urql = new Client({ url: "/graphql", preferGetMethod: false, exchanges: [clientExchange(client)] });
       export const names: readonly string[] = (await client.query(PortfolioDocument)).data?.accounts.map(({ name }) => name) ?? [];
       export const config = frontEnd();
       // @ts-expect-error: an amount is decimal text
       export const amount = (portfolio: PortfolioQuery): number | null | undefined => portfolio.accounts[0]?.totalEquity;`,
    );
    await writeFile(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.tsx", "uses.ts"] }));
    // It lives for seconds: its garbage is collected less often.
    const env = { ...process.env, GOGC: "400" };
    const { stdout } = await run(resolve("node_modules/.bin/tsc"), ["-p", app], { env }).catch((error) => error);
    expect(stdout).toBe("");
  });

  it("adds one document to a page that imports one", async () => {
    await writeFile(
      join(app, "one.js"),
      'import { WatchTickerDocument } from "@exchange-graph/client/documents"; console.log(WatchTickerDocument.toString());',
    );
    const code = await bundled("one.js");
    expect(code).toContain("subscription WatchTicker");
    expect(code.match(/\b(?:query|mutation|subscription) \w+/g)).toEqual(["subscription WatchTicker"]);
    expect(code.length).toBeLessThan(1_000);
  });
});

describeUnless(LEFT_OUT, "the page of its hooks", () => {
  productTest("shows a price that lives, its orders, and the outcome of an order", async ({ page, product }) => {
    const source = join(app, "main.tsx");
    await writeFile(source, codeOf("clientReact").join("").replace("http://127.0.0.1:4000", ""));
    await build({ root: app, configFile: false, logLevel: "warn" });
    const proxy = { "/graphql": { target: product.url, ws: true } };
    const served = await preview({ root: app, configFile: false, preview: { host: "127.0.0.1", port: 0, proxy } });
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(served.resolvedUrls?.local[0] ?? "");

    await page.locator("output[title=live]", { hasText: /^\d[\d,]*(\.\d+)?$/ }).waitFor();
    const first = await page.locator("output").innerText();
    await page.waitForFunction((before) => document.querySelector("output")?.textContent !== before, first);
    const mine = page.locator("li", { hasText: "BUY 0.001 at 50000" });
    await page.getByRole("button", { name: "Refresh" }).waitFor();
    const before = await mine.count();
    await page.getByRole("button", { name: "Buy 0.001 at 50,000: idle" }).click();
    await page.getByRole("button", { name: "Buy 0.001 at 50,000: accepted" }).waitFor();
    await page.getByRole("button", { name: "Refresh" }).click();
    await mine.nth(before).waitFor();
    expect(complaints).toEqual([]);
    await served.close();
  });
});
