/** What can be exported, and the columns of each kind. */

/** Cells by column. Amounts are exact decimal text, times ISO 8601 in UTC, words those of the graph; null where there is none. */
export type Cells = Readonly<Record<string, string | null>>;

/** The first two columns of every kind: a row's place in the order of the file. */
const PLACE = ["time", "id"] as const;
const FEES = ["fee", "feeCoin", "secondFee", "secondFeeCoin"] as const;
const TRADED = ["category", "symbol", "side", "posSide", "tradeSide", "orderType", "baseCoin", "quoteCoin"] as const;
const CHANGE = [
  ...["deposits", "withdrawals", "transfers", "loans", "earn", "flows", "trades", "fees", "funding", "interest", "other"],
  ...["unrealised", "revaluation", "rounding", "unexplained", "total"],
] as const;

/** Columns of each kind, in the order of the file. `docs/exports.md` says what they mean. */
export const COLUMNS = {
  fills: [
    ...PLACE,
    ...TRADED,
    ...(["tradeScope", "price", "qty", "value"] as const),
    ...FEES,
    ...(["realisedPnl", "orderId", "clientOid"] as const),
  ],
  orders: [
    ...PLACE,
    ...TRADED,
    ...(["timeInForce", "status", "price", "avgPrice", "qty", "quoteQty", "cumExecQty", "cumExecValue"] as const),
    ...FEES,
    ...(["realisedPnl", "cancelReason", "updatedTime", "clientOid"] as const),
  ],
  flows: [...PLACE, ...(["wallet", "category", "symbol", "kind", "type", "coin", "amount", "fee", "change", "balance"] as const)],
  activity: [
    ...PLACE,
    ...(["kind", "record", "category", "symbol", "side", "type", "coin", "amount", "price", "toCoin", "toAmount"] as const),
    ...FEES,
    ...(["from", "to", "status", "txId", "orderId", "clientOid"] as const),
  ],
  equity: [
    ...PLACE,
    ...(["source", "equity", "low", "high", "samples", "unrealisedPnl", "debt", "marginInUse", "gapFrom", "gapReason"] as const),
    ...CHANGE,
  ],
  performance: [
    ...PLACE,
    ...(["startTime", "equityAtStart", "equityAtEnd", "timeWeightedReturn", "moneyWeightedReturn", "maxDrawdown"] as const),
    ...(["longestDrawdownSeconds", "volatility", "sharpe", "sortino", "calmar", "realised", "closings"] as const),
    ...(["winRate", "profitFactor", "expectancy"] as const),
    ...CHANGE,
  ],
} as const;

export type ExportKind = keyof typeof COLUMNS;
export const EXPORT_KINDS = Object.keys(COLUMNS) as readonly ExportKind[];

/** Intervals of the points of `equity`. */
export const INTERVALS = ["MINUTE", "HOUR", "DAY"] as const;
export type ExportInterval = (typeof INTERVALS)[number];

export const isOneOf = <T extends string>(values: readonly T[], word: string | null | undefined): word is T =>
  values.some((one) => one === word);
