import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildSchema } from "graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type Product, servingProduct } from "../e2e/product.js";
import { Checkout } from "../support/checkout.js";
import { freePort } from "../support/freePort.js";
import { describeUnless } from "../support/missing.js";
import { codeOf } from "../support/pages.js";
import { expectFirstAnswer } from "./firstQuery.js";
import { ACCOUNTS_INSIDE, type Image, ImageStore, whyNoImages } from "./images.js";

const MAX_BYTES = 112_000_000;
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
const ACCOUNTS = "deploy/kubernetes/overlays/sandbox/accounts.json";

const filesOf = (root: string): readonly { readonly path: string; readonly bytes: number; readonly mode: number }[] =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).flatMap((path) => {
    const { size, mode, isDirectory } = ((stats) => ({ ...stats, isDirectory: stats.isDirectory() }))(
      lstatSync(join(root, path)),
    );
    return isDirectory ? [] : [{ path, bytes: size, mode }];
  });

const missing = whyNoImages();

describeUnless(missing, "the images", () => {
  const checkout = new Checkout();
  const store = new ImageStore();
  let gateway: Image;
  let sandbox: Image;
  let exchange: { readonly url: string; stop(): Promise<unknown> } | undefined;
  let product: Product;
  let settings: Record<string, string>;

  /** The sandbox's image as a process; it prints its address. */
  async function startExchange(): Promise<NonNullable<typeof exchange>> {
    const [program = "", ...words] = sandbox.command();
    const child = spawn(program, words, { env: { SANDBOX_PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] });
    process.once("exit", () => child.kill("SIGKILL"));
    const [line] = await once(child.stdout, "data");
    const [, url = ""] = /sandbox exchange on (\S+),/.exec(String(line)) ?? [];
    const ended = once(child, "exit");
    return {
      url,
      async stop() {
        child.kill();
        return (await ended)[0];
      },
    };
  }

  beforeAll(async () => {
    for (const code of codeOf("images")) await checkout.run(code, store.shell);
    gateway = store.image(`exchange-graph:${version}`, resolve(ACCOUNTS));
    sandbox = store.image(`exchange-graph-sandbox:${version}`);
    exchange = await startExchange();
    const ports = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
    settings = {
      ...ports,
      EXCHANGE_BASE_URL: exchange.url,
      EXCHANGE_WS_URL: exchange.url.replace("http", "ws"),
      EXCHANGE_ACCOUNTS_FILE: ACCOUNTS_INSIDE,
    };
    product = await servingProduct(settings, gateway.command());
  }, 180_000);
  afterAll(async () => {
    const ended = await exchange?.stop();
    store.remove();
    checkout.remove();
    expect(ended).toBe(0);
  });

  const ask = async (query: string): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${product.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
    return answer.json();
  };

  it("hold Node, the program and what Node needs, and nothing else", () => {
    for (const { root } of [gateway, sandbox]) {
      expect(readdirSync(root).sort()).toEqual(
        ["app", "dev", "etc", "lib", "lib64", "proc", "sys", "tmp", "usr", "var"].filter(
          (name) => name !== "lib64" || existsSync(join(root, name)),
        ),
      );
      const outside = filesOf(root).filter(({ path }) => !path.startsWith("app/") && !/^lib(?:64)?\//.test(path));
      expect(outside.map(({ path }) => path).sort()).toEqual([
        "etc/group",
        "etc/nsswitch.conf",
        "etc/passwd",
        "usr/local/bin/node",
      ]);
      expect(filesOf(root).filter(({ mode }) => (mode & 0o6000) !== 0)).toEqual([]);
    }
  });

  it("are small", () => {
    for (const { root } of [gateway, sandbox]) {
      const files = filesOf(root);
      const node = files.find(({ path }) => path === "usr/local/bin/node")?.bytes ?? 0;
      const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
      expect(all - node).toBeLessThan(26_000_000);
      // Node 22 and 24 are larger than Node 20.
      if (process.versions.node.startsWith("20.")) expect(all).toBeLessThan(MAX_BYTES);
    }
  });

  it("name their version, and leave the state to their user", () => {
    expect(gateway.config.Labels).toMatchObject({ "org.opencontainers.image.version": version });
    expect(lstatSync(join(gateway.root, "var/lib/exchange-graph")).uid).toBe(65_532);
    expect(lstatSync(join(gateway.root, "var/lib")).uid).toBe(0);
  });

  it("answer the README's first query, as an unprivileged user on a read-only root", async () => {
    await expectFirstAnswer(product.url);
    const script = `try { require("fs").writeFileSync("/app/x", "") } catch (error) { console.log(error.code, process.getuid(), process.getgroups()) }`;
    const [program = "", ...words] = gateway.command("/usr/local/bin/node", "-e", script);
    expect(spawnSync(program, words, { encoding: "utf8" }).stdout).toBe("EROFS 65532 [ 65532 ]\n");
  });

  it("place an order, which is in the journal on the mounted volume", async () => {
    const placed = await ask(
      'mutation { placeOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: MARKET, quoteQty: "50", idempotencyKey: "image" }) { outcome } }',
    );
    expect(placed).toEqual({ data: { placeOrder: { outcome: "ACCEPTED" } } });
    const known = await ask('{ account(name: "main") { journal { nodes { idempotencyKey } } } }');
    expect(known).toEqual({ data: { account: { journal: { nodes: [{ idempotencyKey: "image" }] } } } });
  });

  it("have the published schema: bundling has renamed nothing", async () => {
    const answered = z
      .object({ data: z.object({ __schema: z.object({ types: z.array(z.object({ name: z.string() })) }) }) })
      .parse(await ask("{ __schema { types { name } } }"));
    const published = Object.keys(buildSchema(readFileSync("schema.graphql", "utf8")).getTypeMap());
    expect(answered.data.__schema.types.map(({ name }) => name).sort()).toEqual(published.sort());
  });

  it.each(["/", "/graphiql"])("serve the page at %s with its assets", async (path) => {
    const page = await (await fetch(product.url + path, { headers: { accept: "text/html" } })).text();
    const assets = [...page.matchAll(/(?:src|href)="(\/\w+\/assets\/[^"]+)"/g)].map(([, asset]) => asset);
    expect(assets.length).toBeGreaterThan(0);
    for (const path of assets) {
      const asset = await fetch(product.url + path);
      const { length } = await asset.text();
      expect(length).toBeGreaterThan(0);
      // Small files are not compressed.
      expect([path, asset.status, asset.headers.get("content-encoding")]).toEqual([path, 200, length < 512 ? null : "gzip"]);
    }
  });

  it("serve the documentation, compressed or not, with what its pages load", async () => {
    for (const encoding of ["gzip", "identity"]) {
      const headers = { "accept-encoding": encoding };
      const page = await fetch(`${product.url}/docs/reference`, { headers });
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      const text = await page.text();
      expect(text).toContain("SHUTDOWN_DELAY_MS");
      const assets = [...text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, asset]) => asset);
      expect(assets.length).toBeGreaterThan(1);
      for (const path of assets) {
        const asset = await fetch(product.url + path, { headers });
        expect([path, asset.status, (await asset.text()).length > 100]).toEqual([path, 200, true]);
      }
    }
  });

  it("check their own health, and end on SIGTERM", async () => {
    const [program = "", ...words] = gateway.command(...(gateway.config.Healthcheck?.Test.slice(1) ?? []));
    const { status, stdout } = spawnSync(program, words, { encoding: "utf8", env: settings });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '{"status":"ok"}\n' });
    expect(await product.stop()).toBe(0);
  });

  it("list their components with licences", () => {
    const bill = z.object({ components: z.array(z.object({ name: z.string(), version: z.string().optional() })) });
    const componentsOf = ({ root }: Image) =>
      bill.parse(JSON.parse(readFileSync(join(root, "app/sbom.cdx.json"), "utf8"))).components.map(({ name }) => name);
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync("package.json", "utf8")));
    const theirs = Object.keys(dependencies).filter((name) => !name.startsWith("@exchange-graph/"));
    expect(componentsOf(gateway)).toEqual(expect.arrayContaining([...theirs, "graphiql", "react", "node"]));
    expect(componentsOf(sandbox)).toEqual(expect.arrayContaining(["ws", "zod", "big.js", "node"]));
    const licences = readFileSync(join(gateway.root, "app/LICENSES.txt"), "utf8");
    for (const name of theirs) expect(licences).toContain(`${name} ${dependencies[name]} (`);
  });
});
