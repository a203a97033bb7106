import * as funds from "./funds.js";
import * as orders from "./orders.js";
import * as plans from "./plans.js";
import type { WritePolicy } from "./policy.js";
import * as settings from "./settings.js";

/**
 * What the gateway knows about every endpoint that it writes to: all that these files export. `docs/writes.md` prints what a
 * lost answer means for each.
 */
export const WRITE_POLICIES: readonly WritePolicy[] = [orders, plans, settings, funds].flatMap((area): WritePolicy[] =>
  Object.values(area),
);

const byEndpoint: ReadonlyMap<string, WritePolicy> = new Map(WRITE_POLICIES.map((one) => [one.endpoint.name, one]));

/** The policy of an endpoint, by its name. */
export const policyOf = (endpoint: string): WritePolicy | undefined => byEndpoint.get(endpoint);
