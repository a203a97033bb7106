import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { Child } from "../child.js";
import { cachedBody } from "../reads/documents.js";
import { table } from "../table.js";

/** What clients that never finish what they began cost those that do: half of them requests, half of them sockets. */

const SLOW = 4_000;
const PER_SECOND = 200;
const SECONDS = 10;
const ROUNDS = 3;

export async function compareSlowClients(): Promise<string> {
  const upstream = await Child.start("./reads/upstream.js");
  const gateway = await Child.start("./reads/servers/gateway.js", upstream.url);
  const healthy = new Pool(new URL(gateway.url).origin, { connections: 16 });
  await answersOf(healthy, 5);
  const alone: number[] = [];
  const beside: number[] = [];
  const shed: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(...(await answersOf(healthy, SECONDS)));
    const holders = await Child.start("./slowClients/holders.js", gateway.url, String(SLOW));
    const [durations, ms] = await Promise.all([answersOf(healthy, SECONDS), untilShed(holders)]);
    beside.push(...durations);
    shed.push(ms);
    await holders.stop();
  }
  await healthy.close();
  await Promise.all([gateway.stop(), upstream.stop()]);
  const rows = [row("alone", alone), row(`beside ${SLOW} slow clients`, beside)];
  return `${table(["healthy requests", "p50 ms", "p99 ms"], rows)}\n\nAll slow ones were ended within ${(Math.max(...shed) / 1_000).toFixed(1)} s.`;
}

/** How long answers take at a steady rate, ms. */
async function answersOf(pool: Pool, seconds: number): Promise<readonly number[]> {
  const running: Promise<number>[] = [];
  const began = performance.now();
  for (let at = 0; at < PER_SECOND * seconds; at++) {
    const wait = began + (at * 1_000) / PER_SECOND - performance.now();
    if (wait > 0) await pause(wait);
    running.push(answer(pool, at));
  }
  return Promise.all(running);
}

async function answer(pool: Pool, turn: number): Promise<number> {
  const began = performance.now();
  const { statusCode, body } = await pool.request({
    method: "POST",
    path: "/graphql",
    headers: { "content-type": "application/json" },
    body: cachedBody(turn),
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
  return performance.now() - began;
}

/** Looks until the gateway has ended all of them. */
async function untilShed(holders: Child): Promise<number> {
  const began = performance.now();
  for (let ended = 0; ended < SLOW; ) {
    await pause(250);
    ended += (await holders.usage()).calls;
    if (performance.now() - began > 60_000) throw new Error(`only ${ended} of ${SLOW} slow clients were ended`);
  }
  return performance.now() - began;
}

function row(name: string, durations: readonly number[]): readonly string[] {
  const sorted = durations.toSorted((one, other) => one - other);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(2);
  return [name, at(0.5), at(0.99)];
}
