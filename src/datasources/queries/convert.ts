import {
  convertCurrencies,
  convertQuote,
  convertRecords,
  type PastConversion,
  QUOTE_VALIDITY_MS,
  type Quotation,
} from "@exchange-graph/contract/convert";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import type { RequestReads } from "../requestReads.js";
import { overTime } from "./pageCounts.js";
import { type HistoryArguments, pagedQuery } from "./pagedQuery.js";

interface QuoteFilter {
  readonly fromCoin: string;
  readonly toCoin: string;
  /** Exactly one of the two. */
  readonly fromAmount?: DecimalText | null | undefined;
  readonly toAmount?: DecimalText | null | undefined;
}

/** A price for a conversion, good for 8 seconds and for one conversion: it is never cached and never shared. */
export async function readConvertQuote(
  reads: RequestReads,
  account: ExchangeAccount,
  { fromCoin, toCoin, fromAmount, toAmount }: QuoteFilter,
): Promise<Quotation & { readonly expireTime: number }> {
  const quote = await reads.readAlone(
    convertQuote,
    { fromCoin, toCoin, fromCoinSize: fromAmount ?? undefined, toCoinSize: toAmount ?? undefined },
    account,
    { fromCoinSize: "fromAmount", toCoinSize: "toAmount" },
  );
  const now = reads.now();
  reads.exchange.writes.quotes.remember(account, quote, now);
  return { ...quote, expireTime: now + QUOTE_VALIDITY_MS };
}

/** Coins that can be converted, and how much of each. */
export const readConvertCurrencies = (reads: Reads, account: ExchangeAccount) => reads.read(convertCurrencies, {}, account);

export const conversionPages = overTime(convertRecords);

/** Conversions that took place, newest first. */
export const readConversions = (
  reads: Reads,
  account: ExchangeAccount,
  asked: HistoryArguments,
): Promise<Slice<PastConversion>> =>
  pagedQuery(reads, { endpoint: convertRecords, account, values: {}, rowKey: ({ id }) => id }, asked);
