/** The door of the room: what the others use of it. */
export { AnswerMemory, type MemoryBounds } from "./cache/answerMemory.js";
export { type CacheStore, type Decode, type Entry, type Fresh, keptMsOf, type Version } from "./cache/cacheStore.js";
export { MemoryCache } from "./cache/memoryCache.js";
export { ReferenceCache } from "./cache/referenceCache.js";
export { SharedCache } from "./cache/sharedCache.js";
export { TopicVersions } from "./cache/topicVersions.js";
export { AccountModes } from "./identity/accountModes.js";
export { KeyChecks } from "./identity/keyChecks.js";
export { type KeyRegister, Users } from "./identity/users.js";
export { MAX_EDGE_CALLS, MAX_SINGLE_READS } from "./loaders/accountLoaders.js";
export { isCursorLike } from "./paging/cursor.js";
export { DEFAULT_FIRST, MAX_FIRST, pagesAtMost, rowsOf, type Slice, type SliceArguments } from "./paging/pager.js";
export { keptSince, MAX_ITEMS, type TimelineSource, timeline, wholeSlice } from "./paging/timeline.js";
export { sliceTokenPaged } from "./paging/tokenPagedList.js";
export { readAccountSettings, readUpgrade, readUpgradeStatus } from "./queries/accountSettings.js";
export { readBalances, readFundingBalances, readUnifiedAssets, streamedBalances } from "./queries/balances.js";
export {
  findSubAccount,
  readBrokerInfo,
  readFuturesAssetsOf,
  readSubAccountEmail,
  readSubAccountSpotAssets,
  subAccounts,
  withdrawalsOfSubAccounts,
} from "./queries/broker.js";
export { candleCalls, candlesBetween, DEFAULT_CANDLES, MAX_CANDLES, readCandles } from "./queries/candles.js";
export { isDemoProductType, isFuturesCategory } from "./queries/category.js";
export { readCoin, readCoins } from "./queries/coins.js";
export { conversions, type PastConversion, readConvertCurrencies } from "./queries/convert.js";
export { type ExecutedThing, executionsAsked, sliceOf } from "./queries/executionsOf.js";
export { readFeeRates } from "./queries/feeRates.js";
export { fillPages, readFills, readLatestFills } from "./queries/fills.js";
export {
  financialRecordPages,
  fundingAccountRecordPages,
  fundingPaymentPages,
  readFinancialRecords,
  readFundingAccountRecords,
  readFundingPayments,
} from "./queries/financialRecords.js";
export { readFundingHistory, readOpenInterests, readPositionTiers } from "./queries/funding.js";
export { readFuturesAccounts, readSubAccountFuturesAssets } from "./queries/futuresAccounts.js";
export { readFuturesSettings } from "./queries/futuresSettings.js";
export { type ListedInstrument, readInstruments } from "./queries/instruments.js";
export { type KeptList, keptRows } from "./queries/keptLists.js";
export { closedLoans, loanReductions, loanRepayments, readDebts, readLoanTerms, readOngoingLoans } from "./queries/loans.js";
export { findClosedPosition, findFill, findLoan, findPosition, findSharkFinHolding } from "./queries/lookups.js";
export { readMarginRules } from "./queries/marginRules.js";
export { readOrderBook, readTrades, tradeOf } from "./queries/market.js";
export { readMaxTransfer, readMaxWithdrawal } from "./queries/maxima.js";
export { openOrderPages, readEveryOpenOrder, readOpenOrders } from "./queries/openOrders.js";
export { foundOrNull, orderCalls, readOrder } from "./queries/order.js";
export { orderHistoryPages, readOrderHistory } from "./queries/orderHistory.js";
export { callsAtMost, type Pages } from "./queries/pageCounts.js";
export { readPlanOrder } from "./queries/planOrder.js";
export { planOrderHistoryPages, planOrderPages, readOpenPlanOrders, readPlanOrderHistory } from "./queries/planOrders.js";
export { closedPositionPages, isOfPosition, readAutoMargin, readClosedPositions, readPositions } from "./queries/positions.js";
export { type PositionExit, readPositionTpsl } from "./queries/positionTpsl.js";
export { readDiscountRates, readMarginPairs, readSpotFundFlow, readSpotSymbol, readSpotSymbols } from "./queries/reference.js";
export { readRedemption, readSavingsProducts, readSavingsTotals, savingsHoldings, savingsRecords } from "./queries/savings.js";
export { readSharkFinTotals, sharkFinHoldings, sharkFinOffers, sharkFinRecords } from "./queries/sharkFin.js";
export { readSubOrders, subOrderPages } from "./queries/subOrders.js";
export { marginCoinOf, type SymbolRules, symbolRules } from "./queries/symbolRules.js";
export { type ListedTicker, readTickers } from "./queries/tickers.js";
export { balanceInUsdt, readTotalEquity } from "./queries/totalEquity.js";
export { deposits, readTransfers, transferPages, transfersOfSubAccounts, withdrawals } from "./queries/wallet.js";
export type { Call } from "./reader/call.js";
export { LastTimes } from "./reader/lastTimes.js";
export type { LiveAnswer, LiveAnswers } from "./reader/liveAnswers.js";
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
export type { Reads } from "./reader/reads.js";
export { type Source, Trace } from "./reader/trace.js";
export { type Ending, endingOf, isUnderWay, outcomeOf, unsentBecause } from "./reader/traffic.js";
export { KEPT_MS, MIN_AGE_MS, type ReadSources, RequestReads } from "./requestReads.js";
export type { FarStore } from "./store/farStore.js";
export { openFarStore } from "./store/openFarStore.js";
export type { AccountFacts } from "./valuation/accountFacts.js";
export { type AccountFigures, AccountProof, type Unproven } from "./valuation/accountFigures.js";
export { currentLtv, distanceTo, type LoanPrices } from "./valuation/loanRisk.js";
export type { MarginRules, Prices } from "./valuation/marginRules.js";
export { distanceToLiquidationOf, markedTo } from "./valuation/markToMarket.js";
export type { Moment } from "./valuation/partProof.js";
export type { LoanNews, OngoingLoan, PricedLoan } from "./valuation/pricedLoan.js";
export { changeOf, notionalOf, sumOf } from "./valuation/value.js";
