import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { DAY_MS, HOUR_MS, ManualClock, MINUTE_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { fileHistory, Recorder } from "../../src/datasources/history/index.js";
import { createInstrumentation } from "../../src/instrumentation/instrumentation.js";
import { accountNamed } from "../../test/support/exchangeOver.js";
import { table } from "../table.js";

/** Size and CPU time of the recorder. What keeps the accounts live is `LIVE_ACCOUNTS=all`, and not counted here. */

const MINUTES = 60;
const COINS = ["AVAX", "BTC", "DOGE", "ETH", "LINK", "SOL", "TRX", "USDC", "USDT", "XRP"];
const START = Date.UTC(2026, 0, 5);
/** Points of an account in a year: minutes of the last 31 days, and all hours and days. */
const A_YEAR = 31 * 24 * 60 + 365 * 24 + 365;

type Worths = ConstructorParameters<typeof Recorder>[0]["streams"]["worths"];

/** Worths whose prices and profits differ every minute and between accounts. */
function worths(clock: ManualClock): Worths {
  const digits = (seed: number) => ((seed * 7_919) % 100_003).toString().padStart(6, "0");
  return {
    keep: () => () => undefined,
    of({ name }) {
      const seed = Math.floor(clock.now() / MINUTE_MS) + Number.parseInt(name, 10) * 31;
      const assets = COINS.map((coin, at) => ({
        ...{ coin, balance: `${at + 1}.${digits(seed)}37`, equity: `${at + 2}.${digits(seed + at)}37`, debt: "0", locked: "0" },
        ...{ available: null, valueUsd: null, borrowed: null },
      }));
      const nothing = {
        ...{ equityUsd: null, equityUsdt: null, equityBtc: null, unrealisedPnlUsd: null, unrealisedPnlUsdt: null },
        ...{ unrealisedPnlBtc: null, effectiveEquityUsd: null, maintenanceMarginUsd: null, marginRatio: null, leverage: null },
        ...{ positionMarginRatio: null, positionValueUsd: null, bonusUsd: null },
      };
      const unified = { ...nothing, initialMarginUsd: `53${digits(seed)}.${digits(seed + 1)}`, assets };
      const prices = { mark: () => undefined, coin: (coin: string) => exact(`${coin.charCodeAt(0)}.${digits(seed + 2)}`) };
      const time = clock.now();
      return { mode: "UNIFIED", holdings: { unified, spot: [], futures: [] }, prices, comparedAt: time - 20_000, time };
    },
  };
}

/** Records an hour of so many accounts into a file; resolves to its bytes, and the CPU time in ms, threads included. */
async function anHour(accounts: number): Promise<{ readonly bytes: number; readonly cpuMs: number }> {
  const folder = mkdtempSync(join(tmpdir(), "history-"));
  const path = join(folder, "history.sqlite");
  const clock = new ManualClock(START);
  const store = fileHistory(path)({ clock, realm: "bench" });
  const instrumentation = createInstrumentation("bench");
  let recorded = 0;
  const listening = () => recorded++;
  const { subscribe, unsubscribe } = await import("node:diagnostics_channel");
  subscribe(instrumentation.history.name, listening);
  const recorder = new Recorder({
    exchange: {
      accounts: Array.from({ length: accounts }, (_, at) => accountNamed(`${at}`)),
      users: { of: async ({ name }) => `user ${name}` },
      clock,
    },
    streams: { worths: worths(clock), market: { ticker: () => () => undefined, tickerKnownUntil: () => undefined } as never },
    store,
    ledger: { read: async () => undefined, readApart: async () => undefined, unchanged: async () => undefined },
    backfill: { run: async () => true },
    reconciler: { turn: async () => undefined },
    clock,
    instrumentation,
    holder: "bench",
    settings: { intervalMs: MINUTE_MS, retentionMs: 400 * DAY_MS, backfillMs: 0 },
  });
  recorder.start();
  // The first intervals start the thread and compile the code.
  const pass = async (minutes: number): Promise<void> => {
    for (const until = recorded + minutes; recorded < until; ) {
      const before = recorded;
      clock.advance(MINUTE_MS);
      while (recorded === before) await turn();
    }
  };
  await pass(10);
  const cpu = process.cpuUsage();
  await pass(MINUTES);
  const used = process.cpuUsage(cpu);
  await recorder.close();
  await store.close();
  unsubscribe(instrumentation.history.name, listening);
  const bytes = statSync(path).size;
  rmSync(folder, { recursive: true });
  return { bytes, cpuMs: (used.user + used.system) / 1_000 };
}

export async function compareHistory(): Promise<string> {
  const rows: string[][] = [];
  for (const accounts of [10, 50]) {
    const { bytes, cpuMs } = await anHour(accounts);
    // The open hour and day are rows too.
    const perPoint = bytes / (accounts * (MINUTES + 10 + 2));
    const year = (perPoint * accounts * A_YEAR) / 2 ** 20;
    const share = (100 * cpuMs) / HOUR_MS;
    rows.push([String(accounts), perPoint.toFixed(0), year.toFixed(0), cpuMs.toFixed(0), `${share.toFixed(3)} %`]);
  }
  const head = ["accounts of 10 coins", "bytes a point", "MB after a year", "CPU ms for an hour", "of a core"];
  return `${table(head, rows)}\n\nAn hour is recorded on a virtual clock, without pauses; a turn of the event loop that waits for the thread is counted too.`;
}
