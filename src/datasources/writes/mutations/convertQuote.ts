import { convertQuote, QUOTE_VALIDITY_MS, type Quotation } from "@exchange-graph/contract/convert";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { ExchangeAccount } from "../../calls/index.js";
import type { RequestWrites } from "../writes.js";

interface QuoteFilter {
  readonly fromCoin: string;
  readonly toCoin: string;
  /** Exactly one of the two is given. */
  readonly fromAmount?: DecimalText | null | undefined;
  readonly toAmount?: DecimalText | null | undefined;
}

/** A price for a conversion, valid for 8 seconds and for one conversion: it is never cached or shared. */
export async function readConvertQuote(
  { reads, writes }: RequestWrites,
  account: ExchangeAccount,
  { fromCoin, toCoin, fromAmount, toAmount }: QuoteFilter,
): Promise<Quotation & { readonly expireTime: number }> {
  const quote = await reads.readAlone(
    convertQuote,
    { fromCoin, toCoin, fromCoinSize: fromAmount ?? undefined, toCoinSize: toAmount ?? undefined },
    account,
    { fromCoinSize: "amount.from", toCoinSize: "amount.to" },
  );
  const now = reads.now();
  writes.quotes.remember(account, quote, now);
  return { ...quote, expireTime: now + QUOTE_VALIDITY_MS };
}
