import type { Clock } from "@exchange-graph/contract/clock";
import type { GraphQLSchema } from "graphql";
import { AllowedOrigins } from "../../../src/server/limits/allowedOrigins.js";
import { CallerBudgets } from "../../../src/server/limits/callerBudgets.js";
import { OperationCosts } from "../../../src/server/limits/cost/operationCosts.js";
import { documentPolicy } from "../../../src/server/limits/documentPolicy.js";
import { LIMITS } from "../../../src/server/limits/limits.js";
import { ServedNames } from "../../../src/server/limits/servedNames.js";
import { Shedding } from "../../../src/server/limits/shedding.js";

/** What subscriptions ask before they run something, as a gateway without settings composes it. */
export function openDoors(schema: GraphQLSchema, clock: Clock) {
  const budgets = new CallerBudgets(LIMITS.caller, clock);
  return {
    documents: documentPolicy({ introspection: true }),
    budgets,
    costs: new OperationCosts({ schema, accounts: 1, limits: LIMITS.cost, listItems: LIMITS.document.listItems, budgets }),
    origins: new AllowedOrigins([]),
    names: new ServedNames(undefined),
    shedding: new Shedding(),
  };
}
