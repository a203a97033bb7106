import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { ManualClock } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterEach, beforeEach, expect, it } from "vitest";
import { turn } from "../support/eventually.js";
import { growthOf, MixedLoad } from "../support/mixedLoad.js";
import { type ProbedProduct, probedProduct } from "./support/probedProduct.js";

/** Duration of the accelerated run in the product's time, and of the run in real time. */
const MINUTES = Number.parseFloat(process.env.SOAK_MINUTES ?? "0.2");
const SECONDS = Number.parseInt(process.env.SOAK_PROCESS_SECONDS ?? "2", 10);
/** Four queries per round: about twelve a second. */
const PACE_MS = 330;
/** Allowed growth of the heap after warm-up. A short run in real time does not complete the warm-up. */
const MAX_GROWTH = 2_000_000;
const MAX_GROWTH_COLD = 8_000_000;
/** Time per turn while a message between the processes is in transit. */
const STEP_MS = 20;
const IDLE_STEP_MS = 500;

const START = Date.UTC(2026, 0, 5, 12);

let folder: string;
let sandbox: Sandbox;
let product: ProbedProduct;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "soak-"));
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

/** Writes the accounts file: two permanent accounts, and temporary ones, which are other names of the second. */
function writeAccounts(names: readonly string[] = []): void {
  const [main, classic] = SANDBOX_CREDENTIALS.map(({ key, secret, passphrase }) => ({
    apiKey: key,
    apiSecret: secret,
    passphrase,
  }));
  const accounts = [{ name: "main", ...main }, ...["classic", ...names].map((name) => ({ name, ...classic }))];
  writeFileSync(join(folder, "accounts.json"), JSON.stringify(accounts), { mode: 0o600 });
}

function start(from?: number): Promise<ProbedProduct> {
  writeAccounts();
  const settings = {
    EXCHANGE_BASE_URL: sandbox.url,
    EXCHANGE_WS_URL: sandbox.wsUrl,
    EXCHANGE_ACCOUNTS_FILE: join(folder, "accounts.json"),
    JOURNAL_PATH: join(folder, "journal.sqlite"),
    LOG_LEVEL: "error",
  };
  return probedProduct(settings, from);
}

/** Expects that the heap is no larger at the end of the load than after warm-up. */
async function expectFlat(figures: readonly number[], load: MixedLoad, maxGrowth: number, isLong: boolean): Promise<void> {
  if (isLong) process.stderr.write(`heap: ${figures.join(" ")}\n`);
  expect([...load.failures]).toEqual([]);
  expect(growthOf(figures)).toBeLessThan(maxGrowth);
  expect(await product.stop()).toBe(0);
}

it(
  `memory is flat over ${MINUTES} minutes of mixed load in fast motion`,
  async () => {
    const clock = new ManualClock(START);
    sandbox = await startSandbox({ clock, hasPast: MINUTES >= 2 });
    product = await start(START);
    const step = async (ms: number): Promise<void> => {
      clock.advance(ms);
      await product.advance(ms);
      await turn();
    };
    const load = new MixedLoad(
      product.url,
      {
        now: () => clock.now(),
        async settled(waiting) {
          let isOver = false;
          const over = waiting.finally(() => {
            isOver = true;
          });
          while (!isOver) await step(STEP_MS);
          return over;
        },
      },
      writeAccounts,
    );
    const figures: number[] = [];
    const samples = MINUTES >= 2 ? 16 : 6;
    for (let sample = 0; sample < samples; sample++) {
      for (let second = 0; second < (MINUTES * 60) / samples; second++) {
        for (let round = 0; round < 1_000 / PACE_MS - 1; round++) {
          const until = clock.now() + PACE_MS;
          await load.round();
          while (clock.now() < until) await step(Math.min(IDLE_STEP_MS, until - clock.now()));
        }
      }
      await load.rest();
      sandbox.calls.clear();
      for (let passed = 0; passed < 10_000; passed += IDLE_STEP_MS) await step(IDLE_STEP_MS);
      figures.push(await product.heap());
    }
    await expectFlat(figures, load, MAX_GROWTH, process.env.SOAK_MINUTES !== undefined);
  },
  MINUTES * 60_000 + 60_000,
);

it(
  `a process takes no more memory after ${SECONDS} seconds of mixed load than after half of them`,
  async () => {
    sandbox = await startSandbox({ hasPast: false });
    product = await start();
    const load = new MixedLoad(product.url, { now: () => Date.now(), settled: (waiting) => waiting }, writeAccounts);
    const samples = SECONDS >= 60 ? 16 : 6;
    const figures: number[] = [];
    const from = performance.now();
    for (let sample = 0; sample < samples; sample++) {
      const until = from + ((sample + 1) / samples) * SECONDS * 1_000;
      do await Promise.all([load.round(), pause(PACE_MS)]);
      while (performance.now() < until);
      await load.rest();
      figures.push(await product.heap());
    }
    const maxGrowth = SECONDS >= 300 ? MAX_GROWTH : MAX_GROWTH_COLD;
    await expectFlat(figures, load, maxGrowth, process.env.SOAK_PROCESS_SECONDS !== undefined);
  },
  SECONDS * 4_000 + 60_000,
);
