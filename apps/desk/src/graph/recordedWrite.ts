import type { Client } from "@exchange-graph/client";
import { now } from "../state/clock.js";
import { graphql, textOf } from "./document.js";

const RecentWrites = graphql(`
  query RecentWrites($account: String) {
    account(name: $account) {
      journal(first: 500) {
        nodes {
          idempotencyKey
          status
          problem {
            code
            message
          }
        }
      }
    }
  }
`);

/** A write whose outcome is looked up. */
interface Wanted {
  readonly account: string;
  /** Its idempotency key. The orders of a batch have it with their places. */
  readonly key: string;
}

/** What the journal has of a write: its outcome, with the reasons of a refusal; nothing; or no outcome yet. */
export type Recorded =
  | { readonly outcome: "accepted" | "rejected"; readonly reasons: string }
  | { readonly outcome: "missing" | "open" };

const OUTCOMES = new Map<string, "accepted" | "rejected">([
  ["ACCEPTED", "accepted"],
  ["REJECTED", "rejected"],
  ["UNSENT", "rejected"],
]);

const EVERY_MS = 3_000;
/** A request that was on its way to a frozen gateway may be executed when that goes on: for so long a missing one may come, ms. */
const LATE_MS = 10_000;

/** Looks a write up in the journal until that has its outcome, for at most `withinMs`, or until the signal. */
export async function recordedWrite(client: Client, wanted: Wanted, withinMs: number, signal: AbortSignal): Promise<Recorded> {
  const until = now() + withinMs;
  let answeredAt: number | undefined;
  for (;;) {
    const { data, errors } = await client.query(textOf(RecentWrites), { account: wanted.account }, { signal });
    const rows = data?.account?.journal.nodes;
    if (rows) answeredAt ??= now();
    const found = rows && recordOf(wanted.key, rows);
    const isMissing = found?.outcome === "missing" && answeredAt !== undefined && now() - answeredAt >= LATE_MS;
    if (found && found.outcome !== "open" && (found.outcome !== "missing" || isMissing)) return found;
    if (now() >= until || errors.some(({ retryable }) => !retryable)) return found ?? { outcome: "open" };
    await new Promise((over) => setTimeout(over, EVERY_MS));
  }
}

interface Row {
  readonly idempotencyKey: string;
  readonly status: string;
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** The orders of a batch may have several outcomes: these are left to the journal itself. */
function recordOf(key: string, rows: readonly (Row | null)[]): Recorded {
  const found = rows.filter((row) => row !== null && (row.idempotencyKey === key || row.idempotencyKey.startsWith(`${key}-`)));
  if (found.length === 0) return { outcome: "missing" };
  const outcomes = new Set(found.map((row) => OUTCOMES.get(row?.status ?? "")));
  const [outcome] = outcomes;
  if (outcomes.size > 1 || outcome === undefined) return { outcome: "open" };
  const reasons = found.flatMap((row) => (row?.problem ? [`${row.problem.code}: ${row.problem.message}`] : []));
  return { outcome, reasons: [...new Set(reasons)].join(" ") };
}
