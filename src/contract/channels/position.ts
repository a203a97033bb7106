import { type Codec, mapped, record, token } from "../codec.js";
import { classicPosition, type Position, positionFields } from "../position.js";
import { withCategory } from "../trading.js";
import { FUTURES_CATEGORIES, type FuturesCategory } from "../vocabulary.js";
import { classicFuturesAccount, type Everything, type FuturesMarket, inCategory, unifiedAccount } from "./arguments.js";
import { AT_ONCE, type Channel } from "./channel.js";

/** Open positions. */

/** v3 does not say the category of a pushed position; the coin that it is settled in does. */
const settledIn = (marginCoin: string): FuturesCategory =>
  marginCoin === "USDT" ? "USDT-FUTURES" : marginCoin === "USDC" ? "USDC-FUTURES" : "COIN-FUTURES";

const unifiedPosition: Codec<Position> = mapped(record(positionFields), (pushed) =>
  withCategory(settledIn(pushed.marginCoin), pushed),
);

export const positionChannel: Channel<Everything, Position> = {
  name: "position",
  doc: "Positions of a unified account: all of them, then each that opens, changes or ends",
  ...unifiedAccount("position"),
  opens: "snapshot",
  continues: "update",
  frequency: AT_ONCE,
  item: unifiedPosition,
};

const filed = record({ category: token("Product category", FUTURES_CATEGORIES) });
const classicFiledPosition: Codec<Position> = {
  decode: (wire) => ({ ...classicPosition.decode(wire), ...filed.decode(wire) }),
};

/** Always the whole list: a position that is gone from it has been closed. */
export const classicPositionsChannel: Channel<FuturesMarket, Position> = {
  name: "classicPositions",
  doc: "Positions of a Classic account, by product type",
  ...classicFuturesAccount("positions", "instId"),
  opens: "snapshot",
  continues: "snapshot",
  frequency: AT_ONCE,
  item: classicFiledPosition,
  implied: inCategory,
};
