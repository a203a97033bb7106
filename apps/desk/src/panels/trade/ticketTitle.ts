import { isDecimal } from "@exchange-graph/client";
import { amount, words } from "../../format/format.js";
import { t } from "../../text/text.js";
import { qtyOf, quoteQtyOf, spends } from "./ticketInput.js";
import type { Terms, Ticket } from "./ticketState.js";

/** The order in words, for its button and its outcome: `Buy 0.5 BTCUSDT @ 60000`. */
export function titleOf(ticket: Ticket, terms: Terms): string {
  const { side, kind, price } = ticket;
  const { symbol, category } = terms.market;
  const isSpending = spends(ticket, category);
  const size = isSpending ? quoteQtyOf(ticket, terms) : qtyOf(ticket, terms);
  const sized =
    size === undefined
      ? symbol
      : isSpending
        ? t("{symbol} for {amount} {coin}", { symbol, amount: amount(size), coin: terms.instrument?.quoteCoin ?? "" })
        : `${amount(size)} ${symbol}`;
  const at = kind === "LIMIT" && isDecimal(price) ? ` @ ${amount(price)}` : kind === "MARKET" ? t(" at market") : "";
  return `${words(side)} ${sized}${at}`;
}
