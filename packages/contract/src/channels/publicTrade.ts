import { type PublicTrade, publicTrade } from "../publicTrade.js";
import { record, withWireKeys } from "../record.js";
import { classicMarket, type Market, unifiedMarket } from "./arguments.js";
import { AT_ONCE, type Channel } from "./channel.js";

const common = { opens: "snapshot", continues: "update", frequency: AT_ONCE } as const;

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
  ...common,
  item: record(abbreviated),
};

export const classicTradeChannel: Channel<Market, PublicTrade> = {
  name: "classicTrade",
  doc: "Trades: the latest ones first, newest first, then each new one",
  ...classicMarket("trade"),
  ...common,
  item: publicTrade,
};
