import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { randomOf } from "@exchange-graph/sandbox/world/random";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { JournalEntry } from "../../../src/datasources/writes/journal/journalEntry.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { exchangeOver, sandboxAccount } from "../../support/exchangeOver.js";
import { failOn, ownInstrumentation } from "../../support/searchedTelemetry.js";
import { SHORT_LIVED } from "../../support/shortLived.js";
import { fastClock } from "./support/fastClock.js";

/** How often the process is killed. A process takes half a second to start, so the long run is for those who ask for it. */
const KILLS = Number.parseInt(process.env.KILLS ?? "2", 10);
const AT_ONCE = 2;
const LOAD = join(import.meta.dirname, "support/writeLoad.mjs");
const BUILT = existsSync(join(import.meta.dirname, "../../../dist/src/datasources/writes/writer.js"));

const time = { from: Date.UTC(2026, 0, 5, 12), since: Date.now(), factor: 12 };
const clock = fastClock(time);
const random = randomOf("kill nine");
const chance = (below: number): number => Math.floor((random.next() / 0x1_0000_0000) * below);

const folder = mkdtempSync(join(tmpdir(), "kill-nine-"));
const accounts = SANDBOX_CREDENTIALS.slice(0, 2).map((credential, at) => ({
  ...credential,
  name: ["main", "classic"][at] ?? "",
}));

let sandbox: Sandbox;
beforeAll(async () => {
  // Several gateways settle here at once, each with its own budget for the limits of one user.
  sandbox = await startSandbox({ signedQuery: "decoded", clock, seed: "kill nine", hasPast: false, enforceLimits: false });
  for (const endpoint of ["placeOrder", "classicPlaceSpotOrder", "placeOrderBatch", "classicPlaceSpotOrderBatch"])
    for (const fault of [{ kind: "lost-reply" }, { kind: "reset" }, { kind: "latency", delayMs: 4_000 }] as const)
      sandbox.faults.add({ endpoint, fault, probability: 0.15 });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

interface Killed {
  readonly prefix: string;
  readonly journalPath: string;
  /** What clients had been answered by then, by account and clientOid. */
  readonly reported: ReadonlyMap<string, string>;
}

/** Runs a process under load and kills it at a moment of chance. */
async function runAndKill(number: number): Promise<Killed> {
  const prefix = `kill${number}`;
  const journalPath = join(folder, `${prefix}.sqlite`);
  const load = spawn(process.execPath, [
    ...SHORT_LIVED,
    LOAD,
    JSON.stringify({ url: sandbox.url, journalPath, prefix, accounts, time }),
  ]);
  let printed = "";
  let failed = "";
  load.stdout.on("data", (chunk) => {
    printed += String(chunk);
  });
  load.stderr.on("data", (chunk) => {
    failed += String(chunk);
  });
  const exited = once(load, "exit");
  await Promise.race([once(load.stdout, "data"), exited]);
  await new Promise((resolve) => setTimeout(resolve, chance(400)));
  load.kill("SIGKILL");
  const [, signal] = await exited;
  if (signal !== "SIGKILL") throw new Error(`the load ended by itself: ${failed}`);
  // The last line may have been cut off on its way: then no client got it.
  const lines = printed
    .slice(0, printed.lastIndexOf("\n") + 1)
    .split("\n")
    .filter(Boolean);
  const reported = lines
    .map((line) => line.split(" "))
    .map(([account, clientOid, outcome = ""]) => [`${account} ${clientOid}`, outcome] as const);
  return { prefix, journalPath, reported: new Map(reported) };
}

/** Cuts the journal's end off, as a disk may that lost power. Says whether there was anything to cut. */
function tear(journalPath: string): boolean {
  const log = `${journalPath}-wal`;
  if (!existsSync(log) || statSync(log).size < 8_192) return false;
  truncateSync(log, statSync(log).size - 1 - chance(4_000));
  return true;
}

const uidOf = (account: string): string => accounts.find(({ name }) => name === account)?.uid ?? "";
const ordersOf = (account: string) => {
  const { orders } = sandbox.world.state;
  return [...orders.open(uidOf(account)), ...orders.finished(uidOf(account))];
};

/** Starts a gateway over the journal and waits until everything in it is settled. */
async function restarted({ journalPath }: Killed) {
  const torn: number[] = [];
  const instrumentation = ownInstrumentation();
  listen(instrumentation, instrumentation.journal, (said) => {
    if (said.kind === "torn tail") torn.push(said.bytes);
  });
  failOn(instrumentation.failure, instrumentation.writeFailure);
  const exchange = exchangeOver(new URL(sandbox.url), {
    accounts: accounts.map((account) => sandboxAccount(account.name, account)),
    ...{ deadlineMs: 10_000, random: () => 0.5, clock, journalPath, instrumentation },
  });
  const openAtFirst = (await exchange.writes.journal.open()).length;
  await exchange.writes.writer.resume();
  await vi.waitFor(async () => expect(await exchange.writes.journal.open()).toEqual([]), { timeout: 30_000, interval: 100 });
  const pages = await Promise.all(accounts.map(({ uid }) => exchange.writes.journal.page(uid, undefined, 10_000)));
  const entries = pages.flat();
  await exchange.close();
  return { entries, openAtFirst, torn };
}

/** Does something for each, a few at a time. */
async function few<T, R>(all: readonly T[], each: (one: T) => Promise<R>): Promise<readonly R[]> {
  const waiting = [...all];
  const done: R[] = [];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) done.push(await each(one));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return done;
}

describe(`a process that is killed at ${KILLS} moments of a write load`, () => {
  it.skipIf(!BUILT)(
    "leaves a journal from which every write is settled in agreement with the ledger: none twice, none lost",
    async () => {
      const killed = await few(
        Array.from({ length: KILLS }, (_, number) => number),
        runAndKill,
      );
      sandbox.faults.clear();

      const tornOnes = new Set(killed.filter((_, at) => at % 5 === 0).filter(({ journalPath }) => tear(journalPath)));
      const after = await few(killed, async (one) => ({ ...one, ...(await restarted(one)) }));

      const orders = new Map(accounts.map(({ name }) => [name, ordersOf(name)]));
      const wrong: string[] = [];
      const count = { entries: 0, open: 0, orders: 0, rejected: 0 };
      for (const { prefix, entries, openAtFirst, torn, reported } of after) {
        const isTorn = [...tornOnes].some((one) => one.prefix === prefix);
        // A process may also be killed in the middle of writing an entry: nothing had been sent for that one.
        if (isTorn && torn.length === 0) wrong.push(`${prefix}: a torn journal is not said`);
        count.entries += entries.length;
        count.open += openAtFirst;
        const byName = new Map<string, JournalEntry>(entries.map((entry) => [`${entry.account} ${entry.clientOid}`, entry]));
        let unknownOrders = 0;
        for (const { name } of accounts) {
          const mine = (orders.get(name) ?? []).filter(({ clientOid }) => clientOid.startsWith(`${prefix}-`));
          count.orders += mine.length;
          if (new Set(mine.map(({ clientOid }) => clientOid)).size < mine.length) wrong.push(`${prefix}: an order twice`);
          for (const { clientOid } of mine) {
            const entry = byName.get(`${name} ${clientOid}`);
            if (entry === undefined) unknownOrders++;
            else if (entry.state !== "ACCEPTED") wrong.push(`${clientOid} exists and is ${entry.state}`);
          }
        }
        // The tear takes the last transaction, with one order or a batch of three.
        if (unknownOrders > (isTorn ? 3 : 0)) wrong.push(`${prefix}: ${unknownOrders} orders that the journal does not know`);
        for (const [name, entry] of byName) {
          const exists = (orders.get(entry.account) ?? []).some(({ clientOid }) => clientOid === entry.clientOid);
          if (entry.state === "REJECTED") count.rejected++;
          if (entry.state === "SENT" || entry.state === "UNKNOWN") wrong.push(`${name} is ${entry.state}`);
          if (entry.state === "ACCEPTED" && !exists) wrong.push(`${name} is accepted and does not exist`);
          const said = reported.get(name);
          if ((said === "ACCEPTED" || said === "REJECTED") && said !== entry.state) wrong.push(`${name} was reported as ${said}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(count.entries).toBeGreaterThan(KILLS * 2);
      expect(count.open).toBeGreaterThan(KILLS);
    },
    30_000 + KILLS * 6_000,
  );
});
