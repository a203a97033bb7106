import { type Decoded, optionalDecimal, optionalToken } from "../codec.js";
import { record, withWireKeys } from "../record.js";
import { ticker } from "../ticker.js";
import { classicMarket, type Market, unifiedMarket } from "./arguments.js";
import type { Channel } from "./channel.js";

/** `1` and `2` are v2's words. */
const CONTRACT_KINDS = ["perpetual", "delivery"] as const;

/** A ticker, with the figures that only pushes have. */
const streamedTicker = record({
  ...withWireKeys(ticker.fields, { symbol: ["symbol", "instId"] }),
  contractKind: optionalToken(
    "Perpetual or delivery; v2 futures only",
    CONTRACT_KINDS,
    { "1": "perpetual", "2": "delivery" },
    "symbolType",
  ),
  platformTurnover24h: optionalDecimal("Traded on the platform in the last 24 hours; tokenised stocks only"),
});
export type StreamedTicker = Decoded<typeof streamedTicker>;

const common = {
  opens: "snapshot",
  continues: "snapshot",
  frequency: { spot: 200, futures: 300 },
  item: streamedTicker,
} as const;

/** v3's record has neither its symbol nor its time. */
export const tickerChannel: Channel<Market, StreamedTicker> = {
  name: "ticker",
  doc: "The last 24 hours of a symbol",
  ...unifiedMarket("ticker"),
  ...common,
  implied: ({ symbol }, { time }) => ({ symbol, ts: time }),
};

export const classicTickerChannel: Channel<Market, StreamedTicker> = {
  name: "classicTicker",
  doc: "The last 24 hours of a symbol",
  ...classicMarket("ticker"),
  ...common,
};
