/** What the other modules of the data source may use of this one. */
// A new query in one of these files needs no line here.

export {
  type CacheEntry,
  type CacheStore,
  type Decode,
  type Fresh,
  keptMsOf,
  type Version,
} from "./cache/cacheStore.js";
export { AnswerMemory, type MemoryBounds, MemoryCache, TopicVersions } from "./cache/memoryCache.js";
export { ReferenceData } from "./cache/referenceData.js";
export { SharedCache } from "./cache/sharedCache.js";
export { AccountModes } from "./identity/accountModes.js";
export { KeyChecks } from "./identity/keyChecks.js";
export { type KeyRegister, Users } from "./identity/users.js";
export { MAX_EDGE_CALLS, MAX_SINGLE_READS } from "./loaders/accountLoaders.js";
export { hasPlaced } from "./loaders/planLoaders.js";
export { MAX_SUB_ACCOUNT_CALLS } from "./loaders/subAccountLoader.js";
export { identityUnder, isCursorLike, notACursor } from "./paging/cursor.js";
export { DEFAULT_FIRST, MAX_FIRST, rowsOf, type Slice, type SliceArguments, slicesOf, sliceTokenPaged } from "./paging/pager.js";
export { keptSpan, MAX_ITEMS, type TimelineSource, timeline, wholeSlice } from "./paging/timeline.js";
export * from "./queries/accountSettings.js";
export * from "./queries/balances.js";
export * from "./queries/broker.js";
export * from "./queries/candles.js";
export * from "./queries/categories.js";
export * from "./queries/earn.js";
export * from "./queries/executionsOf.js";
export * from "./queries/feeRates.js";
export * from "./queries/fills.js";
export * from "./queries/financialRecords.js";
export * from "./queries/funding.js";
export * from "./queries/futuresSettings.js";
export * from "./queries/instruments.js";
export * from "./queries/keptLists.js";
export * from "./queries/loans.js";
export * from "./queries/lookups.js";
export * from "./queries/marginRules.js";
export * from "./queries/market.js";
export * from "./queries/openOrders.js";
export * from "./queries/order.js";
export * from "./queries/orderHistory.js";
export * from "./queries/pageCounts.js";
export type { PagedAccountList } from "./queries/pagedList.js";
export * from "./queries/planOrder.js";
export * from "./queries/planOrders.js";
export * from "./queries/positions.js";
export * from "./queries/positionTpsl.js";
export * from "./queries/reference.js";
export * from "./queries/subOrders.js";
export * from "./queries/tickers.js";
export * from "./queries/totalEquity.js";
export * from "./queries/wallet.js";
export type { Call } from "./reader/call.js";
export { Reader } from "./reader/reader.js";
export {
  EVERYTHING,
  FUNDS,
  FUTURES_PLANS,
  FUTURES_POSITIONS,
  FUTURES_TRADING,
  FUTURES_WALLETS,
  SPOT_TRADING,
  UNIFIED_PLANS,
  UNIFIED_TRADING,
} from "./reader/readGroups.js";
export type { LiveAnswer, LiveAnswers, Reads } from "./reader/reads.js";
export { LastTimes } from "./reader/refresher.js";
export { type ReadSource, Trace } from "./reader/trace.js";
export { type Ending, endingOf, isUnderWay, outcomeOf, unsentBecause } from "./reader/upstreamReads.js";
export { KEPT_MS, MIN_AGE_MS, type ReadingOptions, type ReadSources, RequestReads } from "./requestReads.js";
export type { ExternalStore } from "./store/externalStore.js";
export { openExternalStore } from "./store/openExternalStore.js";
export type { AccountFacts, ReadAssets } from "./valuation/accountFacts.js";
export { type AccountFigures, AccountProof, type Unproven } from "./valuation/accountFigures.js";
export type { LoanEvent, OngoingLoan, PricedLoan } from "./valuation/loanRisk.js";
export { currentLtv, distanceTo, type LoanPrices } from "./valuation/loanRisk.js";
export type { MarginRules, Prices } from "./valuation/marginRules.js";
export { costOf, distanceToLiquidationOf, isInverse, markedTo, profitAt } from "./valuation/markToMarket.js";
export type { PricesAt } from "./valuation/partProof.js";
export { changeOf, notionalOf, sumOf, valueAt } from "./valuation/value.js";
