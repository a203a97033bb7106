/** The kinds of market data that queries are answered from, by the names of their subscriptions. */
export type MarketKind = "ticker" | "orderBook" | "candles";
