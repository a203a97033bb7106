import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { SANDBOX_CREDENTIALS, startSandbox } from "@exchange-graph/sandbox";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { growthOf, MixedLoad } from "../support/mixedLoad.js";
import { type Product, servingProduct } from "./product.js";

/** How long the load lasts. */
const SECONDS = Number.parseInt(process.env.SOAK_PROCESS_SECONDS ?? "4", 10);
/** Four queries each time: a dozen a second. */
const PACE_MS = 330;
/** Figures that are taken, evenly spread. */
const SAMPLES = SECONDS >= 60 ? 16 : 6;
/** Growth after everything is warm. A short run is never quite warm. */
const MAX_GROWTH = SECONDS >= 300 ? 2_000_000 : 8_000_000;

/** Writes the heap's size after a collection on a signal. */
const PRELOADED = `
  process.on("SIGUSR2", async () => {
    gc(); await new Promise((next) => setTimeout(next, 50)); gc();
    const { heapUsed, external } = process.memoryUsage();
    process.stdout.write("HEAP " + (heapUsed + external) + "\\n");
  })`;

const figuresOf = (product: Product): readonly number[] =>
  [...product.output().matchAll(/^HEAP (\d+)$/gm)].map(([, figure]) => Number.parseInt(figure ?? "", 10));

it(
  `a process takes no more memory after ${SECONDS} seconds of mixed load than after half of them`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "soak-"));
    const sandbox = await startSandbox({ hasPast: false });
    const accountsPath = join(folder, "accounts.json");
    const accounts = SANDBOX_CREDENTIALS.slice(0, 2);
    const listed = accounts.map(({ name, key, secret, passphrase }) => ({ name, apiKey: key, apiSecret: secret, passphrase }));
    await writeFile(accountsPath, JSON.stringify(listed), { mode: 0o600 });
    const product = await servingProduct({
      EXCHANGE_BASE_URL: sandbox.url,
      EXCHANGE_WS_URL: sandbox.wsUrl,
      EXCHANGE_ACCOUNTS_FILE: accountsPath,
      JOURNAL_PATH: join(folder, "journal.sqlite"),
      NODE_OPTIONS: `--expose-gc --import data:text/javascript;base64,${Buffer.from(PRELOADED).toString("base64")}`,
    });
    const load = new MixedLoad(product.url, { now: () => Date.now(), settled: (waiting) => waiting });
    const from = performance.now();
    for (let sample = 0; sample < SAMPLES; sample++) {
      const until = from + ((sample + 1) / SAMPLES) * SECONDS * 1_000;
      do await Promise.all([load.second(), pause(PACE_MS)]);
      while (performance.now() < until);
      await load.rest();
      void product.stop("SIGUSR2");
      await eventually(() => figuresOf(product).length === sample + 1);
    }
    const figures = figuresOf(product);
    if (process.env.SOAK_PROCESS_SECONDS !== undefined) process.stderr.write(`heap: ${figures.join(" ")}\n`);
    expect([...load.failures]).toEqual([]);
    expect(growthOf(figures)).toBeLessThan(MAX_GROWTH);
    expect(await product.stop()).toBe(0);
    await sandbox.close();
    await rm(folder, { recursive: true });
  },
  SECONDS * 4_000 + 60_000,
);
