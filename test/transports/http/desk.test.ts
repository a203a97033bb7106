import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

let tiny: TinyGateway;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "desk-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<title>desk</title>");
  writeFileSync(join(folder, "assets", "script.js"), "0");
  tiny = await tinyGateway({ deskFolder: folder });
});
afterAll(() => tiny.gateway.stop());

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("the desk", () => {
  it("is at / for browsers, asked for anew each time; its assets are kept for good", async () => {
    const page = await fetch(`${tiny.url}/`, { headers: html });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const asset = await fetch(`${tiny.url}/desk/assets/script.js`);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("may load and call nobody but this server, and runs nothing that stands in the page", async () => {
    const policy = (await fetch(`${tiny.url}/`, { headers: html })).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe|data:|blob:/);
  });

  it("is not what a program gets at /", async () => {
    const answer = await fetch(`${tiny.url}/`, { headers: { accept: "application/json" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
  });

  it("that was not built keeps the server from starting", async () => {
    await expect(tinyGateway({ deskFolder: join(tmpdir(), "nowhere") })).rejects.toThrow("npm run build");
  });
});
