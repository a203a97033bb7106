import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inNode } from "../support/shortLived.js";
import { MAIN_KEYS, startProduct } from "./product.js";

/** The exchange, since without the package there is no embedded one. */
let sandbox: Sandbox;
let folder: string;
let program: string;
beforeAll(async () => {
  sandbox = await startSandbox({ signedQuery: "decoded", hasPast: false });
  folder = await mkdtemp(join(tmpdir(), "exchange-graph-bare-"));
  program = await installedWithout(["sandbox", "replicas"]);
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** An installation with every package except some. Returns its program. */
async function installedWithout(missing: readonly string[]): Promise<string> {
  // A program, because copying thousands of files by `fs.cp` takes seconds of processor time.
  await promisify(execFile)("cp", ["-R", resolve("dist"), folder]);
  for (const name of missing) await rm(join(folder, "dist/packages", name), { recursive: true, force: true });
  await cp(resolve("package.json"), join(folder, "package.json"));
  for (const app of ["desk", "docs", "graphiql"]) {
    await mkdir(join(folder, "apps", app), { recursive: true });
    await symlink(resolve("apps", app, "dist"), join(folder, "apps", app, "dist"));
  }
  await mkdir(join(folder, "node_modules/@exchange-graph"), { recursive: true });
  const link = (name: string) => symlink(resolve("node_modules", name), join(folder, "node_modules", name));
  for (const name of await readdir(resolve("node_modules"))) if (name !== "@exchange-graph") await link(name);
  for (const name of ["contract", "sandbox"]) if (!missing.includes(name)) await link(`@exchange-graph/${name}`);
  return join(folder, "dist/src/main.js");
}

describe("the product with neither the sandbox nor the package for replicas installed", () => {
  const start = (settings: Readonly<Record<string, string>>) => startProduct(settings, inNode(program));
  const inFront = () => ({ ...MAIN_KEYS, EXCHANGE_BASE_URL: sandbox.url, EXCHANGE_WS_URL: sandbox.wsUrl });

  it("does all that one process does: it reads, writes, journals and streams", async () => {
    const product = await start({ ...inFront(), JOURNAL_PATH: join(folder, "journal.sqlite") });
    if ("exitCode" in product) throw new Error(product.output);
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    const ask = async (query: string) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${product.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
      return answer.json();
    };
    const order = 'category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "20000"';
    expect(
      await ask(
        `mutation { placeOrder(input: { account: "main", ${order}, clientOid: "alone" }) { outcome journalEntry { clientOid } } }`,
      ),
    ).toMatchObject({ data: { placeOrder: { outcome: "ACCEPTED", journalEntry: { clientOid: "alone" } } } });
    expect(
      await ask('{ account(name: "main") { openOrders { nodes { clientOid } } journal(first: 1) { nodes { clientOid } } } }'),
    ).toMatchObject({
      data: {
        account: {
          openOrders: { nodes: expect.arrayContaining([{ clientOid: "alone" }]) },
          journal: { nodes: [{ clientOid: "alone" }] },
        },
      },
    });
    const events = await fetch(
      `${product.url}/graphql/stream?query=${encodeURIComponent('subscription { ticker(category: SPOT, symbol: "BTCUSDT") { symbol } }')}`,
      {
        headers: { accept: "text/event-stream" },
      },
    );
    const reader = events.body?.getReader();
    let text = "";
    while (reader !== undefined && !text.includes("BTCUSDT")) text += new TextDecoder().decode((await reader.read()).value);
    await reader?.cancel();
    expect(text).toContain("event: next");
    await product.stop();
  });

  it("reports which package is missing, with settings that need it and without an exchange", async () => {
    // Both starts in one process: loading a thousand files takes most of the time of each.
    const settings = [{ ...inFront(), DATABASE_URL: "postgres://u:p@127.0.0.1:9/x" }, {}];
    const both = `const { exit } = process;
      for (const [at, settings] of ${JSON.stringify(settings)}.entries()) {
        process.env = settings;
        await new Promise((ended) => {
          process.exit = (code) => ended(console.log("exit code", code));
          void import(${JSON.stringify(pathToFileURL(program).href)} + "?" + at);
        });
      }
      exit();`;
    const ended = await startProduct({}, inNode("--input-type=module", "--eval", both));
    expect("exitCode" in ended && ended.output.split("\n")).toEqual([
      "exchange-graph cannot start:",
      expect.stringContaining("the package for replicas (packages/replicas) is not installed"),
      "exit code 1",
      "exchange-graph cannot start:",
      expect.stringContaining(
        "EXCHANGE_BASE_URL is not set, and the embedded sandbox (@exchange-graph/sandbox) is not installed",
      ),
      "exit code 1",
      "",
    ]);
  });
});
