import { type HistoricalPosition, positionHistory } from "../../contract/position.js";
import type { FuturesCategory } from "../../contract/vocabulary.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Slice } from "../paging/pager.js";
import type { RequestReads } from "../reads/requestReads.js";
import { type HistoryArguments, pagedQuery } from "./pagedQuery.js";

/** Closed positions of the last 90 days, newest first. */
export async function closedPositions(
  reads: RequestReads,
  account: ExchangeAccount,
  { category, symbol }: { readonly category: FuturesCategory; readonly symbol?: string | null | undefined },
  asked: HistoryArguments,
): Promise<Slice<HistoricalPosition>> {
  await reads.demand(account, "UNIFIED", "The history of closed positions");
  return pagedQuery(
    reads,
    {
      endpoint: positionHistory,
      account,
      filter: { category, symbol },
      values: ({ from, to }, cursor, limit) => ({
        category,
        symbol: symbol ?? undefined,
        startTime: from,
        endTime: to,
        limit,
        cursor,
      }),
      page: (page) => page,
      rowKey: (row) => row.positionId,
      maxPageSize: 100,
    },
    asked,
  );
}
