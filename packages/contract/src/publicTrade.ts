import { type Decoded, id, optionalDecimal, optionalFlag, optionalText, optionalTime, optionalToken } from "./codec.js";
import { endpoint, MARKET_DATA, perSecond } from "./endpoint.js";
import { listOf } from "./lists.js";
import { maybe, oneOf, pageSize, required, symbolName } from "./parameter.js";
import { record } from "./record.js";
import { productType } from "./trading.js";
import { MARKET_CATEGORIES, ORDER_SIDES } from "./vocabulary.js";

/** Latest trades of the market, newest first. */

export const publicTrade = record({
  execId: id("The exchange's identifier of the trade, its key in a cache (also spelt `tradeId`)", "execId", "tradeId"),
  execLinkId: optionalText("Shared by the trades of one taker order; null where the exchange does not say"),
  price: optionalDecimal("Price, in quote coin"),
  qty: optionalDecimal("Quantity, in base coin (`size`)", "size"),
  side: optionalToken("What the taker did", ORDER_SIDES),
  time: optionalTime("When it was traded (the exchange's `ts`)", "ts"),
  isRPI: optionalFlag("Was the maker a retail price improvement order? Null where the exchange does not say"),
});
export type PublicTrade = Decoded<typeof publicTrade>;

const symbol = required("Symbol name", symbolName());
const READ = { rate: perSecond(20, "IP"), cache: MARKET_DATA, data: listOf(publicTrade) } as const;

export const publicTrades = endpoint({
  ...READ,
  name: "publicTrades",
  doc: "Latest trades of a symbol",
  path: "/api/v3/market/fills",
  parameters: {
    category: required("Product category", oneOf(MARKET_CATEGORIES)),
    symbol,
    limit: maybe("How many", pageSize(100, 100)),
  },
});

export const classicSpotTrades = endpoint({
  ...READ,
  name: "classicSpotTrades",
  doc: "Latest trades of a spot symbol",
  path: "/api/v2/spot/market/fills",
  rate: perSecond(10, "IP"),
  // Up to 500 can be requested; measured answers have at most 100.
  parameters: { symbol, limit: maybe("How many; the answer may stop at 100", pageSize(100, 500)) },
});

export const classicFuturesTrades = endpoint({
  ...READ,
  name: "classicFuturesTrades",
  doc: "Latest trades of a futures symbol",
  path: "/api/v2/mix/market/fills",
  parameters: {
    symbol,
    productType,
    limit: maybe("How many", pageSize(100, 100)),
  },
});
