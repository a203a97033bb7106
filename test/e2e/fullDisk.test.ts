import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, describe, expect, it } from "vitest";
import { SqliteJournal } from "../../src/datasources/writes/journal/sqlite/sqliteJournal.js";
import { post } from "../support/ask.js";
import { eventually } from "../support/eventually.js";
import { inNode } from "../support/shortLived.js";
import { removeDisk, smallDisk } from "../support/smallDisk.js";
import { MAIN_KEYS, PATIENT, servingProduct } from "./product.js";

const folder = mkdtempSync(join(tmpdir(), "full-"));

const disk = smallDisk(folder, "256k");
afterAll(() => {
  removeDisk(disk);
  rmSync(folder, { recursive: true });
});

async function ask(url: string, query: string): Promise<{ readonly data: Record<string, unknown>; readonly errors?: unknown }> {
  const response = await post(url, { query });
  expect(response.status).toBe(200);
  return response.json();
}

const order = (name: string): string =>
  `mutation { placeOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, price: "20000", qty: "0.01",
    clientOid: "${name}" }) { outcome } }`;

describe("a gateway whose log is on a disk that is full", () => {
  it.skipIf(disk === undefined)("answers every order, keeps serving, counts the lost lines and reports them", async () => {
    const path = join(disk ?? "", "log");
    const out = openSync(path, "a");
    const [program, ...words] = inNode(resolve("bundle/main.js"));
    const child = spawn(program, words, {
      cwd: folder,
      env: { PORT: "0", ...PATIENT, JOURNAL_PATH: ":memory:", LOG_LEVEL: "debug" },
      stdio: ["ignore", out, out],
    });
    const log = () => readFileSync(path, "utf8");
    await eventually(() => log().includes("GraphiQL on"), 30_000);
    const url = /GraphiQL on (http:\S+)\/graphiql/.exec(log())?.[1] ?? "";
    const filler = join(disk ?? "", "filler");
    expect(() => writeFileSync(filler, Buffer.alloc(1_000_000))).toThrow("ENOSPC");
    for (const name of ["a", "b", "c", "d", "e", "f"]) {
      const { data, errors } = await ask(url, order(name));
      expect([data, errors]).toEqual([{ placeOrder: { outcome: "ACCEPTED" } }, undefined]);
    }
    // The rest of the last page still takes a few lines.
    while (!/lines_lost_total\{stream="log"\} [1-9]/.test(await (await fetch(`${url}/metrics`)).text()))
      await ask(url, order(`more-${Math.random()}`));
    unlinkSync(filler);
    await eventually(() => log().includes("lines of the log were lost"));
    expect(child.exitCode).toBeNull();
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

describe("a gateway that is killed while an order is on its way", () => {
  it("leaves its author in the audit and in the journal", async () => {
    const sandbox = await startSandbox({ hasPast: false });
    sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 60_000 } });
    const [main] = SANDBOX_CREDENTIALS;
    const paths = { JOURNAL_PATH: join(folder, "journal.sqlite"), AUDIT_LOG: join(folder, "audit.log") };
    const product = await servingProduct({
      EXCHANGE_BASE_URL: sandbox.url,
      ...MAIN_KEYS,
      ...paths,
    });
    const asking = ask(product.url, order("killed")).catch((error: unknown) => error);
    const audit = () => (existsSync(paths.AUDIT_LOG) ? readFileSync(paths.AUDIT_LOG, "utf8") : "");
    await eventually(() => audit().includes('"msg":"intent"'));
    await product.stop("SIGKILL");
    await asking;
    expect(JSON.parse(audit())).toMatchObject({ who: "anyone", address: "127.0.0.1", clientOid: "killed", write: "1" });
    const journal = new SqliteJournal({ path: paths.JOURNAL_PATH, realm: "live", clock: systemClock });
    expect(await journal.find(main?.uid ?? "", "killed")).toMatchObject({ who: "anyone", state: "SENT" });
    await journal.close();
    const verify = () => spawnSync(process.execPath, ["bundle/audit.js", "verify", paths.AUDIT_LOG], { encoding: "utf8" });
    expect(verify()).toMatchObject({ status: 0, stdout: expect.stringContaining("1 lines, 0 problems") });
    writeFileSync(paths.AUDIT_LOG, audit().replace("anyone", "nobody"));
    expect(verify()).toMatchObject({ status: 1, stdout: expect.stringContaining("line 1 was changed") });
    await sandbox.close();
  });
});
