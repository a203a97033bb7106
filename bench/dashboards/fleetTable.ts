import { table } from "../table.js";
import { type Fleet, type FleetResult, pollFleet } from "./fleet.js";

/** 200 dashboards over 50 accounts, each polled once a second. */
const FLEET = { accounts: 50, dashboards: 200 } as const;
/**
 * Each is watched for so many virtual seconds: with live state for as long as it takes until each account's whole state has been read
 * again once, so that the readings count as often as they happen.
 */
const WATCHED: readonly (Omit<Fleet, "accounts" | "dashboards"> & { readonly name: string })[] = [
  { name: "the gateway", way: "live", seconds: 360 },
  { name: "with a trade per account and minute", way: "live", seconds: 60, tradeEveryMs: 60_000 },
  { name: "without live state", way: "no live state", seconds: 60, warmUpMs: 5_000 },
  { name: "each dashboard by itself", way: "each by itself", seconds: 5, warmUpMs: 5_000 },
];

export async function compareFleets(): Promise<string> {
  const rows: string[][] = [];
  const before: string[][] = [];
  for (const { name, ...fleet } of WATCHED) {
    const result = await pollFleet({ ...FLEET, ...fleet });
    rows.push(row(name, fleet, result));
    if (fleet.warmUpMs === undefined) before.push(bringUpRow(name, result));
  }
  const steady = table(
    [
      "who asks the exchange",
      "seconds",
      "answers",
      "with an error",
      "REST calls/account/min",
      "HTTP 429",
      "age p99 ms, orders and balances",
      "age p99 ms, what prices move",
      "of that not the exchange's pace",
    ],
    rows,
  );
  const bringUp = table(["before that, until all accounts are live", "seconds", "calls/account", "HTTP 429", "errors"], before);
  return `${steady}\n\n${bringUp}`;
}

const row = (name: string, { way, seconds }: Pick<Fleet, "way" | "seconds">, result: FleetResult): string[] => [
  name,
  String(seconds),
  String(result.answers),
  `${((100 * result.failed) / Math.max(1, result.answers)).toFixed(1)} %`,
  result.callsPerAccountMinute.toFixed(2),
  String(result.refused),
  String(result.stateP99),
  String(result.pricedP99),
  way === "live" ? String(result.addedP99) : "",
];

const bringUpRow = (name: string, { bringUp: { seconds, callsPerAccount, refused, failed } }: FleetResult): string[] => [
  name,
  String(seconds),
  callsPerAccount.toFixed(1),
  String(refused),
  String(failed),
];
