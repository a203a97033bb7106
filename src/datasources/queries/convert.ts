import { convertQuote, type Quotation } from "../../contract/convert.js";
import type { DecimalText } from "../../decimal.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { RequestReads } from "../reads/requestReads.js";

export interface QuoteFilter {
  readonly fromCoin: string;
  readonly toCoin: string;
  /** Exactly one of the two. */
  readonly fromCoinSize?: DecimalText | null | undefined;
  readonly toCoinSize?: DecimalText | null | undefined;
}

/** A price for a conversion, good for 8 seconds and for one conversion: it is never cached and never shared. */
export async function readConvertQuote(
  reads: RequestReads,
  account: ExchangeAccount,
  { fromCoin, toCoin, fromCoinSize, toCoinSize }: QuoteFilter,
): Promise<Quotation> {
  const quote = await reads.readAlone(
    convertQuote,
    { fromCoin, toCoin, fromCoinSize: fromCoinSize ?? undefined, toCoinSize: toCoinSize ?? undefined },
    account,
  );
  reads.exchange.writes.quotes.remember(account, quote, reads.now());
  return quote;
}
