import {
  convertCurrencies,
  convertQuote,
  convertRecords,
  QUOTE_VALIDITY_MS,
  type Quotation,
} from "@exchange-graph/contract/convert";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { ExchangeAccount } from "../../calls/accounts/exchangeAccount.js";
import type { Reads } from "../reader/reads.js";
import type { RequestReads } from "../requestReads.js";
import { listOverTime } from "./pagedList.js";

interface QuoteFilter {
  readonly fromCoin: string;
  readonly toCoin: string;
  /** Exactly one of the two is given. */
  readonly fromAmount?: DecimalText | null | undefined;
  readonly toAmount?: DecimalText | null | undefined;
}

/** A price for a conversion, valid for 8 seconds and for one conversion: it is never cached or shared. */
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

/** Coins that can be converted, with their limits. */
export const readConvertCurrencies = (reads: Reads, account: ExchangeAccount) => reads.read(convertCurrencies, {}, account);

/** Completed conversions, newest first. */
export const conversions = listOverTime(convertRecords, ({ id }) => id);
