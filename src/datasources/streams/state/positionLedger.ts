import { isZero } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import type { AccountMode } from "../../calls/index.js";
import type { MergeRules } from "./merge.js";
import { byTime, type RecordKind, RecordLedger } from "./recordLedger.js";

/** The identity of an open position. */
export const keyOf = ({ categoryRaw, symbol, marginCoin, posSide }: Position): string =>
  `${categoryRaw} ${symbol} ${marginCoin} ${posSide}`;

/** Whether it is closed. */
export const isClosed = ({ positionStatus, qty }: Position): boolean =>
  positionStatus === "ended" || (qty !== null && isZero(qty));

/** The end of a position that a complete list lacks; `at`: the time of the list, Unix ms. Later messages are from before it. */
export const endedBy = (position: Position, at: number): Position => ({
  ...position,
  updatedTime: Math.max(position.updatedTime ?? 0, at),
  qty: "0",
  availableQty: "0",
  frozenQty: "0",
  unrealisedPnl: "0",
  positionStatus: "ended",
  positionStatusRaw: "ended",
});

const TPSL_FIELDS = ["takeProfit", "takeProfitId", "stopLoss", "stopLossId"];
const CLEARABLE = new Set([...TPSL_FIELDS, "liquidationPrice"]);
const RULES: Readonly<Record<AccountMode, MergeRules>> = {
  UNIFIED: { clearable: CLEARABLE, restOnly: new Set() },
  CLASSIC: { clearable: CLEARABLE, restOnly: new Set([...TPSL_FIELDS, "openOrderQty"]) },
};

/** The open positions of an account, and those that were closed recently. Their parts are the categories. */
export const positionLedger = (mode: AccountMode): RecordLedger<Position> => {
  const kind: RecordKind<Position> = {
    keyOf,
    hasEnded: isClosed,
    compared: (position, known) => byTime(position.updatedTime, known.updatedTime),
    rulesOf: () => RULES[mode],
    // A reopened position inherits nothing from the one before it.
    isOther: (position, known) => position.createdTime !== known.createdTime,
    // A position can be reopened in the same millisecond in which the one before it was closed.
    isReopened: (position, last) =>
      byTime(position.updatedTime, last.updatedTime) === "LATER" || byTime(position.createdTime, last.createdTime) === "LATER",
    // The liquidation prices of other positions, for example, are not pushed.
    leavesOut: () => "effects",
    reportsUnknownEnds: false,
    partOf: ({ categoryRaw }) => categoryRaw,
  };
  return new RecordLedger(kind);
};
