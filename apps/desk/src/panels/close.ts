import { trimDecimal } from "@exchange-graph/client";
import { words } from "../format/format.js";
import { PlaceOrder } from "../graph/mutations.js";
import { submit } from "../graph/writes.js";
import type { Position } from "../live/positions.js";
import { t } from "../text/text.js";
import { futuresOf } from "./market.js";

/** Closes a quantity of a position at a price, or at market: it cannot open one. Undefined if the position is not whole. */
export function closing(account: string, { category, symbol, posSide, holdMode }: Position, qty: string, price?: string) {
  const futures = futuresOf(category);
  if (futures === undefined || posSide === "UNRECOGNIZED") return undefined;
  return submit(
    t("Close {qty} {symbol} {value}", { qty: trimDecimal(qty), symbol, value: words(posSide).toLowerCase() }),
    PlaceOrder,
    {
      account,
      category: futures,
      symbol,
      side: posSide === "LONG" ? "SELL" : "BUY",
      qty,
      ...(price === undefined ? { orderType: "MARKET" as const } : { orderType: "LIMIT" as const, price }),
      ...(holdMode === "HEDGE_MODE" ? { posSide } : { reduceOnly: true }),
    },
  );
}
