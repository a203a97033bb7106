import { estimated, seeded, thereAndBack, trimmedMean } from "../paired.js";
import { table } from "../table.js";
import { withSlowReader } from "./slowReader.js";
import { at, combined, type Measured, perCpuSecond, SubscribedServer } from "./subscribedServer.js";
import { GATEWAY_LATEST, GATEWAY_SUBSCRIPTION, SUBSCRIPTION } from "./ticks.js";

/**
 * Every server pushes the same events to the same number of listeners, after the same warm-up. The broadcast and the gateway
 * alternate within seconds, since the machine's speed changes. The other servers differ so much that they are measured one
 * after the other.
 */

const SERVERS = {
  raw: "raw ws broadcast",
  gateway: "exchange-graph",
  mercurius: "Mercurius with JIT",
  plain: "type-graphql over graphql-ws",
} as const;
type Server = keyof typeof SERVERS;

const ALTERNATING: readonly Server[] = ["raw", "gateway"];
const SEPARATE: readonly Server[] = ["mercurius", "plain"];

const LISTENERS = [100, 500, 2_000];
/** Events a second. */
const HALF_LOAD = 50;
const FULL_LOAD = 100;
const OVERLOAD = 400;
const WARM_UP_MS = 1_500;
const MEASURED_MS = 3_000;
/** A round has two turns of each server: in a random order, then in the reverse order. */
const ROUNDS = 12;
/** Duration of a measurement in a turn. */
const TURN_MS = 500;
/** Time from the first event of a turn to its measurement. */
const TURN_BEGINS_MS = 300;

interface Row {
  readonly half: Measured;
  readonly full: readonly Measured[];
  readonly kbPerListener: number;
}

export async function* compareFanOut(): AsyncGenerator<string> {
  for (const count of LISTENERS) {
    yield `## ${count} listeners, ${FULL_LOAD} events/s`;
    const rows = new Map(await measure(ALTERNATING, count));
    for (const server of SEPARATE) for (const [name, row] of await measure([server], count)) rows.set(name, row);
    yield ratios(rows);
  }
  yield `## 2000 listeners, ${OVERLOAD} events/s`;
  yield await overload(2_000);
  yield* withSlowReader();
}

/** Measures these servers in alternation. */
async function measure(servers: readonly Server[], count: number): Promise<ReadonlyMap<Server, Row>> {
  const running = new Map<Server, SubscribedServer>();
  for (const server of servers)
    running.set(server, await SubscribedServer.of(count, server, server === "gateway" ? GATEWAY_SUBSCRIPTION : SUBSCRIPTION));
  const halves = new Map<Server, Measured>();
  for (const [server, instance] of running) {
    halves.set(server, await instance.measure(HALF_LOAD, MEASURED_MS, WARM_UP_MS));
    await instance.drain();
  }
  const turns = new Map<Server, Measured[]>(servers.map((server) => [server, []]));
  const random = seeded("fanout");
  const rounds = servers.length > 1 ? ROUNDS : 1;
  for (let round = 0; round < rounds; round++)
    for (const [server, instance] of thereAndBack([...running], random)) {
      turns.get(server)?.push(await instance.measure(FULL_LOAD, TURN_MS, TURN_BEGINS_MS));
      await instance.drain();
    }
  const rows = new Map<Server, Row>();
  for (const [server, instance] of running) {
    const half = halves.get(server);
    if (half !== undefined)
      rows.set(server, { half, full: turns.get(server) ?? [], kbPerListener: await instance.kbPerListener() });
    await instance.close();
  }
  return rows;
}

/** Delays under overload, for listeners of all events, and for listeners that accept to get only the newest event. */
async function overload(count: number): Promise<string> {
  const rows: string[][] = [];
  for (const [server, subscription, pace] of [
    ["raw", SUBSCRIPTION, "everything"],
    ["gateway", GATEWAY_LATEST, "LATEST"],
  ] as const) {
    const instance = await SubscribedServer.of(count, server, subscription);
    const first = await instance.measure(OVERLOAD, MEASURED_MS, WARM_UP_MS);
    const then = await instance.observe(OVERLOAD, MEASURED_MS);
    rows.push([`${SERVERS[server]}, ${pace}`, ...[first, then].flatMap(({ delays }) => [at(delays, 0.5), at(delays, 0.99)])]);
    await instance.close();
  }
  return table(["server", "p50 ms", "p99 ms", "3 s later: p50 ms", "p99 ms"], rows);
}

/** Messages per CPU second as a multiple of the broadcast's, over adjacent windows. */
const ratioOf = (windows: readonly Measured[], raw: readonly Measured[]): number =>
  perCpuSecond(combined(windows)) / perCpuSecond(combined(raw));

/**
 * For servers that alternated: the mean of the ratios of all rounds without the lowest and the highest tenth, which are
 * outliers caused by other processes, and its interval.
 */
function formattedRatio(windows: readonly Measured[], raw: readonly Measured[]): string {
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
      const full = combined(turns);
      return [
        SERVERS[server],
        formattedRatio(turns, raw),
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
