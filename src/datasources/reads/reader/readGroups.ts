import { endpoints } from "@exchange-graph/contract";
import * as asset from "@exchange-graph/contract/asset";
import * as convert from "@exchange-graph/contract/convert";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import * as fill from "@exchange-graph/contract/fill";
import * as financialRecord from "@exchange-graph/contract/financialRecord";
import * as futuresAccount from "@exchange-graph/contract/futuresAccount";
import * as maximum from "@exchange-graph/contract/maximum";
import * as orderReads from "@exchange-graph/contract/orderReads";
import * as planReads from "@exchange-graph/contract/planReads";
import * as position from "@exchange-graph/contract/position";
import { classicPositionHistory, positionHistory } from "@exchange-graph/contract/positionHistory";

/** Groups of reads that become stale together, for `invalidates` of write policies and for pushes of private channels. */

/** Reads of the balances to which coins from outside trading are credited, in either account mode, and of their records. */
export const FUNDS: readonly Endpoint[] = [
  asset.unifiedAssets,
  asset.fundingAssets,
  asset.classicSpotAssets,
  convert.convertCurrencies,
  financialRecord.financialRecords,
  financialRecord.fundingFinancialRecords,
  financialRecord.classicSpotBills,
  maximum.maxTransferable,
  maximum.maxWithdrawal,
];

export const UNIFIED_PLANS: readonly Endpoint[] = [
  planReads.openPlanOrders,
  planReads.planOrderHistory,
  planReads.strategySubOrders,
];
export const UNIFIED_TRADING: readonly Endpoint[] = [
  orderReads.openOrders,
  orderReads.orderHistory,
  orderReads.orderInfo,
  fill.fills,
  position.positions,
  positionHistory,
  ...UNIFIED_PLANS,
  asset.unifiedAssets,
  convert.convertCurrencies,
  financialRecord.financialRecords,
  maximum.maxTransferable,
];

export const SPOT_TRADING: readonly Endpoint[] = [
  orderReads.classicSpotOpenOrders,
  orderReads.classicSpotOrderHistory,
  orderReads.classicSpotOrderInfo,
  fill.classicSpotFills,
  asset.classicSpotAssets,
  convert.convertCurrencies,
  financialRecord.classicSpotBills,
];

export const FUTURES_POSITIONS: readonly Endpoint[] = [position.classicPositions, position.classicPositionsOfSymbol];
export const FUTURES_WALLETS: readonly Endpoint[] = [
  futuresAccount.futuresAccounts,
  futuresAccount.classicFuturesAccount,
  financialRecord.classicFuturesBills,
];
export const FUTURES_PLANS: readonly Endpoint[] = [
  planReads.classicOpenPlanOrders,
  planReads.classicPlanOrderHistory,
  planReads.classicPlanSubOrders,
];
export const FUTURES_TRADING: readonly Endpoint[] = [
  orderReads.classicFuturesOpenOrders,
  orderReads.classicFuturesOrderHistory,
  orderReads.classicFuturesOrderDetail,
  fill.classicFuturesFills,
  fill.classicFuturesFillHistory,
  ...FUTURES_POSITIONS,
  classicPositionHistory,
  ...FUTURES_PLANS,
  ...FUTURES_WALLETS,
];

/** All private reads: a change of mode affects each of them. */
export const EVERYTHING: readonly Endpoint[] = endpoints.filter(({ method, access }) => method === "GET" && access === "private");
