import { table } from "../table.js";
import { type Fleet, type FleetResult, pollFleet } from "./fleet.js";

/** 200 dashboards over 50 accounts, each polled once a second. */
const FLEET = { accounts: 50, dashboards: 200 } as const;
/** Each is watched for so many virtual seconds: what it does in steady state does not change after that. */
const WATCHED: readonly (Omit<Fleet, "accounts" | "dashboards"> & { readonly name: string })[] = [
  { name: "the gateway", way: "live", seconds: 300, warmUpMs: 140_000 },
  { name: "with a trade per account and minute", way: "live", seconds: 60, warmUpMs: 140_000, tradeEveryMs: 60_000 },
  { name: "without live state", way: "no live state", seconds: 60 },
  { name: "each dashboard by itself", way: "each by itself", seconds: 5 },
];

export async function compareFleets(): Promise<string> {
  const rows: string[][] = [];
  for (const { name, ...fleet } of WATCHED) rows.push(row(name, fleet.seconds, await pollFleet({ ...FLEET, ...fleet })));
  return table(
    [
      "who asks the exchange",
      "seconds",
      "answers",
      "with an error",
      "REST calls/account/min",
      "HTTP 429",
      "age p99 ms, orders and balances",
      "age p99 ms, what prices move",
    ],
    rows,
  );
}

const row = (name: string, seconds: number, result: FleetResult): string[] => [
  name,
  String(seconds),
  String(result.answers),
  `${((100 * result.failed) / Math.max(1, result.answers)).toFixed(1)} %`,
  result.callsPerAccountMinute.toFixed(1),
  String(result.refused),
  String(result.stateP99),
  String(result.pricedP99),
];
