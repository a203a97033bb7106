import { table } from "../table.js";
import { type Fleet, type FleetResult, pollFleet } from "./fleet.js";

/** 200 dashboards over 50 accounts, each polled once a second. */
const FLEET = { accounts: 50, dashboards: 200 } as const;
/**
 * The set-ups, each measured for a number of virtual seconds. With live state, the measurement lasts until the complete state
 * of each account has been read again once, so that these reads are included at their true rate.
 */
const SET_UPS: readonly (Omit<Fleet, "accounts" | "dashboards"> & { readonly name: string })[] = [
  { name: "one gateway with live state", setUp: "live", seconds: 360 },
  { name: "the same, each account trading once a minute elsewhere", setUp: "live", seconds: 60, tradeEveryMs: 60_000 },
  { name: "one gateway without live state", setUp: "no live state", seconds: 60, warmUpMs: 5_000 },
  { name: "a gateway per dashboard", setUp: "gateway per dashboard", seconds: 5, warmUpMs: 5_000 },
];

export async function* compareFleets(): AsyncGenerator<string> {
  const rows: string[][] = [];
  const before: string[][] = [];
  for (const { name, ...fleet } of SET_UPS) {
    const result = await pollFleet({ ...FLEET, ...fleet });
    rows.push(row(name, fleet, result));
    if (fleet.warmUpMs === undefined) before.push(bringUpRow(name, result));
  }
  yield table(
    [
      "set-up",
      "seconds",
      "answers",
      "with errors",
      "REST calls/account/min",
      "HTTP 429",
      "age p99 ms, orders and balances",
      "age p99 ms, price-dependent data",
      "the same beyond the push interval",
    ],
    rows,
  );
  yield table(["start, until all accounts are live", "seconds", "calls/account", "HTTP 429", "errors"], before);
}

const row = (name: string, { setUp, seconds }: Pick<Fleet, "setUp" | "seconds">, result: FleetResult): string[] => [
  name,
  String(seconds),
  String(result.answers),
  `${((100 * result.failed) / Math.max(1, result.answers)).toFixed(1)} %`,
  result.callsPerAccountMinute.toFixed(2),
  String(result.refused),
  String(result.stateP99),
  String(result.pricedP99),
  setUp === "live" ? String(result.addedP99) : "",
];

const bringUpRow = (name: string, { bringUp: { seconds, callsPerAccount, refused, failed } }: FleetResult): string[] => [
  name,
  String(seconds),
  callsPerAccount.toFixed(1),
  String(refused),
  String(failed),
];
