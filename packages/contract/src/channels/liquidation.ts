import { type Decoded, optionalDecimal, optionalTime, optionalToken, text, token } from "../codec.js";
import { record } from "../record.js";
import { FUTURES_CATEGORIES, ORDER_SIDES } from "../vocabulary.js";
import { type FuturesMarket, inCategory, unifiedFutures } from "./arguments.js";
import type { Channel } from "./channel.js";

export const liquidation = record({
  category: token("Product category", FUTURES_CATEGORIES),
  symbol: text("Symbol name"),
  side: optionalToken("Whose position it was: `buy` a long one, `sell` a short one", ORDER_SIDES),
  price: optionalDecimal("Price"),
  qty: optionalDecimal("Quantity, in base coin", "amount"),
  time: optionalTime("When it happened", "ts"),
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
