import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Child } from "../child.js";
import { table } from "../table.js";
import { type Heard, listen } from "./listener.js";
import { OUR_SUBSCRIPTION, PER_SECOND, SUBSCRIPTION } from "./ticks.js";

/** Side by side in one run: every server pushes the same hundred events a second to so many listeners. */

const SERVERS = {
  raw: "raw ws broadcast",
  gateway: "exchange-graph",
  mercurius: "Mercurius with JIT",
  plain: "type-graphql over graphql-ws",
} as const;
const LISTENERS = [100, 500, 2_000];
const WARM_UP_MS = 2_000;
const MEASURED_MS = 4_000;
/** Delays are read by this many of the listeners. */
const MEASURING = 20;

interface Measured {
  readonly perCpuSecond: number;
  readonly delivered: number;
  readonly delays: readonly number[];
  readonly kbPerListener: number;
}

export async function compareFanOut(): Promise<string> {
  const parts: string[] = [];
  for (const count of LISTENERS) {
    const rows: [string, Measured][] = [];
    for (const [server, name] of Object.entries(SERVERS)) rows.push([name, await measure(server, count)]);
    parts.push(`## ${count} listeners, 100 events/s\n\n${ratios(rows)}`);
  }
  return parts.join("\n\n");
}

async function measure(name: string, count: number): Promise<Measured> {
  const server = await Child.start(`./fanout/servers/${name}.js`);
  const atRest = usedBy(server.pid);
  const heard: Heard = { messages: 0, delays: [] };
  const sockets: Socket[] = [];
  const subscription = name === "gateway" ? OUR_SUBSCRIPTION : SUBSCRIPTION;
  for (let index = 0; index < count; index++) sockets.push(await listen(server.url, subscription, heard, index < MEASURING));
  server.begin();
  await pause(WARM_UP_MS);
  const before = usedBy(server.pid);
  Object.assign(heard, { messages: 0, delays: [] });
  const from = performance.now();
  await pause(MEASURED_MS);
  const { messages, delays } = heard;
  const seconds = (performance.now() - from) / 1_000;
  const after = usedBy(server.pid);
  for (const socket of sockets) socket.destroy();
  await server.stop();
  return {
    perCpuSecond: (messages * 1_000) / (after.cpuMs - before.cpuMs),
    delivered: messages / (PER_SECOND * seconds * count),
    delays: delays.toSorted((a, b) => a - b),
    kbPerListener: (after.rssKb - atRest.rssKb) / count,
  };
}

const MS_PER_CLOCK_TICK = 10;
const KB_PER_PAGE = 4;

/** What a process has used so far, asked of Linux: one that is overrun would not answer itself. */
function usedBy(pid: number): { readonly cpuMs: number; readonly rssKb: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]].map((text) => Number.parseInt(text ?? "", 10));
  return { cpuMs: (user + system) * MS_PER_CLOCK_TICK, rssKb: pages * KB_PER_PAGE };
}

function ratios(rows: readonly (readonly [string, Measured])[]): string {
  const raw = rows[0]?.[1].perCpuSecond ?? Number.NaN;
  const share = (delays: readonly number[], part: number) => `${delays[Math.floor(delays.length * part)] ?? "-"}`;
  return table(
    ["server", "ratio", "messages per CPU second", "delivered", "p50 ms", "p99 ms", "memory kB/listener"],
    rows.map(([name, { perCpuSecond, delivered, delays, kbPerListener }]) => [
      name,
      (perCpuSecond / raw).toFixed(2),
      perCpuSecond.toFixed(0),
      `${(delivered * 100).toFixed(0)} %`,
      share(delays, 0.5),
      share(delays, 0.99),
      kbPerListener.toFixed(0),
    ]),
  );
}
