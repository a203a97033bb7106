import { fundingAssets, unifiedAssets } from "@exchange-graph/contract/asset";
import * as account from "@exchange-graph/contract/channels/account";
import type { Channel } from "@exchange-graph/contract/channels/channel";
import * as fill from "@exchange-graph/contract/channels/fill";
import * as order from "@exchange-graph/contract/channels/order";
import * as plan from "@exchange-graph/contract/channels/plan";
import * as position from "@exchange-graph/contract/channels/position";
import { classicPlaceFuturesOrder } from "@exchange-graph/contract/classicFuturesOrderWrites";
import { classicPlaceSpotOrder } from "@exchange-graph/contract/classicSpotOrderWrites";
import { convertCurrencies } from "@exchange-graph/contract/convert";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { placeOrder } from "@exchange-graph/contract/orderWrites";
import { openPlanOrders } from "@exchange-graph/contract/planReads";
import { placeStrategyOrder, placeTpslOrder } from "@exchange-graph/contract/planWrites";
import { classicSetMargin, positionHistory, positions } from "@exchange-graph/contract/position";
import { staleAfter } from "../reads/staleAfter.js";

const reads = (...endpoints: readonly Endpoint[]): readonly string[] => endpoints.map(({ name }) => name);
/** A push makes stale what the write would that can have caused it. */
const asAfter = (write: Endpoint): readonly string[] => staleAfter.get(write.name) ?? [];

const TABLE: readonly (readonly [Channel, readonly string[]])[] = [
  [order.orderChannel, asAfter(placeOrder)],
  [fill.fillChannel, asAfter(placeOrder)],
  [plan.strategyOrderChannel, asAfter(placeStrategyOrder)],
  [account.accountChannel, reads(unifiedAssets, fundingAssets, convertCurrencies)],
  [position.positionChannel, reads(positions, positionHistory, unifiedAssets, openPlanOrders)],
  [order.classicSpotOrdersChannel, asAfter(classicPlaceSpotOrder)],
  [order.classicSpotTriggerOrdersChannel, asAfter(classicPlaceSpotOrder)],
  [fill.classicSpotFillChannel, asAfter(classicPlaceSpotOrder)],
  [account.classicSpotAccountChannel, asAfter(classicPlaceSpotOrder)],
  [order.classicFuturesOrdersChannel, asAfter(classicPlaceFuturesOrder)],
  [fill.classicFuturesFillChannel, asAfter(classicPlaceFuturesOrder)],
  [plan.classicPlanOrdersChannel, asAfter(placeTpslOrder)],
  [account.classicFuturesAccountChannel, asAfter(classicSetMargin)],
  [position.classicPositionsChannel, asAfter(classicPlaceFuturesOrder)],
];

/** By the name of a private channel: the names of the reads whose cached answers a push makes stale. */
export const staleAfterPush: ReadonlyMap<string, readonly string[]> = new Map(TABLE.map(([{ name }, stale]) => [name, stale]));
