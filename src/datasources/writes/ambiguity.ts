import { convertTradePolicy, savingsRedeemPolicy, subAccountWithdrawalPolicy } from "./policies/funds.js";
import {
  cancelOrderPolicy,
  classicCancelFuturesOrderPolicy,
  classicCancelSpotOrderPolicy,
  classicModifyFuturesOrderPolicy,
  classicPlaceFuturesOrderPolicy,
  classicPlaceSpotOrderPolicy,
  classicReplaceSpotOrderPolicy,
  modifyOrderPolicy,
  placeOrderPolicy,
} from "./policies/orders.js";
import {
  cancelStrategyOrderPolicy,
  classicCancelPlanOrdersPolicy,
  placeStrategyOrderPolicy,
  placeTpslOrderPolicy,
} from "./policies/plans.js";
import type { WritePolicy } from "./policies/policy.js";
import {
  classicSetHoldModePolicy,
  classicSetLeveragePolicy,
  classicSetMarginModePolicy,
  classicSetMarginPolicy,
  modifySubAccountEmailPolicy,
  setHoldModePolicy,
  setLeveragePolicy,
  upgradeAccountPolicy,
} from "./policies/settings.js";

/**
 * What a lost answer means, endpoint by endpoint: the policy for writes of which nobody knows whether they took effect.
 * `docs/writes.md` prints this table.
 */
export const WRITE_POLICIES: readonly WritePolicy[] = [
  placeOrderPolicy,
  modifyOrderPolicy,
  cancelOrderPolicy,
  classicPlaceSpotOrderPolicy,
  classicReplaceSpotOrderPolicy,
  classicCancelSpotOrderPolicy,
  classicPlaceFuturesOrderPolicy,
  classicModifyFuturesOrderPolicy,
  classicCancelFuturesOrderPolicy,
  placeStrategyOrderPolicy,
  cancelStrategyOrderPolicy,
  placeTpslOrderPolicy,
  classicCancelPlanOrdersPolicy,
  setLeveragePolicy,
  classicSetLeveragePolicy,
  setHoldModePolicy,
  classicSetHoldModePolicy,
  classicSetMarginModePolicy,
  classicSetMarginPolicy,
  upgradeAccountPolicy,
  modifySubAccountEmailPolicy,
  convertTradePolicy,
  subAccountWithdrawalPolicy,
  savingsRedeemPolicy,
];

const byEndpoint: ReadonlyMap<string, WritePolicy> = new Map(WRITE_POLICIES.map((one) => [one.endpoint.name, one]));

/** The policy of an endpoint, by its name. */
export const policyOf = (endpoint: string): WritePolicy | undefined => byEndpoint.get(endpoint);
