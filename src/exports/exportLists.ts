import { DAY_MS } from "@exchange-graph/contract/clock";
import type { Fill } from "@exchange-graph/contract/fill";
import { FINANCIAL_RECORD_CATEGORIES } from "@exchange-graph/contract/financialRecord";
import type { Order } from "@exchange-graph/contract/order";
import { isRead } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { unreadFault } from "../datasources/errors/index.js";
import { type ExchangeAccount, Fault } from "../datasources/index.js";
import {
  CATEGORIES_OF,
  readFills,
  readFinancialRecords,
  readFundingAccountRecords,
  readOrderHistory,
  type Slice,
} from "../datasources/reads/index.js";
import type { ActivityItem, ActivityList } from "../resolvers/activity/activityList.js";
import { listsFor } from "../resolvers/activity/activityLists.js";
import type { RequestContext } from "../resolvers/index.js";
import { cellsIn, type ExportRow, feesIn, flowRow, textIn, utc, wordIn } from "./exportRows.js";
import type { ExportKind } from "./table.js";

/** A page of a list between two times including both, Unix ms. */
interface ListQuery {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly after: string | undefined;
}

/** Rows as the exchange lists them, newest first. */
interface ExportPage {
  readonly rows: readonly ExportRow[];
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined;
}

/** One of the exchange's lists. */
export type ExportList = (context: RequestContext, query: ListQuery) => Promise<ExportPage>;

type ListKind = Exclude<ExportKind, "equity" | "performance">;

/** The exchange keeps its lists for 90 days. */
export const KEPT_DAYS = 90;

/** The lists of a kind. Each is read on its own: of merged lists, rows that a page has no room for are read again. */
export async function listsOf(kind: ListKind, context: RequestContext, account: ExchangeAccount): Promise<readonly ExportList[]> {
  const mode = await context.reads.modeOf(account);
  switch (kind) {
    case "fills":
      // A unified account has one list for all categories.
      return (mode === "UNIFIED" ? [undefined] : CATEGORIES_OF.CLASSIC).map((category) => async (ownContext, query) => {
        const fills = await readFills(ownContext.reads, account, category === undefined ? {} : { category }, query);
        return withCoins(ownContext, pageOf(fills, fillRow));
      });
    case "orders":
      return CATEGORIES_OF[mode].map(
        (category) => async (ownContext, query) =>
          withCoins(ownContext, pageOf(await readOrderHistory(ownContext.reads, account, { category }, query), orderRow)),
      );
    case "flows":
      return mode === "UNIFIED"
        ? [...FINANCIAL_RECORD_CATEGORIES.map(recordsIn(account)), fundingRecords(account)]
        : (["SPOT", ...FUTURES_CATEGORIES, "MARGIN"] as const).map(recordsIn(account));
    case "activity": {
      const to = context.reads.now();
      const span = { from: to - KEPT_DAYS * DAY_MS + KEPT_MARGIN_MS, to };
      const lists = listsFor(mode, {}).map(async (list) => ("parts" in list ? list.parts(context, account, span) : [list]));
      return (await Promise.all(lists)).flat().map(activityOf(account));
    }
  }
}

/** The retention period moves while lists are read. */
export const KEPT_MARGIN_MS = 60_000;

const recordsIn =
  (account: ExchangeAccount) =>
  (category: (typeof FINANCIAL_RECORD_CATEGORIES)[number]): ExportList =>
  async ({ reads }, query) =>
    pageOf(await readFinancialRecords(reads, account, { category }, query), (record) => flowRow("TRADING", record));

const fundingRecords =
  (account: ExchangeAccount): ExportList =>
  async ({ reads }, query) =>
    pageOf(await readFundingAccountRecords(reads, account, {}, query), (record) => flowRow("FUNDING", record));

const activityOf =
  (account: ExchangeAccount) =>
  ({ kind, read }: ActivityList): ExportList =>
  async (context, query) =>
    pageOf(await read(context, account, query), (row) => activityRow(kind, row));

/** A row without a time has no place in a file. It fails the export, because leaving it out would be silent. */
function pageOf<R, E extends Omit<ExportRow, "time"> & { readonly time: number | null }>(
  { rows, hasNextPage, endCursor }: Slice<R>,
  rowOf: (row: R) => E,
): { readonly rows: readonly (E & { readonly time: number })[]; readonly next: string | undefined } {
  const found = rows.map(({ row }) => {
    if (!isRead(row)) throw unreadFault(row);
    const made = rowOf(row);
    const { time } = made;
    if (time !== null) return { ...made, time };
    throw new Fault("EXCHANGE_BAD_RESPONSE", `the exchange sent ${made.list} ${made.id} without a time`, { retryable: false });
  });
  return { rows: found, next: hasNextPage ? (endCursor ?? rows.at(-1)?.cursor) : undefined };
}

const TRADED = ["category", "side", "posSide", "tradeSide", "orderType"] as const satisfies readonly (keyof Fill & keyof Order)[];

const FILL_TEXTS = ["symbol", "price", "qty", "value", "realisedPnl", "orderId", "clientOid"] satisfies readonly (keyof Fill)[];
const FILL_WORDS = [...TRADED, "tradeScope"] satisfies readonly (keyof Fill)[];

const fillRow = (fill: Fill) => ({
  ...{ of: fill, time: fill.createdTime, id: fill.execId, list: fill.category },
  cells: {
    ...cellsIn(fill, FILL_TEXTS, FILL_WORDS),
    ...feesIn(fill),
  },
});

/** Adds the coins of each row's symbol, from reference data that is cached; null for one that is not listed any more. */
async function withCoins<R extends ExportRow & { readonly of: Pick<Fill, "category" | "symbol"> }>(
  { reads }: RequestContext,
  page: { readonly rows: readonly R[]; readonly next: string | undefined },
): Promise<ExportPage> {
  const rows = page.rows.map(async ({ of: { category, symbol }, ...row }) => {
    const listed = await reads.loaders.instrument(category, symbol);
    const coins = { baseCoin: listed?.baseCoin ?? null, quoteCoin: listed?.quoteCoin ?? null };
    return { ...row, cells: { ...row.cells, ...coins } };
  });
  return { ...page, rows: await Promise.all(rows) };
}

const ORDER_TEXTS = [
  ...(["symbol", "price", "avgPrice", "qty", "quoteQty", "cumExecQty", "cumExecValue", "realisedPnl", "clientOid"] as const),
] satisfies readonly (keyof Order)[];
const ORDER_WORDS = [...TRADED, "timeInForce", "status", "cancelReason"] satisfies readonly (keyof Order)[];

const orderRow = (order: Order) => ({
  ...{ of: order, time: order.createdTime, id: order.orderId, list: order.category },
  cells: {
    ...cellsIn(order, ORDER_TEXTS, ORDER_WORDS),
    ...feesIn(order),
    updatedTime: utc(order.updatedTime),
  },
});

/** Records of all kinds, by what their fields have in common. */
function activityRow(kind: string, { record, key, time }: ActivityItem) {
  const type = record.__typename;
  const coin = textIn(record, "fromCoin", "loanCoin", "productCoin", "coin");
  const fee = textIn(record, "fee");
  return {
    ...{ time, id: key.slice(type.length + 1), list: type },
    cells: {
      ...cellsIn(record, ["symbol", "toCoin", "toAmount", "txId", "orderId", "clientOid"], ["category", "side"]),
      ...{ kind, record: type, coin, amount: textIn(record, "fromAmount", "loanAmount", "amount", "qty") },
      ...{ type: wordIn(record, "orderType", "planType", "type"), price: textIn(record, "price", "executePrice") },
      ...(fee === null ? feesIn(record) : { fee, feeCoin: coin }),
      from: wordIn(record, "fromWallet") ?? textIn(record, "fromAddress"),
      to: wordIn(record, "toWallet") ?? textIn(record, "toAddress"),
      status: wordIn(record, "status", "state"),
    },
  };
}
