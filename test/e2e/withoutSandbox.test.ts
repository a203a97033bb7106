import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProduct } from "./product.js";

/** An installation with every package except `@exchange-graph/sandbox`. */
const folder = await mkdtemp(join(tmpdir(), "exchange-graph-bare-"));

beforeAll(async () => {
  await cp(resolve("dist"), join(folder, "dist"), { recursive: true, filter: (path) => !path.endsWith(".map") });
  await cp(resolve("package.json"), join(folder, "package.json"));
  for (const app of ["desk", "docs", "graphiql"])
    await cp(resolve("apps", app, "dist"), join(folder, "apps", app, "dist"), { recursive: true });
  await mkdir(join(folder, "node_modules/@exchange-graph"), { recursive: true });
  const link = (name: string) => symlink(resolve("node_modules", name), join(folder, "node_modules", name));
  for (const name of await readdir(resolve("node_modules"))) if (name !== "@exchange-graph") await link(name);
  await link("@exchange-graph/contract");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (settings: Readonly<Record<string, string>>) =>
  startProduct(settings, [process.execPath, join(folder, "dist/src/main.js")]);

describe("the product without the sandbox installed", { timeout: 60_000 }, () => {
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
