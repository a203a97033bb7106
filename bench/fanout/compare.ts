import { table } from "../table.js";
import { at, type Measured, Room } from "./room.js";
import { besideASlowReader } from "./slowReader.js";
import { OUR_NEWEST, OUR_SUBSCRIPTION, SUBSCRIPTION } from "./ticks.js";

/** Side by side in one run: every server pushes the same events to so many listeners. */

const SERVERS = {
  raw: "raw ws broadcast",
  gateway: "exchange-graph",
  mercurius: "Mercurius with JIT",
  plain: "type-graphql over graphql-ws",
} as const;
type Server = keyof typeof SERVERS;

const LISTENERS = [100, 500, 2_000];
/** Events a second. */
const HALF_LOAD = 50;
const FULL_LOAD = 100;
const OVERLOAD = 400;
const WARM_UP_MS = 1_500;
const MEASURED_MS = 3_000;

interface Row {
  readonly half: Measured;
  readonly full: Measured;
  readonly kbPerListener: number;
}

export async function compareFanOut(): Promise<string> {
  const parts: string[] = [];
  for (const count of LISTENERS) {
    const rows = new Map<Server, Row>();
    for (const server of servers()) rows.set(server, await measure(server, count));
    parts.push(`## ${count} listeners, ${FULL_LOAD} events/s\n\n${ratios(rows)}`);
  }
  parts.push(`## 2000 listeners, ${OVERLOAD} events/s\n\n${await overload(2_000)}`, await besideASlowReader());
  return parts.join("\n\n");
}

const servers = () => Object.keys(SERVERS) as Server[];

async function measure(server: Server, count: number): Promise<Row> {
  const room = await Room.of(count, server, server === "gateway" ? OUR_SUBSCRIPTION : SUBSCRIPTION);
  const half = await room.measure(HALF_LOAD, MEASURED_MS, WARM_UP_MS);
  const full = await room.measure(FULL_LOAD, MEASURED_MS, WARM_UP_MS);
  const { kbPerListener } = room;
  await room.close();
  return { half, full, kbPerListener };
}

/** More than can be delivered: what becomes of the delay when every listener wants the newest alone, and when it cannot say so. */
async function overload(count: number): Promise<string> {
  const rows: string[][] = [];
  for (const [server, subscription, pace] of [
    ["raw", SUBSCRIPTION, "everything"],
    ["gateway", OUR_NEWEST, "LATEST"],
  ] as const) {
    const room = await Room.of(count, server, subscription);
    const first = await room.measure(OVERLOAD, MEASURED_MS, WARM_UP_MS);
    const then = await room.look(OVERLOAD, MEASURED_MS);
    rows.push([`${SERVERS[server]}, ${pace}`, ...[first, then].flatMap(({ delays }) => [at(delays, 0.5), at(delays, 0.99)])]);
    await room.close();
  }
  return table(["server", "p50 ms", "p99 ms", "3 s later: p50 ms", "p99 ms"], rows);
}

function ratios(rows: ReadonlyMap<Server, Row>): string {
  const raw = rows.get("raw")?.full.perCpuSecond ?? Number.NaN;
  return table(
    [
      ...["server", "ratio", "messages per CPU second", "CPU µs/message", "messages/s", "delivered"],
      ...["p50 ms", "p99 ms", "half load: p50 ms", "p99 ms", "memory kB/listener"],
    ],
    [...rows].map(([server, { half, full, kbPerListener }]) => [
      SERVERS[server],
      (full.perCpuSecond / raw).toFixed(2),
      full.perCpuSecond.toFixed(0),
      (1_000_000 / full.perCpuSecond).toFixed(2),
      full.perSecond.toFixed(0),
      `${(full.delivered * 100).toFixed(0)} %`,
      ...[full, half].flatMap(({ delays }) => [at(delays, 0.5), at(delays, 0.99)]),
      kbPerListener.toFixed(0),
    ]),
  );
}
