import { type Clock, DAY_MS } from "@exchange-graph/contract/clock";
import { badInput, type ExchangeAccount, Fault, reversedRange } from "../datasources/index.js";
import { demand, type Principal } from "../resolvers/index.js";
import { KEPT_DAYS, KEPT_MARGIN_MS, listsOf } from "./exportLists.js";
import type { ExportRow } from "./exportRows.js";
import { type ExportClient, paced } from "./pacedReads.js";
import { equityRows, performanceRows, storedFlowRows } from "./recorded.js";
import { inSlices } from "./slices.js";
import type { Cells, ExportInterval, ExportKind } from "./table.js";

export interface ExportQuery {
  readonly account: string;
  readonly kind: ExportKind;
  /** Including both, Unix ms. Default of `to`: now. */
  readonly from: number;
  readonly to?: number | undefined;
  /** Of the points of `equity`. */
  readonly interval: ExportInterval;
  /** Number of rows with the time `from` that are left out, because an interrupted export has already written them. */
  readonly skip: number;
}

/** Rows up to a time, Unix ms: the next ones are later. */
interface ExportSlice {
  readonly rows: readonly Cells[];
  readonly until: number;
}

export interface OpenExport {
  /** The exchange's user of the account. */
  readonly user: string;
  /** The range that is read, Unix ms. It begins later than requested if nothing earlier is kept. */
  readonly from: number;
  readonly to: number;
  /** From this time on, rows come from the exchange's lists; earlier ones were recorded by the gateway. */
  readonly listedFrom: number;
  readonly slices: AsyncIterable<ExportSlice>;
}

/**
 * Opens an export. Only the account's user and mode are read before the first slice is requested. Rejects with `Fault`:
 * `FORBIDDEN`, `BAD_USER_INPUT`, `HISTORY_UNAVAILABLE`.
 */
export async function openExport(
  query: ExportQuery,
  client: ExportClient & { readonly principal: Principal },
  clock: Clock,
): Promise<OpenExport> {
  const { kind, interval, skip } = query;
  const { exchange, reads, history } = client.newContext();
  const account = exchange.account(query.account);
  if (account === undefined) throw badInput([{ argument: "account", rule: "must be the name of an account" }]);
  demand(client.principal, "read:account", account.name);
  const now = reads.now();
  const isRecorded = kind === "equity" || kind === "performance";
  const kept = isRecorded ? 0 : now - KEPT_DAYS * DAY_MS + KEPT_MARGIN_MS;
  // A range into the future would give different rows in each export.
  const to = Math.min(query.to ?? now, now);
  if (to < query.from) throw reversedRange(query.from, query.to);
  // Changes of balances may have been recorded while the exchange kept them.
  if (to < kept && (kind !== "flows" || history === undefined)) throw tooEarly();
  if (isRecorded && history === undefined)
    throw new Fault("HISTORY_UNAVAILABLE", "this gateway records no history: HISTORY_INTERVAL_MINUTES is 0", {
      retryable: false,
    });
  const ask = paced(client, clock);
  const user = await ask(() => exchange.users.of(account, "refresh"));
  const storedFrom = kind === "flows" ? await history?.changesFrom(user) : undefined;
  const span = { from: Math.max(query.from, Math.min(kept, storedFrom ?? kept)), to };
  if (to < span.from) throw tooEarly();
  return { ...span, listedFrom: Math.max(query.from, kept), user, slices: slicesOf(account) };

  async function* slicesOf(of: ExchangeAccount): AsyncGenerator<ExportSlice> {
    let left = skip;
    for await (const { rows, until } of rowsOf(of)) {
      const first = rows.findIndex(({ time }) => time > query.from);
      const again = Math.min(left, first < 0 ? rows.length : first);
      left = 0;
      yield { rows: rows.slice(again).map(shown), until };
    }
  }

  async function* rowsOf(of: ExchangeAccount) {
    if (kind === "equity") yield* equityRows(of, span, interval, ask);
    else if (kind === "performance") yield* performanceRows(of, span, ask);
    else {
      const stored = { from: span.from, to: Math.min(to, kept - 1) };
      if (history !== undefined && stored.from <= stored.to) yield* storedFlowRows(history, user, stored);
      const listed = { from: Math.max(span.from, kept), to };
      if (listed.from <= to) yield* inSlices(await ask((context) => listsOf(kind, context, of)), listed, kept, ask);
    }
  }
}

const tooEarly = (): Fault =>
  badInput([{ argument: "to", rule: `must be within the last ${KEPT_DAYS} days: the exchange keeps no more` }]);

const shown = ({ time, id, cells }: ExportRow): Cells => ({ ...cells, time: new Date(time).toISOString(), id });
