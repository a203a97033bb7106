import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inNode, startProduct } from "./product.js";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** An installation with every package except one. Returns its program. */
async function installedWithout(missing: "sandbox" | "replicas"): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "exchange-graph-bare-"));
  folders.push(folder);
  // A program, because copying thousands of files by `fs.cp` takes seconds of processor time.
  await promisify(execFile)("cp", ["-R", resolve("dist"), folder]);
  await rm(join(folder, "dist/packages", missing), { recursive: true, force: true });
  await cp(resolve("package.json"), join(folder, "package.json"));
  for (const app of ["desk", "docs", "graphiql"]) {
    await mkdir(join(folder, "apps", app), { recursive: true });
    await symlink(resolve("apps", app, "dist"), join(folder, "apps", app, "dist"));
  }
  await mkdir(join(folder, "node_modules/@exchange-graph"), { recursive: true });
  const link = (name: string) => symlink(resolve("node_modules", name), join(folder, "node_modules", name));
  for (const name of await readdir(resolve("node_modules"))) if (name !== "@exchange-graph") await link(name);
  for (const name of ["contract", "sandbox"]) if (name !== missing) await link(`@exchange-graph/${name}`);
  return join(folder, "dist/src/main.js");
}

describe("the product without the sandbox installed", () => {
  let program: string;
  beforeAll(async () => {
    program = await installedWithout("sandbox");
  });
  const start = (settings: Readonly<Record<string, string>>) => startProduct(settings, inNode(program));

  it("serves in front of an exchange", async () => {
    const product = await start({
      EXCHANGE_BASE_URL: "http://127.0.0.1:9",
      EXCHANGE_API_KEY: "key-of-nobody",
      EXCHANGE_API_SECRET: "secret-of-nobody",
      EXCHANGE_API_PASSPHRASE: "passphrase-of-nobody",
    });
    if ("exitCode" in product) throw new Error(product.output);
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    await product.stop();
  });

  it("reports without one what is missing", async () => {
    const ended = await start({});
    expect(ended).toMatchObject({ exitCode: 1 });
    expect("output" in ended && ended.output).toContain(
      "EXCHANGE_BASE_URL is not set, and the embedded sandbox (@exchange-graph/sandbox) is not installed",
    );
  });
});

describe("the product without the package for replicas", () => {
  let program: string;
  beforeAll(async () => {
    program = await installedWithout("replicas");
  });
  const start = (settings: Readonly<Record<string, string>>) => startProduct(settings, inNode(program));

  it("does all that one process does: it reads, writes, journals and streams", async () => {
    const product = await start({ JOURNAL_PATH: join(folders.at(-1) ?? "", "journal.sqlite") });
    if ("exitCode" in product) throw new Error(product.output);
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

  it("reports what is missing with settings that need it", async () => {
    const ended = await start({ DATABASE_URL: "postgres://u:p@127.0.0.1:9/x" });
    expect(ended).toMatchObject({ exitCode: 1 });
    expect("output" in ended && ended.output).toContain("the package for replicas (packages/replicas) is not installed");
  });
});
