import { table } from "../table.js";
import { type Placed, place } from "./placement.js";
import { recoveryMs } from "./recovery.js";
import { CAPACITIES, type Load, type Sizing, sizeOf } from "./sizing.js";

/** Distribution of accounts and topics over several clusters: calculated, and simulated by placing each account and topic. */

export const LOADS: readonly Load[] = [
  { accounts: 1_000, listeners: 10_000 },
  { accounts: 10_000, listeners: 100_000 },
  { accounts: 100_000, listeners: 1_000_000 },
];

export function* compareClusters(): Generator<string> {
  const rows = LOADS.map((load) => {
    const sizing = sizeOf(load);
    return { load, sizing, placed: place(load, sizing) };
  });
  yield "## Calculation";
  yield sizes(rows);
  yield "## Simulation: the highest load of each resource";
  yield highestLoads(rows);
  yield "## Recovery of an address that lost all its sockets";
  yield recoveries();
}

interface Row {
  readonly load: Load;
  readonly sizing: Sizing;
  readonly placed: Placed;
}

export function sizes(rows: readonly Pick<Row, "load" | "sizing">[]): string {
  return table(
    [
      "accounts",
      "listeners",
      "clusters",
      "addresses per cluster",
      "addresses in total",
      "Redis shards per cluster",
      "commits/s per cluster",
      "PostgreSQL primaries per cluster",
    ],
    rows.map(({ load, sizing }) => [
      whole(load.accounts),
      whole(load.listeners),
      whole(sizing.clusters),
      whole(sizing.addresses),
      whole(sizing.clusters * sizing.addresses),
      whole(sizing.redisShards),
      whole(sizing.commitsPerSecond),
      whole(sizing.primaries),
    ]),
  );
}

export function highestLoads(rows: readonly Row[]): string {
  return table(
    [
      "accounts",
      "accounts per cluster, fewest to most",
      `sockets per address (of ${CAPACITIES.sockets})`,
      "the same, one cluster down",
      `calls/min per address (of ${whole(CAPACITIES.calls)})`,
      `listeners per replica (of ${whole(CAPACITIES.listeners)})`,
      "events/s through Redis per cluster",
      "accounts moved after a cluster failure",
      "accounts of other clusters moved",
    ],
    rows.map(({ load, placed }) => [
      whole(load.accounts),
      `${whole(placed.accounts.fewest)} to ${whole(placed.accounts.most)}`,
      whole(placed.sockets),
      whole(placed.socketsWithOneDown),
      whole(placed.calls),
      whole(placed.listeners),
      whole(placed.relayed),
      percent(placed.moved.ofAll),
      percent(placed.moved.ofOthers),
    ]),
  );
}

const BREAKS = [1, 2, 3, 4] as const;

export function recoveries(): string {
  const sockets = CAPACITIES.sockets;
  return table(
    [`loss of all ${sockets} sockets`, "all accounts live after"],
    BREAKS.map((times) => [
      times === 1 ? "once" : `${times} times in a row`,
      `${(recoveryMs(sockets, times) / 1000).toFixed(1)} s`,
    ]),
  );
}

const whole = (count: number): string => Math.ceil(count).toLocaleString("en-US");
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
