import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

let tiny: TinyGateway;
beforeAll(async () => {
  tiny = await tinyGateway();
});
afterAll(() => tiny.gateway.stop());

describe("the GraphiQL page", () => {
  it("is asked for anew each time, its assets are kept for good", async () => {
    const page = await fetch(`${tiny.url}/graphiql`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const asset = await fetch(`${tiny.url}/graphiql/assets/script.js`);
    expect(asset.headers.get("content-type")).toMatch(/javascript; charset=utf-8$/);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("may load scripts, and call, nobody but this server", async () => {
    const policy = (await fetch(`${tiny.url}/graphiql`)).headers.get("content-security-policy") ?? "";
    const directives = new Map(policy.split("; ").map((directive) => [directive.split(" ")[0], directive]));
    expect(directives.get("default-src")).toBe("default-src 'self'");
    expect(directives.get("connect-src")).toBe("connect-src 'self'");
    expect(directives.has("script-src")).toBe(false);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  it.each([
    ["text/html,application/xhtml+xml,*/*;q=0.8", 302, "/graphiql"],
    ["application/json", 404, null],
    ["*/*", 404, null],
  ])("is where / leads whoever accepts %s: %i", async (accept, status, location) => {
    const response = await fetch(`${tiny.url}/`, { headers: { accept }, redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([status, location]);
  });

  it.each([
    "/graphiql/assets/",
    "/graphiql/assets/nothing.js",
    "/graphiql/assets/../index.html",
    "/graphiql/assets/%2e%2e/index.html",
  ])("gives away no other file: %s", async (path) => {
    const { hostname, port } = new URL(tiny.url);
    const status = await new Promise((resolve) =>
      request({ hostname, port, path }, (answer) => resolve(answer.statusCode)).end(),
    );
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it("that was not built keeps the server from starting", async () => {
    await expect(tinyGateway({ graphiqlFolder: fileURLToPath(new URL("../nowhere", import.meta.url)) })).rejects.toThrow(
      "npm run build",
    );
  });
});
