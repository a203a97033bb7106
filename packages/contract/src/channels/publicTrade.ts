import { type PublicTrade, publicTrade } from "../publicTrade.js";
import { record, withWireKeys } from "../record.js";
import { classicMarket, type Market, unifiedMarket } from "./arguments.js";
import { CHANGES, type Channel } from "./channel.js";

/** v3 abbreviates its keys. */
const abbreviated = withWireKeys(publicTrade.fields, {
  execId: ["i"],
  execLinkId: ["L"],
  price: ["p"],
  qty: ["v"],
  side: ["S"],
  time: ["T"],
});

export const publicTradeChannel: Channel<Market, PublicTrade> = {
  name: "publicTrade",
  doc: "Trades: the latest ones first, newest first, then each new one",
  ...unifiedMarket("publicTrade"),
  ...CHANGES,
  item: record(abbreviated),
};

export const classicTradeChannel: Channel<Market, PublicTrade> = {
  name: "classicTrade",
  doc: "Trades: the latest ones first, newest first, then each new one",
  ...classicMarket("trade"),
  ...CHANGES,
  item: publicTrade,
};
