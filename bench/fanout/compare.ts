import { estimated, seeded, thereAndBack, trimmedMean } from "../paired.js";
import { table } from "../table.js";
import { at, type Measured, perCpuSecond, Room, together } from "./room.js";
import { besideASlowReader } from "./slowReader.js";
import { OUR_NEWEST, OUR_SUBSCRIPTION, SUBSCRIPTION } from "./ticks.js";

/**
 * Every server pushes the same events to so many listeners, all after the same number of events. The broadcast and this gateway
 * take turns within seconds of each other, since the machine's speed changes; the others are far enough away.
 */

const SERVERS = {
  raw: "raw ws broadcast",
  gateway: "exchange-graph",
  mercurius: "Mercurius with JIT",
  plain: "type-graphql over graphql-ws",
} as const;
type Server = keyof typeof SERVERS;

const TAKING_TURNS: readonly Server[] = ["raw", "gateway"];
const ALONE: readonly Server[] = ["mercurius", "plain"];

const LISTENERS = [100, 500, 2_000];
/** Events a second. */
const HALF_LOAD = 50;
const FULL_LOAD = 100;
const OVERLOAD = 400;
const WARM_UP_MS = 1_500;
const MEASURED_MS = 3_000;
/** A round is two turns of each server, there and back. */
const ROUNDS = 12;
/** How long a server is measured in a turn. */
const TURN_MS = 500;
/** From the first event of a turn until it is measured. */
const TURN_BEGINS_MS = 300;

interface Row {
  readonly half: Measured;
  readonly full: readonly Measured[];
  readonly kbPerListener: number;
}

export async function compareFanOut(): Promise<string> {
  const parts: string[] = [];
  for (const count of LISTENERS) {
    const rows = new Map(await measure(TAKING_TURNS, count));
    for (const server of ALONE) for (const [name, row] of await measure([server], count)) rows.set(name, row);
    parts.push(`## ${count} listeners, ${FULL_LOAD} events/s\n\n${ratios(rows)}`);
  }
  parts.push(`## 2000 listeners, ${OVERLOAD} events/s\n\n${await overload(2_000)}`, await besideASlowReader());
  return parts.join("\n\n");
}

/** These servers, in turns. */
async function measure(servers: readonly Server[], count: number): Promise<ReadonlyMap<Server, Row>> {
  const rooms = new Map<Server, Room>();
  for (const server of servers)
    rooms.set(server, await Room.of(count, server, server === "gateway" ? OUR_SUBSCRIPTION : SUBSCRIPTION));
  const halves = new Map<Server, Measured>();
  for (const [server, room] of rooms) {
    halves.set(server, await room.measure(HALF_LOAD, MEASURED_MS, WARM_UP_MS));
    await room.rest();
  }
  const turns = new Map<Server, Measured[]>(servers.map((server) => [server, []]));
  const random = seeded("fanout");
  const rounds = servers.length > 1 ? ROUNDS : 1;
  for (let round = 0; round < rounds; round++)
    for (const [server, room] of thereAndBack([...rooms], random)) {
      turns.get(server)?.push(await room.measure(FULL_LOAD, TURN_MS, TURN_BEGINS_MS));
      await room.rest();
    }
  const rows = new Map<Server, Row>();
  for (const [server, room] of rooms) {
    const half = halves.get(server);
    if (half !== undefined) rows.set(server, { half, full: turns.get(server) ?? [], kbPerListener: await room.kbPerListener() });
    await room.close();
  }
  return rows;
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

/** Messages per CPU second as a multiple of the broadcast's, of windows that follow each other. */
const ratioOf = (windows: readonly Measured[], raw: readonly Measured[]): number =>
  perCpuSecond(together(windows)) / perCpuSecond(together(raw));

/**
 * Where they took turns: the mean of the ratios of all rounds without the lowest and the highest tenth, in which other processes
 * had the machine, and its interval.
 */
function ratioInWords(windows: readonly Measured[], raw: readonly Measured[]): string {
  if (windows === raw || windows.length < raw.length) return ratioOf(windows, raw).toFixed(2);
  const roundOf = (all: readonly Measured[], round: number) => all.slice(2 * round, 2 * round + 2);
  const rounds = Array.from({ length: ROUNDS }, (_, round) => ratioOf(roundOf(windows, round), roundOf(raw, round)));
  const { figure, low, high } = estimated(rounds, (drawn) => trimmedMean(drawn, 0.1), seeded("ratio"));
  return `${figure.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

function ratios(rows: ReadonlyMap<Server, Row>): string {
  const raw = rows.get("raw")?.full ?? [];
  return table(
    [
      ...["server", "ratio (95 %)", "messages per CPU second", "CPU µs/message", "messages/s", "delivered"],
      ...["p50 ms", "p99 ms", "half load: p50 ms", "p99 ms", "memory kB/listener"],
    ],
    [...rows].map(([server, { half, full: turns, kbPerListener }]) => {
      const full = together(turns);
      return [
        SERVERS[server],
        ratioInWords(turns, raw),
        perCpuSecond(full).toFixed(0),
        (1_000_000 / perCpuSecond(full)).toFixed(2),
        (full.messages / full.seconds).toFixed(0),
        `${(full.delivered * 100).toFixed(0)} %`,
        ...[full, half].flatMap(({ delays }) => [at(delays, 0.5), at(delays, 0.99)]),
        kbPerListener.toFixed(0),
      ];
    }),
  );
}
