import { type Codec, joinedFields, mapped, token } from "../codec.js";
import { exact, plain } from "../decimal.js";
import { classicPosition, type Position, positionFields, withOneStatusWord } from "../position.js";
import { closedFields, type HistoricalPosition } from "../positionHistory.js";
import { record, withWireKeys } from "../record.js";
import { withCategory } from "../trading.js";
import { FUTURES_CATEGORIES, type FuturesCategory } from "../vocabulary.js";
import { classicFuturesAccount, type Everything, type FuturesMarket, inCategory, unifiedAccount } from "./arguments.js";
import { CHANGES, type Channel, EVENTS, STATE } from "./channel.js";

/** Open positions. */

/** A pushed v3 position has no category; it follows from the settlement coin. */
const settledIn = (marginCoin: string): FuturesCategory =>
  marginCoin === "USDT" ? "USDT-FUTURES" : marginCoin === "USDC" ? "USDC-FUTURES" : "COIN-FUTURES";

const unifiedPosition: Codec<Position> = mapped(record(positionFields), (pushed) =>
  withCategory(settledIn(pushed.marginCoin), withOneStatusWord(pushed)),
);

export const positionChannel: Channel<Everything, Position> = {
  name: "position",
  doc: "Positions of a unified account: all of them, then each that opens, changes or ends",
  ...unifiedAccount("position"),
  ...CHANGES,
  item: unifiedPosition,
};

const filed = record({ category: token("Product category", FUTURES_CATEGORIES) });
const classicFiledPosition: Codec<Position> = {
  fields: joinedFields(classicPosition, filed),
  decode: (wire, found) => ({ ...classicPosition.decode(wire, found), ...filed.decode(wire, found) }),
};

/** Always the whole list: a position that is missing has been closed. */
export const classicPositionsChannel: Channel<FuturesMarket, Position> = {
  name: "classicPositions",
  doc: "Positions of a Classic account, by product type",
  ...classicFuturesAccount("positions", "instId"),
  ...STATE,
  item: classicFiledPosition,
  implied: inCategory,
};

const { netProfit, ...pushed } = closedFields;

/** Gains minus fees; null if one of them is unknown. */
function netOf(gains: readonly (string | null)[], fees: readonly (string | null)[]): string | null {
  let net = exact("0");
  for (const [parts, sign] of [
    [gains, "1"],
    [fees, "-1"],
  ] as const)
    for (const part of parts) {
      if (part === null) return null;
      net = net.plus(exact(part).times(sign));
    }
  return plain(net);
}

/** A closed position is pushed without its net profit, which is the sum of the pushed parts. */
const classicClosedPosition: Codec<HistoricalPosition> = mapped(
  record({
    ...filed.fields,
    ...withWireKeys(pushed, {
      positionId: ["posId"],
      holdMode: ["posMode"],
      posSide: ["holdSide"],
      openedQty: ["openSize"],
      closedQty: ["closeSize"],
      realisedPnl: ["achievedProfits"],
      totalFunding: ["settleFee"],
      openFee: ["openFee"],
      closeFee: ["closeFee"],
      createdTime: ["cTime"],
      updatedTime: ["uTime"],
    }),
  }),
  (closed) => {
    const { realisedPnl, totalFunding, openFee, closeFee } = closed;
    return { ...closed, netProfit: netOf([realisedPnl, totalFunding], [openFee, closeFee]) };
  },
);

export const classicPositionsHistoryChannel: Channel<FuturesMarket, HistoricalPosition> = {
  name: "classicPositionsHistory",
  doc: "Positions of a Classic account that have just been closed completely, by product type",
  ...classicFuturesAccount("positions-history", "instId"),
  ...EVENTS,
  item: classicClosedPosition,
  implied: inCategory,
};
