import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

const site = fileURLToPath(new URL("../../support/gateway/site", import.meta.url));

let tiny: TinyGateway;
beforeAll(async () => {
  tiny = await tinyGateway({ docsFolder: site });
});
afterAll(() => tiny.gateway.stop());

describe("the documentation", () => {
  it.each([
    ["/docs/", "first"],
    ["/docs/writes", "writes"],
    ["/docs/schema", "schema"],
    ["/docs/schema/Order", "Order"],
  ])("is served without endings: %s", async (path, title) => {
    const page = await fetch(`${tiny.url}${path}`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect(await page.text()).toContain(`<title>${title}</title>`);
  });

  it("is found without the trailing slash", async () => {
    const answer = await fetch(`${tiny.url}/docs`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/docs/"]);
  });

  it("may load only from this server", async () => {
    const policy = (await fetch(`${tiny.url}/docs/`)).headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'self'; /);
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
  });

  it("has assets that are cached permanently, and compressed for clients that accept it", async () => {
    const asset = await fetch(`${tiny.url}/docs/assets/main.js`, { headers: { "accept-encoding": "gzip" } });
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(asset.headers.get("content-encoding")).toBe("gzip");
    expect(asset.headers.get("vary")).toBe("accept-encoding");
    expect(await asset.text()).toBe("export {};\n");
  });

  it.each(["gzip", "identity"])(
    "may exist only compressed, and is decompressed for clients that require it: %s",
    async (encoding) => {
      const page = await fetch(`${tiny.url}/docs/packed`, { headers: { "accept-encoding": encoding } });
      expect([page.status, page.headers.get("content-type"), page.headers.get("content-encoding")]).toEqual([
        200,
        "text/html; charset=utf-8",
        encoding === "gzip" ? "gzip" : null,
      ]);
      expect(await page.text()).toContain("<title>packed</title>");
    },
  );

  it.each([
    "/docs/nothing",
    "/docs/assets/",
    "/docs/schema/",
    "/docs/../docs.ts",
    "/docs/%2e%2e/page/index.html",
    "/docs/..%2fpage/index.html",
    "/docs/assets//main.js",
  ])("gives away no other file: %s", async (path) => {
    const { hostname, port } = new URL(tiny.url);
    const status = await new Promise((resolve) =>
      request({ hostname, port, path }, (answer) => resolve(answer.resume().statusCode)).end(),
    );
    expect(status).toBe(404);
  });

  it("that was not built keeps the server from starting", async () => {
    await expect(tinyGateway({ docsFolder: `${site}/nowhere` })).rejects.toThrow("npm run build");
  });

  it("is linked from responses for unknown paths", async () => {
    const answer = await fetch(`${tiny.url}/nowhere`, { headers: { accept: "text/html" } });
    expect(await answer.text()).toContain('<a href="/docs">');
  });
});
