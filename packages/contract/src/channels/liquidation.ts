import { type Decoded, optionalDecimal, optionalTime, optionalToken, text, token } from "../codec.js";
import { record } from "../record.js";
import { FUTURES_CATEGORIES, ORDER_SIDES } from "../vocabulary.js";
import { type FuturesMarket, inCategory, unifiedFutures } from "./arguments.js";
import type { Channel } from "./channel.js";

export const liquidation = record({
  category: token("Futures category, by the coin of the margin", FUTURES_CATEGORIES),
  symbol: text("Symbol name, for example `BTCUSDT`"),
  side: optionalToken("Whose position it was: `BUY` a long one, `SELL` a short one", ORDER_SIDES),
  price: optionalDecimal("Price at which it was closed, in quote coin"),
  qty: optionalDecimal("Quantity, in base coin (`amount`)", "amount"),
  time: optionalTime("When it happened (the exchange's `ts`)", "ts"),
});
export type Liquidation = Decoded<typeof liquidation>;

export const liquidationChannel: Channel<FuturesMarket, Liquidation> = {
  name: "liquidation",
  doc: "Forced closings of a whole category: per second, symbol and side the largest one",
  ...unifiedFutures("liquidation"),
  opens: "nothing",
  continues: "update",
  frequency: { spot: 1_000, futures: 1_000 },
  item: liquidation,
  implied: inCategory,
};
