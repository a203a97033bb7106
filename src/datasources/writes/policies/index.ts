import * as settings from "./accountSettings.js";
import * as bulk from "./bulk.js";
import * as classicPlans from "./classicPlans.js";
import * as funds from "./funds.js";
import * as orders from "./orders.js";
import * as plans from "./plans.js";
import type { WritePolicy } from "./policy.js";

/**
 * The policies of all endpoints that the gateway writes to: all exports of these files. `docs/writes.md` lists what a lost answer
 * means for each.
 */
export const WRITE_POLICIES: readonly WritePolicy[] = [orders, plans, classicPlans, bulk, settings, funds].flatMap(
  (area): WritePolicy[] => Object.values(area),
);

const byEndpoint: ReadonlyMap<string, WritePolicy> = new Map(WRITE_POLICIES.map((one) => [one.endpoint.name, one]));

export const policyOf = (endpoint: string): WritePolicy | undefined => byEndpoint.get(endpoint);
