import { type Codec, type Decoded, mapped } from "../codec.js";
import { classicFees, classicFuturesFillKeys, classicSpotFillKeys, type Fill, fill } from "../fill.js";
import { record, withWireKeys } from "../record.js";
import {
  classicFuturesAccount,
  classicSpotAccount,
  type Everything,
  type FuturesMarket,
  inCategory,
  unifiedAccount,
} from "./arguments.js";
import { type Channel, EVENTS } from "./channel.js";

/** Pushed executions. v3's record is canonical. */

export const fillChannel: Channel<Everything, Fill> = {
  name: "fill",
  doc: "Executions of a unified account, all products",
  ...unifiedAccount("fill"),
  ...EVENTS,
  item: fill,
};

const { category, symbol, orderId, clientOid, execId, side, posSide, tradeScope } = fill.fields;
const { price, qty, createdTime, updatedTime } = fill.fields;
const fastFill = record({
  ...{ category, symbol, orderId, clientOid, execId, side, posSide, tradeScope },
  ...{ price, qty, createdTime, updatedTime },
});
type FastFill = Decoded<typeof fastFill>;

/** Pushed before value and fee are known. */
export const fastFillChannel: Channel<Everything, FastFill> = {
  name: "fastFill",
  doc: "Executions of a unified account as early as possible, without value and fee",
  ...unifiedAccount("fast-fill"),
  ...EVENTS,
  item: fastFill,
};

/** Unlike every other Classic record this one has positive amounts for paid fees, as v3's has. */
const spotFill = record(withWireKeys(fill.fields, classicSpotFillKeys));

/** The side is that of the trade in the market; the position side follows from it. */
function withPositionSide(pushed: Fill): Fill {
  if (pushed.holdMode !== "hedge_mode" || pushed.posSide !== null || pushed.tradeSideRaw === null) return pushed;
  const bought = pushed.side === "buy";
  const closes = pushed.tradeSideRaw.includes("close");
  return { ...pushed, posSide: bought === closes ? "short" : "long" };
}

const futuresFill: Codec<Fill> = mapped(
  record({ ...withWireKeys(fill.fields, classicFuturesFillKeys), ...classicFees }),
  withPositionSide,
);

export const classicSpotFillChannel: Channel<Everything, Fill> = {
  name: "classicSpotFill",
  doc: "Executions of a Classic account's spot orders",
  ...classicSpotAccount("fill", "instId"),
  ...EVENTS,
  item: spotFill,
  implied: () => ({ category: "SPOT" }),
};

export const classicFuturesFillChannel: Channel<FuturesMarket, Fill> = {
  name: "classicFuturesFill",
  doc: "Executions of a Classic account's futures orders, by product type",
  ...classicFuturesAccount("fill", "instId"),
  ...EVENTS,
  item: futuresFill,
  implied: inCategory,
};
