import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DAY_MS } from "@exchange-graph/contract/clock";
import { MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../../src/config/version.js";
import { killedAtExit } from "../support/killedAtExit.js";
import { SHORT_LIVED } from "../support/shortLived.js";
import { type ExportingGateway, exportingGateway } from "./support/exportingGateway.js";
import { fillAt } from "./support/fillAt.js";

let gateway: ExportingGateway;
const folders = mkdtempSync(join(tmpdir(), "exports-"));

const COMMAND = resolve("bundle/export.js");
const NOW = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const iso = (ms: number): string => new Date(ms).toISOString();
/** Shortly after the exchange begins to keep its lists. */
const END = iso(NOW - 88 * DAY_MS);

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** Number of executions, and of the times that the export of them is killed. */
const FILLS = Number.parseInt(process.env.EXPORT_FILLS ?? "1500", 10);
const KILLS = Number.parseInt(process.env.EXPORT_KILLS ?? "2", 10);

/** Runs the command; `notes`: it is ended with SIGKILL as soon as it has noted so often how far it is, each time after 500 rows. */
async function run(
  args: readonly string[],
  { notes = Number.POSITIVE_INFINITY, url = gateway.url }: { readonly notes?: number; readonly url?: string } = {},
): Promise<Run> {
  const child = spawn(process.execPath, [...SHORT_LIVED, COMMAND, ...args], {
    env: { GATEWAY_URL: url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const forget = killedAtExit(() => child.kill("SIGKILL"));
  let [out, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
    if (errors.split("\n").length > notes) child.kill("SIGKILL");
  });
  const [code]: (number | null)[] = await once(child, "close");
  forget();
  return { code: code ?? null, out, errors };
}

const range = ["--account", "main", "--from", iso(NOW - 20 * DAY_MS), "--to", iso(NOW)] as const;
const into = (name: string): string => join(folders, name);
const contentOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));

describe("npm run export", () => {
  it("waits for a gateway that cannot serve yet, and asks again", async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      // Nothing but the command's own wait keeps it alive between the two.
      response.shouldKeepAlive = false;
      if (asked === 1) response.writeHead(503, { "retry-after": "1" }).end();
      else response.writeHead(400).end('{"errors":[{"message":"asked again","extensions":{"code":"BAD_USER_INPUT"}}]}');
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
    const { code, errors } = await run([...range, "--out", into("later"), "--kinds", "fills"], { url });
    const waits = `fills: ${url} does not serve; trying again in 1 s\n`;
    expect([code, errors, asked]).toEqual([1, `${waits}asked again\n`, 2]);
    server.close();
  });

  beforeAll(async () => {
    gateway = await exportingGateway({ hasPast: false });
    // As many at one time as on several pages, and otherwise one every few minutes or seconds.
    const stepMs = Math.floor((14 * DAY_MS) / FILLS);
    const fills = Array.from({ length: FILLS }, (_, number) =>
      fillAt(MAIN_UID, NOW - 15 * DAY_MS + Math.max(0, number - 1_200) * stepMs, number),
    ).reverse();
    // The sandbox itself keeps the latest 10,000.
    gateway.sandbox.world.state.orders.fills = (uid) => (uid === MAIN_UID ? fills : []);
  }, 60_000);
  afterAll(async () => {
    rmSync(folders, { recursive: true });
    await gateway.close();
  });

  it(
    `writes after ${KILLS} SIGKILLs the same bytes as without, with a manifest that says what they are`,
    async () => {
      const args = (folder: string) => [...range, "--kinds", "fills,equity", "--out", into(folder)];
      expect(await run(args("whole"))).toMatchObject({ code: 0, out: `${into("whole")}/manifest.json\n` });
      for (let interruptions = 0; interruptions < KILLS; interruptions++)
        expect(await run(args("interrupted"), { notes: Math.floor(FILLS / 500 / (KILLS + 1)) })).toMatchObject({ code: null });
      const other = await run([...range, "--kinds", "fills", "--out", into("interrupted")]);
      expect(other).toMatchObject({ code: 1, errors: expect.stringContaining("holds another export that is not complete") });
      expect(await run(args("interrupted"))).toMatchObject({ code: 0 });
      const files = contentOf(into("whole"));
      expect(contentOf(into("interrupted"))).toEqual(files);
      const manifest = JSON.parse(files["manifest.json"] ?? "");
      expect(manifest).toMatchObject({
        account: "main",
        exchangeUser: MAIN_UID,
        files: [{ rows: FILLS }, { kind: "equity", rows: 0 }],
      });
      for (const { file, sha256, bytes } of manifest.files) {
        expect(
          createHash("sha256")
            .update(files[file] ?? "")
            .digest("hex"),
        ).toBe(sha256);
        expect(statSync(join(into("whole"), file)).size).toBe(bytes);
      }
      expect(await run(args("whole"))).toMatchObject({ code: 1, errors: expect.stringContaining("holds a complete export") });
    },
    120_000 + 20 * FILLS,
  );

  it.each([
    [["--account", "main", "--out", "x"], 2, "--account, --from and --out are required"],
    [["--account", "none", "--from", iso(NOW), "--out", join(folders, "none")], 1, "account must be the name of an account"],
  ])("says what is wrong with %j", async (args, code, message) => {
    expect(await run(args)).toMatchObject({ code, errors: expect.stringContaining(message) });
  });

  it("says that the exchange keeps nothing before, and which range it has read", async () => {
    const args = ["--account", "main", "--from", "2020-01-01", "--to", END, "--kinds", "flows", "--out", into("old")];
    expect(await run(args)).toMatchObject({ code: 0 });
    const { files } = JSON.parse(readFileSync(join(into("old"), "manifest.json"), "utf8"));
    expect(files[0]).toMatchObject({
      ...{ to: END, rows: 0, notKept: { from: "2020-01-01T00:00:00.000Z", to: files[0].from }, recorded: null },
    });
  });

  it("says of changes of balances what the exchange does not keep any more, and what of it the gateway has recorded", async () => {
    const from = NOW - 100 * DAY_MS;
    const change = {
      pool: "UNIFIED",
      category: "SPOT",
      coin: "USDT",
      amount: "7",
      fee: "0",
      kind: "deposit",
      type: null,
      symbol: null,
    };
    await gateway.history.write({
      records: [{ user: MAIN_UID, at: from + 1, id: "SPOT 1", body: JSON.stringify({ ...change, at: from + 1 }) }],
      notes: [{ user: MAIN_UID, name: "records", body: JSON.stringify({ from, read: NOW, until: NOW }) }],
    });
    const args = ["--account", "main", "--from", "2020-01-01", "--to", END, "--kinds", "flows", "--out", into("recorded")];
    expect(await run(args)).toMatchObject({ code: 0 });
    const [file] = JSON.parse(readFileSync(join(into("recorded"), "manifest.json"), "utf8")).files;
    const listed = file.notKept.to;
    expect(Math.abs(Date.parse(listed) - (gateway.exchange.clock.now() - 90 * DAY_MS))).toBeLessThan(5 * 60_000);
    expect(file).toMatchObject({ rows: 1, from: iso(from), to: END, notKept: { from: "2020-01-01T00:00:00.000Z", to: listed } });
    expect(file.recorded).toEqual({ from: iso(from), to: listed });
  });

  it("refuses to go on where rows that it has not read are not kept any more: they would be missing within the file", async () => {
    const at = iso(NOW - 95 * DAY_MS);
    const plan = { account: "main", from: at, to: END, format: "csv", interval: "HOUR", kinds: ["fills"] };
    const file = {
      kind: "fills",
      from: at,
      to: END,
      listedFrom: at,
      bytes: 0,
      rows: 1,
      last: { time: at, count: 1 },
      sha256: null,
    };
    const state = { plan, user: MAIN_UID, gateway: VERSION, to: END, files: [file] };
    mkdirSync(into("late"));
    writeFileSync(join(into("late"), "export.state.json"), JSON.stringify(state));
    const args = ["--account", "main", "--from", at, "--to", END, "--kinds", "fills", "--out", into("late")];
    const why = "are no longer kept, and this folder lacks some of them: export into another folder";
    expect(await run(args)).toMatchObject({ code: 1, errors: expect.stringContaining(why) });
  });
});
