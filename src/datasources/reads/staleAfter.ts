import { endpoints } from "@exchange-graph/contract";
import * as account from "@exchange-graph/contract/account";
import * as asset from "@exchange-graph/contract/asset";
import * as broker from "@exchange-graph/contract/broker";
import * as futuresWrites from "@exchange-graph/contract/classicFuturesOrderWrites";
import * as spotWrites from "@exchange-graph/contract/classicSpotOrderWrites";
import * as convert from "@exchange-graph/contract/convert";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import * as fill from "@exchange-graph/contract/fill";
import * as futuresAccount from "@exchange-graph/contract/futuresAccount";
import * as leverage from "@exchange-graph/contract/leverage";
import * as orderReads from "@exchange-graph/contract/orderReads";
import * as orderWrites from "@exchange-graph/contract/orderWrites";
import * as planReads from "@exchange-graph/contract/planReads";
import * as planWrites from "@exchange-graph/contract/planWrites";
import * as position from "@exchange-graph/contract/position";
import * as savings from "@exchange-graph/contract/savings";

/** Where coins arrive that come from outside trading: whichever of these the account's mode has. */
const FUNDS = [asset.unifiedAssets, asset.fundingAssets, asset.classicSpotAssets, convert.convertCurrencies];

const UNIFIED_PLANS = [planReads.openPlanOrders, planReads.planOrderHistory];
const UNIFIED_TRADING = [
  orderReads.openOrders,
  orderReads.orderHistory,
  orderReads.orderInfo,
  fill.fills,
  position.positions,
  position.positionHistory,
  ...UNIFIED_PLANS,
  asset.unifiedAssets,
  convert.convertCurrencies,
];

const SPOT_TRADING = [
  orderReads.classicSpotOpenOrders,
  orderReads.classicSpotOrderHistory,
  orderReads.classicSpotOrderInfo,
  fill.classicSpotFills,
  asset.classicSpotAssets,
  convert.convertCurrencies,
];

const FUTURES_POSITIONS = [position.classicPositions, position.classicPositionsOfSymbol];
const FUTURES_WALLETS = [futuresAccount.futuresAccounts, futuresAccount.classicFuturesAccount];
const FUTURES_PLANS = [planReads.classicOpenPlanOrders, planReads.classicPlanOrderHistory];
const FUTURES_TRADING = [
  orderReads.classicFuturesOpenOrders,
  orderReads.classicFuturesOrderHistory,
  orderReads.classicFuturesOrderDetail,
  fill.classicFuturesFills,
  fill.classicFuturesFillHistory,
  ...FUTURES_POSITIONS,
  position.classicPositionHistory,
  ...FUTURES_PLANS,
  ...FUTURES_WALLETS,
];

/** A change of mode leaves nothing as it was. */
const EVERYTHING = endpoints.filter(({ method, access }) => method === "GET" && access === "private");

/** Writes, and the reads of the same account that they make stale. A position shows its exits, so plans touch it. */
const TABLE: readonly { readonly writes: readonly Endpoint[]; readonly stale: readonly Endpoint[] }[] = [
  { writes: [orderWrites.placeOrder, orderWrites.modifyOrder, orderWrites.cancelOrder], stale: UNIFIED_TRADING },
  { writes: [planWrites.placeStrategyOrder, planWrites.cancelStrategyOrder], stale: [...UNIFIED_PLANS, position.positions] },
  {
    writes: [spotWrites.classicPlaceSpotOrder, spotWrites.classicCancelSpotOrder, spotWrites.classicReplaceSpotOrder],
    stale: SPOT_TRADING,
  },
  {
    writes: [
      futuresWrites.classicPlaceFuturesOrder,
      futuresWrites.classicModifyFuturesOrder,
      futuresWrites.classicCancelFuturesOrder,
    ],
    stale: FUTURES_TRADING,
  },
  { writes: [planWrites.placeTpslOrder, planWrites.classicCancelPlanOrders], stale: [...FUTURES_PLANS, ...FUTURES_POSITIONS] },
  { writes: [position.classicSetMargin], stale: [...FUTURES_POSITIONS, ...FUTURES_WALLETS] },
  { writes: [leverage.setLeverage], stale: [account.accountSettings, position.positions, asset.unifiedAssets] },
  { writes: [leverage.setHoldMode], stale: [account.accountSettings, position.positions] },
  {
    writes: [leverage.classicSetLeverage, leverage.classicSetMarginMode, leverage.classicSetHoldMode],
    stale: [...FUTURES_POSITIONS, ...FUTURES_WALLETS],
  },
  {
    writes: [savings.savingsRedeem],
    stale: [
      savings.savingsProducts,
      savings.savingsAccount,
      savings.savingsAssets,
      savings.savingsRecords,
      savings.savingsRedeemResult,
      ...FUNDS,
    ],
  },
  { writes: [convert.convertTrade], stale: [convert.convertRecords, ...FUNDS] },
  { writes: [broker.subAccountWithdrawal], stale: [broker.subAccountSpotAssets, broker.subAccountWithdrawals] },
  { writes: [broker.modifySubAccountEmail], stale: [broker.subAccountEmail, broker.subAccountList] },
  { writes: [account.upgradeAccount, account.switchAccount], stale: EVERYTHING },
];

/** By the name of a write: the names of the reads that it makes stale, for the account that wrote. */
export const staleAfter: ReadonlyMap<string, readonly string[]> = new Map(
  TABLE.flatMap(({ writes, stale }) => writes.map((write) => [write.name, stale.map((read) => read.name)] as const)),
);
