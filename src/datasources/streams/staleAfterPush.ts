import { fundingAssets, unifiedAssets } from "../../contract/asset.js";
import * as account from "../../contract/channels/account.js";
import type { Channel } from "../../contract/channels/channel.js";
import * as fill from "../../contract/channels/fill.js";
import * as order from "../../contract/channels/order.js";
import * as plan from "../../contract/channels/plan.js";
import * as position from "../../contract/channels/position.js";
import { classicPlaceFuturesOrder } from "../../contract/classicFuturesOrderWrites.js";
import { classicPlaceSpotOrder } from "../../contract/classicSpotOrderWrites.js";
import { convertCurrencies } from "../../contract/convert.js";
import type { Endpoint } from "../../contract/endpoint.js";
import { placeOrder } from "../../contract/orderWrites.js";
import { placeStrategyOrder, placeTpslOrder } from "../../contract/planWrites.js";
import { classicSetMargin, positionHistory, positions } from "../../contract/position.js";
import { staleAfter } from "../reads/staleAfter.js";

const reads = (...endpoints: readonly Endpoint[]): readonly string[] => endpoints.map(({ name }) => name);
/** A push makes stale what the write would that can have caused it. */
const asAfter = (write: Endpoint): readonly string[] => staleAfter.get(write.name) ?? [];

const TABLE: readonly (readonly [Channel, readonly string[]])[] = [
  [order.orderChannel, asAfter(placeOrder)],
  [fill.fillChannel, asAfter(placeOrder)],
  [plan.strategyOrderChannel, asAfter(placeStrategyOrder)],
  [account.accountChannel, reads(unifiedAssets, fundingAssets, convertCurrencies)],
  [position.positionChannel, reads(positions, positionHistory, unifiedAssets)],
  [order.classicSpotOrdersChannel, asAfter(classicPlaceSpotOrder)],
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
