/** What the other modules of the data source may use of this one. */
// A new mutation in one of these files needs no line here.

export { type BatchEstimate, batchEstimate } from "./batchEstimate.js";
export {
  type FollowedHalts,
  type Halt,
  type HaltEdit,
  type HaltStore,
  haltFields,
  haltsPathOf,
  readHalts,
} from "./halts/haltStore.js";
export * from "./journal/journalEntry.js";
export { UnreadableRow } from "./journal/rowDecoding.js";
export { openFile } from "./journal/sqlite/file.js";
export { acceptLoss, backUpJournal, checkJournal, type JournalCheck, restoreJournal } from "./journal/sqlite/maintenance.js";
export { storedEntry } from "./journal/storedEntry.js";
export { whenEnded } from "./journal/whenEnded.js";
export * from "./journal/writeJournal.js";
export { isUnjournaled } from "./journaling.js";
export { LimitsInForce } from "./limits/limitsInForce.js";
export type { OrderCounter, OrderRateStore } from "./limits/orderRates.js";
export { MemoryOrderRates } from "./limits/orderRates.js";
export { type LimitBook, NO_LIMITS, type TradingLimits } from "./limits/tradingLimits.js";
export { ANONYMOUS } from "./limits/usage.js";
export { findMaker, madeBy, ordersNamedBy, type WrittenRecord } from "./madeBy.js";
export * from "./mutations/accountSettings.js";
export * from "./mutations/cancelOpen.js";
export * from "./mutations/cancelOrder.js";
export { armDeadMansSwitch, disarmDeadMansSwitch } from "./mutations/deadMansSwitch.js";
export * from "./mutations/funds.js";
export * from "./mutations/manyOrders.js";
export * from "./mutations/modifyOrder.js";
export * from "./mutations/modifyPlanOrder.js";
export * from "./mutations/placeOrder.js";
export * from "./mutations/placePlanOrder.js";
export * from "./mutations/placeTpslOrder.js";
export { policyOf } from "./policies/index.js";
export type { Acknowledgement } from "./policies/replies.js";
export { findJournalEntry, readJournal } from "./readJournal.js";
export type { AllowedAddress, WithdrawalRule } from "./rules/withdrawalRules.js";
export { fileStores, type OpenWriteStores } from "./writeParts.js";
export {
  DONE,
  isClientFault,
  type OrderEstimate,
  problemsOf,
  rejected,
  type WriteAuthor,
  type WriteResult,
} from "./writePlan.js";
export { createWrites, RequestWrites, type Writes } from "./writes.js";
