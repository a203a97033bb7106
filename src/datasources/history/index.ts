/** What the other modules of the data source may use of this one. */

export { Backfill } from "./backfill/backfill.js";
export { type Progress, shareOf } from "./backfill/progress.js";
export { BalanceRecords } from "./balanceRecords.js";
export { type EquityChange, flowOf } from "./change.js";
export { type Curve, type CurvePoint, Curves, type GapRange, MAX_POINTS, type NextPoint } from "./curve.js";
export { sumOfCurves } from "./curveSum.js";
export type {
  HistoryBatch,
  HistoryStore,
  KeptFrom,
  OpenHistoryStore,
  Series,
  StoredRange,
} from "./historyStore.js";
export { allUnknown, changeOver, type Figure, isKnown, returnsOf, tradingOf } from "./performance.js";
export { DailyReconciler } from "./reconciliation/dailyReconciler.js";
export { DIFFERENCE_KINDS } from "./reconciliation/day.js";
export { Recorder, type RecorderSettings } from "./recorder.js";
export { netOf } from "./sample.js";
export { backUpHistory, checkHistory, type HistoryCheck, restoreHistory } from "./sqlite/maintenance.js";
export { fileHistory, historyPathOf } from "./sqlite/sqliteHistory.js";
