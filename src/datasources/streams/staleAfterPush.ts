import { fundingAssets, unifiedAssets } from "@exchange-graph/contract/asset";
import * as account from "@exchange-graph/contract/channels/account";
import type { Channel } from "@exchange-graph/contract/channels/channel";
import * as fill from "@exchange-graph/contract/channels/fill";
import * as order from "@exchange-graph/contract/channels/order";
import * as plan from "@exchange-graph/contract/channels/plan";
import * as position from "@exchange-graph/contract/channels/position";
import { convertCurrencies } from "@exchange-graph/contract/convert";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { openPlanOrders } from "@exchange-graph/contract/planReads";
import { positionHistory, positions } from "@exchange-graph/contract/position";
import {
  FUTURES_PLANS,
  FUTURES_POSITIONS,
  FUTURES_TRADING,
  FUTURES_WALLETS,
  SPOT_TRADING,
  UNIFIED_PLANS,
  UNIFIED_TRADING,
} from "../reads/readGroups.js";

/** A push makes stale what the write would that can have caused it. */
const TABLE: readonly (readonly [Channel, readonly Endpoint[]])[] = [
  [order.orderChannel, UNIFIED_TRADING],
  [fill.fillChannel, UNIFIED_TRADING],
  [plan.strategyOrderChannel, [...UNIFIED_PLANS, positions]],
  [account.accountChannel, [unifiedAssets, fundingAssets, convertCurrencies]],
  [position.positionChannel, [positions, positionHistory, unifiedAssets, openPlanOrders]],
  [order.classicSpotOrdersChannel, SPOT_TRADING],
  [order.classicSpotTriggerOrdersChannel, SPOT_TRADING],
  [fill.classicSpotFillChannel, SPOT_TRADING],
  [account.classicSpotAccountChannel, SPOT_TRADING],
  [order.classicFuturesOrdersChannel, FUTURES_TRADING],
  [fill.classicFuturesFillChannel, FUTURES_TRADING],
  [plan.classicPlanOrdersChannel, [...FUTURES_PLANS, ...FUTURES_POSITIONS]],
  [account.classicFuturesAccountChannel, [...FUTURES_POSITIONS, ...FUTURES_WALLETS]],
  [position.classicPositionsChannel, FUTURES_TRADING],
];

/** By the name of a private channel: the names of the reads whose cached answers a push makes stale. */
export const staleAfterPush: ReadonlyMap<string, readonly string[]> = new Map(
  TABLE.map(([{ name }, stale]) => [name, stale.map((read) => read.name)]),
);
