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
  for (const name of ["sw.js", "manifest.webmanifest", "icon.svg"]) writeFileSync(join(folder, name), name);
  tiny = await tinyGateway({ deskFolder: folder });
});
afterAll(() => tiny.gateway.stop());

describe("the desk", () => {
  it("is at / and revalidated each time; its assets are cached permanently", async () => {
    const page = await fetch(`${tiny.url}/`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const asset = await fetch(`${tiny.url}/desk/assets/script.js`);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("may load from and call this server only, and runs no inline script", async () => {
    const policy = (await fetch(`${tiny.url}/`)).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe|data:|blob:/);
  });

  it.each([
    ["/sw.js", "text/javascript; charset=utf-8"],
    ["/desk/manifest.webmanifest", "application/manifest+json; charset=utf-8"],
    ["/desk/icon.svg", "image/svg+xml"],
  ])("serves %s, which makes it installable, and has it revalidated", async (path, type) => {
    const answer = await fetch(`${tiny.url}${path}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(await answer.text()).toBe(path.split("/").at(-1));
  });

  it.each(["*/*", "application/json"])("is served for any Accept header, also for %s", async (accept) => {
    const answer = await fetch(`${tiny.url}/`, { headers: { accept } });
    expect([answer.status, await answer.text()]).toEqual([200, "<title>desk</title>"]);
  });

  it("that was not built keeps the server from starting", async () => {
    await expect(tinyGateway({ deskFolder: join(tmpdir(), "nowhere") })).rejects.toThrow("npm run build");
  });
});
