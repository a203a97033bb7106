import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

const LONG = "export const long = 1;\n".repeat(100);
const folder = mkdtempSync(join(tmpdir(), "page-"));
let tiny: TinyGateway;
beforeAll(async () => {
  await cp(fileURLToPath(new URL("../../support/gateway/page", import.meta.url)), folder, { recursive: true });
  await writeFile(join(folder, "assets/long.js"), LONG);
  await promisify(execFile)(process.execPath, ["apps/precompress.js", join(folder, "assets")]);
  tiny = await tinyGateway({ graphiqlFolder: folder });
});
afterAll(async () => {
  await tiny.gateway.stop();
  await rm(folder, { recursive: true });
});

/** Sends the path and the accepted encodings unchanged, and returns the raw body. */
const raw = async (path: string, headers: Record<string, string> = {}) => {
  const { hostname, port } = new URL(tiny.url);
  const [answer] = await once(request({ hostname, port, path, headers }).end(), "response");
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
};

describe("the GraphiQL page", () => {
  it("is revalidated each time, its assets are cached permanently", async () => {
    const page = await fetch(`${tiny.url}/graphiql`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const asset = await fetch(`${tiny.url}/graphiql/assets/script.js`);
    expect(asset.headers.get("content-type")).toMatch(/javascript; charset=utf-8$/);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("is not sent a second time while it is unchanged", async () => {
    const { headers } = await fetch(`${tiny.url}/graphiql`);
    const again = await fetch(`${tiny.url}/graphiql`, { headers: { "if-none-match": headers.get("etag") ?? "" } });
    expect([again.status, await again.text(), again.headers.get("cache-control")]).toEqual([304, "", "no-cache"]);
  });

  it.each([
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["identity", undefined],
  ])("has its assets compressed for clients that accept %s", async (accepted, encoding) => {
    const { status, headers, body } = await raw("/graphiql/assets/long.js", { "accept-encoding": accepted });
    expect([status, headers["content-encoding"], headers.vary]).toEqual([200, encoding, "accept-encoding"]);
    expect(headers["content-type"]).toMatch(/javascript/);
    const plain = encoding === "br" ? brotliDecompressSync(body) : encoding === "gzip" ? gunzipSync(body) : body;
    expect(plain.toString()).toBe(LONG);
  });

  it("may load scripts from, and call, this server only", async () => {
    const policy = (await fetch(`${tiny.url}/graphiql`)).headers.get("content-security-policy") ?? "";
    const directives = new Map(policy.split("; ").map((directive) => [directive.split(" ")[0], directive]));
    expect(directives.get("default-src")).toBe("default-src 'self'");
    expect(directives.get("connect-src")).toBe("connect-src 'self'");
    expect(directives.has("script-src")).toBe(false);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  it.each(["text/html,application/xhtml+xml,*/*;q=0.8", "application/json", "*/*"])(
    "is where / redirects clients that accept %s without a desk",
    async (accept) => {
      const response = await fetch(`${tiny.url}/`, { headers: { accept }, redirect: "manual" });
      expect([response.status, response.headers.get("location")]).toEqual([302, "/graphiql"]);
    },
  );

  it.each([
    "/graphiql/assets/",
    "/graphiql/assets/nothing.js",
    "/graphiql/assets/../index.html",
    "/graphiql/assets/%2e%2e/index.html",
  ])("gives away no other file: %s", async (path) => {
    expect((await raw(path)).status).toBeGreaterThanOrEqual(400);
  });

  it("that was not built keeps the server from starting", async () => {
    await expect(tinyGateway({ graphiqlFolder: fileURLToPath(new URL("../nowhere", import.meta.url)) })).rejects.toThrow(
      "npm run build",
    );
  });
});

describe("a path that leads nowhere", () => {
  it("points a browser to the existing pages", async () => {
    const answer = await fetch(`${tiny.url}/grpahql`, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    const links = [...(await answer.text()).matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
    expect(links).toEqual(["/", "/graphiql"]);
    const statuses = await Promise.all(
      links.map(async (path) => (await fetch(tiny.url + path, { headers: { accept: "text/html" } })).status),
    );
    expect(statuses).toEqual([200, 200]);
  });

  it("answers a program with a GraphQL error", async () => {
    const answer = await fetch(`${tiny.url}/grpahql`, { headers: { accept: "application/json" } });
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { errors: [{ message: expect.stringContaining("/graphiql") }] },
    ]);
  });
});
