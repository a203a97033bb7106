import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type UserConfig, createServer as viteServer } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Product, servingProduct } from "./product.js";

/** What the pages print is run as it stands, against the product on another port, and with files in another folder. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "pages-"));
let product: Product;
beforeAll(async () => {
  product = await servingProduct();
}, 60_000);
afterAll(async () => {
  await product.stop();
  rmSync(folder, { recursive: true });
});

const PAGES = ["README.md", "docs/graph.md", "docs/operating.md", "docs/security.md", "docs/subscriptions.md"];
const blocks = (language: string): readonly { readonly page: string; readonly code: string }[] =>
  PAGES.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, marked, code = ""]) =>
      marked === language ? [{ page, code }] : [],
    ),
  );
const here = (code: string): string =>
  code.replaceAll("127.0.0.1:4000", new URL(product.url).host).replaceAll("clients.json", join(folder, "clients.json"));
const isStream = (code: string): boolean => code.includes("-sN");

describe("what the pages print", { timeout: 60_000 }, () => {
  it("asks the gateway what it says", async () => {
    const asking = blocks("sh").filter(({ code }) => code.startsWith("curl") && !isStream(code));
    expect(new Set(asking.map(({ page }) => page))).toEqual(new Set(["README.md", "docs/operating.md"]));
    for (const { page, code } of asking) {
      const { stdout } = await run("bash", ["-euc", here(code)]);
      expect(stdout, `${page}: ${code}`).not.toBe("");
      expect(stdout, `${page}: ${code}`).not.toMatch(/"errors"|"REJECTED"/);
      expect(stdout, `${page}: ${code}`).not.toMatch(/^HTTP\/1\.1 [45]/m);
    }
  });

  it("follows a stream of events", async () => {
    const [{ code } = { code: "" }] = blocks("sh").filter((block) => isStream(block.code));
    const curl = spawn("bash", ["-euc", `exec ${here(code)}`], { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    for await (const chunk of curl.stdout) {
      printed += String(chunk);
      if (printed.includes("lastPrice")) break;
    }
    curl.kill();
    expect(printed).toMatch(/^event: next\ndata: \{.*"lastPrice"/m);
  });

  it("makes tokens, lists and revokes them, one block after the other", async () => {
    const blocksOfTokens = blocks("sh").filter(({ code }) => code.startsWith("npm run --silent token"));
    expect(blocksOfTokens.map(({ page }) => page)).toEqual(["README.md", "docs/operating.md"]);
    const printed: string[] = [];
    for (const { code } of blocksOfTokens) printed.push((await run("bash", ["-euc", here(code)])).stdout);
    expect(printed[0]).toMatch(/^exgt_\S+\n$/);
    expect(printed[1]).toMatch(/^exgt_\S+\nexgt_\S+\nid\tname\t.*\n\S+\tdesk\t.*\n\S+\ttrader\t.*\n\S+\tscreens\t.*\t3\n/);
    const left: unknown = JSON.parse(readFileSync(join(folder, "clients.json"), "utf8"));
    expect(left).toMatchObject({ tokens: [{ name: "desk" }, { name: "screens", weight: 3 }] });
  });

  it("has Vite pass queries and sockets of a page on", async () => {
    const [{ code } = { code: "" }] = blocks("js").filter((block) => block.code.includes('from "vite"'));
    const file = join(folder, "vite.config.mjs");
    const ours = `from "${pathToFileURL(resolve("node_modules/vite/dist/node/index.js")).href}"`;
    writeFileSync(file, here(code).replace('from "vite"', ours));
    const { default: config } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default: UserConfig };
    const vite = await viteServer({
      ...config,
      configFile: false,
      root: folder,
      logLevel: "silent",
      server: { ...config.server, host: "127.0.0.1", port: 0 },
    });
    await vite.listen();
    const [origin = ""] = vite.resolvedUrls?.local ?? [];
    const answer = await fetch(new URL("/graphql", origin), {
      method: "POST",
      headers: { "content-type": "application/json", origin: new URL(origin).origin },
      body: JSON.stringify({ query: "{ accounts { name } }" }),
    });
    expect(await answer.json()).toMatchObject({
      data: { accounts: [{ name: "main" }, { name: "classic" }, { name: "broker" }] },
    });
    const socket = new WebSocket(new URL("/graphql", origin.replace("http", "ws")), "graphql-transport-ws", {
      origin: new URL(origin).origin,
    });
    await once(socket, "open");
    socket.send('{"type":"connection_init"}');
    expect(String((await once(socket, "message"))[0])).toContain("connection_ack");
    socket.close();
    await vite.close();
  });
});
