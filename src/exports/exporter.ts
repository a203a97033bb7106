import { type Clock, DAY_MS } from "@exchange-graph/contract/clock";
import { badInput, type ExchangeAccount, Fault } from "../datasources/index.js";
import { demand, type Principal } from "../resolvers/index.js";
import { KEPT_DAYS, KEPT_MARGIN_MS, listsOf } from "./lists.js";
import { type ExportClient, paced } from "./pace.js";
import { equityRows, performanceRows } from "./recorded.js";
import type { ExportRow } from "./rows.js";
import { inSlices } from "./slices.js";
import type { Cells, ExportInterval, ExportKind } from "./table.js";

/** What is exported. */
export interface ExportQuery {
  readonly account: string;
  readonly kind: ExportKind;
  /** Including both, Unix ms. Default of `to`: now. */
  readonly from: number;
  readonly to?: number | undefined;
  /** Of the points of `equity`. */
  readonly interval: ExportInterval;
  /** Number of rows of the very time `from` that are left out: those that an interrupted export has written already. */
  readonly skip: number;
}

/** Rows up to a time, Unix ms: the next ones are later. */
interface ExportSlice {
  readonly rows: readonly Cells[];
  readonly until: number;
}

/** An export that has begun. */
export interface OpenExport {
  /** The exchange's user of the account. */
  readonly user: string;
  /** The range that is read, Unix ms: it begins later than asked for if the exchange does not keep what was before. */
  readonly from: number;
  readonly to: number;
  readonly slices: AsyncIterable<ExportSlice>;
}

/**
 * Opens an export. Nothing but the account's user and mode is read before the first slice is asked for. Rejects with `Fault`:
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
  // What has not happened yet would differ from one export to the next.
  const to = Math.min(query.to ?? now, now);
  if (to < query.from) throw badInput([{ argument: "to", rule: "must not be before from" }]);
  if (to < kept)
    throw badInput([{ argument: "to", rule: `must be within the last ${KEPT_DAYS} days: the exchange keeps no more` }]);
  if (isRecorded && history === undefined)
    throw new Fault("HISTORY_UNAVAILABLE", "this gateway records no history: HISTORY_INTERVAL_MINUTES is 0", {
      retryable: false,
    });
  const ask = paced(client, clock);
  const span = { from: Math.max(query.from, kept), to };
  const user = await ask(() => exchange.users.of(account, "refresh"));
  return { ...span, user, slices: slicesOf(account) };

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
    else yield* inSlices(await ask((context) => listsOf(kind, context, of)), span, kept, ask);
  }
}

const shown = ({ time, id, cells }: ExportRow): Cells => ({ ...cells, time: new Date(time).toISOString(), id });
