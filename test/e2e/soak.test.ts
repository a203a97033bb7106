import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterEach, beforeEach, expect, it } from "vitest";
import { turn } from "../support/eventually.js";
import { growthOf, MixedLoad } from "../support/mixedLoad.js";
import { type ProbedProduct, probedProduct } from "./support/probedProduct.js";

/** Duration of the run in the product's time. */
const MINUTES = Number.parseFloat(process.env.SOAK_MINUTES ?? "0.2");
/** Four queries per round: about twelve a second. */
const PACE_MS = 330;
/** Allowed growth of the heap after warm-up. */
const MAX_GROWTH = 2_000_000;
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

function start(from: number): Promise<ProbedProduct> {
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
    if (process.env.SOAK_MINUTES !== undefined) process.stderr.write(`heap: ${figures.join(" ")}\n`);
    expect([...load.failures]).toEqual([]);
    expect(growthOf(figures)).toBeLessThan(MAX_GROWTH);
    expect(await product.stop()).toBe(0);
  },
  MINUTES * 60_000 + 60_000,
);
