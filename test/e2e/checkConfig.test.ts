import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MAIN_KEYS } from "./product.js";

const folder = mkdtempSync(join(tmpdir(), "check-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the check in an empty folder, with only these variables. */
const check = (
  env: Record<string, string>,
  option = "--check",
): Promise<{ readonly status: number; readonly out: string; readonly error: string }> =>
  new Promise((done) => {
    const child = execFile(process.execPath, [resolve("bundle/main.js"), option], { cwd: folder, env }, (_, out, error) =>
      done({ status: child.exitCode ?? -1, out, error }),
    );
  });

describe("npm run check-config", () => {
  const REAL = { EXCHANGE_BASE_URL: "http://127.0.0.1:9", ...MAIN_KEYS };

  it("prints what would take effect, with secrets hidden, and connects to nothing", async () => {
    const redis = "redis://user:hidden-password@127.0.0.1:9/0";
    const { status, out, error } = await check({
      ...REAL,
      PORT: "4001",
      REDIS_URL: redis,
      JOURNAL_PATH: join(folder, "j.sqlite"),
    });
    expect([status, error]).toEqual([0, ""]);
    const lines = out.split("\n");
    for (const line of ["PORT=4001", "HOST=127.0.0.1 (default)", "REDIS_URL=(hidden)", "EXCHANGE_API_KEY=(hidden)"])
      expect(lines).toContain(line);
    expect(lines).toContain("EXCHANGE_BASE_URL=http://127.0.0.1:9");
    for (const secret of [...Object.values(MAIN_KEYS), "hidden-password"]) expect(out).not.toContain(secret);
    expect(existsSync(join(folder, "j.sqlite"))).toBe(false);
  });

  it("does not start the gateway for a misspelt option", async () => {
    expect(await check(REAL, "--chek")).toEqual({
      status: 1,
      out: "",
      error: expect.stringMatching(/^exchange-graph cannot start:\n {2}Unknown option '--chek'/),
    });
  });

  it("names mistakes in settings and in files, as a start would", async () => {
    const limits = join(folder, "limits.json");
    writeFileSync(limits, '{"accounts": {"nobody": {}}}', { mode: 0o600 });
    expect(await check({ ...REAL, PROT: "5000" })).toMatchObject({
      status: 1,
      error: expect.stringContaining("PROT: is not a setting. Did you mean PORT?"),
    });
    expect(await check({ ...REAL, LIMITS_FILE: limits })).toMatchObject({
      status: 1,
      error: expect.stringContaining("LIMITS_FILE: .accounts.nobody must be an account: main, or *"),
    });
    expect(await check({ ...REAL, CLIENTS_FILE: join(folder, "missing.json") })).toMatchObject({ status: 1 });
  });
});
