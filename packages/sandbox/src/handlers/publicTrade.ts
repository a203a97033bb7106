import { plain } from "@exchange-graph/contract/decimal";
import { classicFuturesTrades, classicSpotTrades, publicTrades } from "@exchange-graph/contract/publicTrade";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";
import type { Trade } from "../world/market/tape.js";
import { type Handler, open } from "./handler.js";
import { categoryOf, listed } from "./symbols.js";

/** Maximum number of trades in an answer. */
const MOST = 100;

/** Handlers of recent public trades. */
export function publicTradeHandlers(markets: Markets): readonly Handler[] {
  const latest = (market: Market, limit: number | undefined): readonly Trade[] =>
    market.trades(markets.tick, Math.min(limit ?? MOST, MOST));
  const classic = (market: Market, limit: number | undefined): unknown =>
    latest(market, limit).map(({ execId, price, quantity, side, at }) => ({
      tradeId: execId,
      price: plain(price),
      size: plain(quantity),
      side,
      ts: String(at),
      symbol: market.listing.instrument.symbol,
    }));

  return [
    open(publicTrades, ({ values }) =>
      latest(listed(markets, values.category, values.symbol), values.limit).map((trade) => ({
        execId: trade.execId,
        execLinkId: trade.execLinkId,
        price: plain(trade.price),
        size: plain(trade.quantity),
        side: trade.side,
        ts: String(trade.at),
        isRPI: "no",
      })),
    ),
    open(classicSpotTrades, ({ values }) => classic(listed(markets, "SPOT", values.symbol), values.limit)),
    open(classicFuturesTrades, ({ values }) =>
      classic(listed(markets, categoryOf(values.productType), values.symbol), values.limit),
    ),
  ];
}
