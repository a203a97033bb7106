import { unifiedAssets } from "@exchange-graph/contract/asset";
import type { Push } from "@exchange-graph/contract/channels/channel";
import { classicPositionsChannel, positionChannel } from "@exchange-graph/contract/channels/position";
import { isZero } from "@exchange-graph/contract/decimal";
import { openPlanOrders } from "@exchange-graph/contract/planReads";
import { type Position, positions } from "@exchange-graph/contract/position";
import { positionHistory } from "@exchange-graph/contract/positionHistory";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { FUTURES_TRADING, type RequestReads, readPositions } from "../../reads/index.js";
import { MOST_LATE_MS } from "../feeds/channelFeed.js";
import { updateOf } from "../feeds/feed.js";
import { type PrivateState, source } from "../feeds/privateState.js";
import { readRows } from "../reconcile.js";
import type { MergeRules } from "../state/merge.js";
import { byTime, RecordLedger, stateOf } from "../state/recordLedger.js";
import { privateChannel } from "./channel.js";

export const keyOf = ({ categoryRaw, symbol, marginCoin, posSide }: Position): string =>
  `${categoryRaw} ${symbol} ${marginCoin} ${posSide}`;

export const isClosed = ({ status, qty }: Position): boolean => status === "ended" || (qty !== null && isZero(qty));

/** The end of a position that a complete list lacks; `at`: the time of the list, Unix ms. */
export const endedBy = (position: Position, at: number): Position => ({
  ...position,
  updatedTime: Math.max(position.updatedTime ?? 0, at),
  qty: "0",
  availableQty: "0",
  frozenQty: "0",
  unrealisedPnl: "0",
  status: "ended",
  statusRaw: "ended",
});

const TPSL_FIELDS = ["takeProfit", "takeProfitId", "stopLoss", "stopLossId"];
const CLEARABLE = new Set([...TPSL_FIELDS, "liquidationPrice"]);
const RULES: Readonly<Record<AccountMode, MergeRules>> = {
  UNIFIED: { clearable: CLEARABLE, restOnly: new Set() },
  CLASSIC: { clearable: CLEARABLE, restOnly: new Set([...TPSL_FIELDS, "openOrderQty"]) },
};

/** The open positions of an account, and those that were closed recently. Their parts are the categories. */
export const positionLedger = (mode: AccountMode): RecordLedger<Position> =>
  new RecordLedger<Position>({
    keyOf,
    hasEnded: isClosed,
    compared: (position, former) => byTime(position.updatedTime, former.updatedTime),
    rulesOf: () => RULES[mode],
    // A reopened position inherits nothing from the one before it.
    isOther: (position, former) => position.createdTime !== former.createdTime,
    // A position can be reopened in the same millisecond in which the one before it was closed, or even opened and closed.
    isReopened: (position, last) =>
      byTime(position.updatedTime, last.updatedTime) === "LATER" ||
      byTime(position.createdTime, last.createdTime) === "LATER" ||
      (position.createdTime !== null && position.createdTime === last.updatedTime),
    // The liquidation prices of other positions, for example, are not pushed.
    leavesOut: () => "effects",
    reportsUnknownEnds: false,
    partOf: ({ categoryRaw }) => categoryRaw,
  });

type Positions = readonly Position[];

/** Positions: the open ones first, then each one that opens, changes or closes. */
export function positionsState(account: ExchangeAccount, mode: AccountMode): PrivateState<Positions> {
  const ledger = positionLedger(mode);
  const ends = (missing: Positions, at: number): Positions => {
    const ended = missing.map((position) => endedBy(position, at));
    ledger.end(ended);
    return ended;
  };
  // The exchange's clock was ahead when they ended: a position that is opened again now would seem to be older.
  const forgetLaterEnds = (now: number) =>
    ledger.forgetEnds(({ updatedTime }) => updatedTime !== null && updatedTime >= now + MOST_LATE_MS);
  const list = (categories: readonly string[], positions: Positions, isWhole: boolean, at: number) => {
    if (at > 0) forgetLaterEnds(at);
    if (!isWhole) return updateOf(ledger.pushed(positions));
    // After a silence of its connection a push may be older than what a reading has shown. Further ahead, the exchange's clock was.
    const isLater = ({ updatedTime }: Position) => updatedTime !== null && updatedTime > at && updatedTime < at + MOST_LATE_MS;
    const { changed, missing } = ledger.pushedWhole(categories, positions, isLater);
    return updateOf([...changed, ...ends(missing, at)]);
  };
  const unified = (positions: Positions, { action, time }: Push, isWhole: boolean) =>
    list(FUTURES_CATEGORIES, positions, isWhole && action === "snapshot", time ?? 0);
  return {
    sources:
      mode === "UNIFIED"
        ? [source(positionChannel, {}, [positions, positionHistory, unifiedAssets, openPlanOrders], unified)]
        : FUTURES_CATEGORIES.map((category) =>
            source(classicPositionsChannel, { category }, FUTURES_TRADING, (positions, { time }, isWhole) =>
              list([category], positions, isWhole, time ?? 0),
            ),
          ),
    ...stateOf(ledger),
    parts: FUTURES_CATEGORIES,
    async read(reads: RequestReads, _since, parts) {
      const reading = ledger.beginReading(reads);
      const categories = FUTURES_CATEGORIES.filter((category) => parts.includes(category));
      const lists = await Promise.all(categories.map((category) => readPositions(reads, account, { category })));
      const { rows, isWhole } = readRows(lists.flat());
      return () => {
        forgetLaterEnds(reads.now());
        const changed = reading.take(rows);
        if (!isWhole) return { change: updateOf(changed), isWhole };
        const gone = ends(reading.missingIn(parts, rows), reads.now());
        ledger.sortAs(
          FUTURES_CATEGORIES.flatMap((category) =>
            (parts.includes(category) ? rows : ledger.open).filter((position) => position.categoryRaw === category),
          ),
        );
        return { change: updateOf([...changed, ...gone]), isWhole };
      };
    },
  };
}

export const positionsOf = { ...privateChannel(() => positionsState), hasEnded: isClosed };
