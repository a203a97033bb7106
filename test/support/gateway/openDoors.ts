import type { Clock } from "@exchange-graph/contract/clock";
import type { GraphQLSchema } from "graphql";
import { CallerBudgets } from "../../../src/access/quotas/callerBudgets.js";
import { OperationCosts } from "../../../src/engine/cost/operationCosts.js";
import { documentPolicy } from "../../../src/engine/documents/documentPolicy.js";
import { LIMITS } from "../../../src/limits.js";
import { AllowedOrigins } from "../../../src/transports/http/allowedOrigins.js";
import { ServedNames } from "../../../src/transports/http/servedNames.js";
import { Shedding } from "../../../src/transports/http/shedding.js";
import { unknownOutlook } from "../unknownOutlook.js";

/** What subscriptions ask before they run something, as a gateway without settings composes it. */
export function openDoors(schema: GraphQLSchema, clock: Clock) {
  const budgets = new CallerBudgets(LIMITS.caller, clock);
  return {
    documents: documentPolicy({ introspection: true }),
    budgets,
    costs: new OperationCosts({
      schema,
      outlook: unknownOutlook(1, () => clock.now()),
      limits: LIMITS.cost,
      listItems: LIMITS.document.listItems,
      budgets,
    }),
    origins: new AllowedOrigins([]),
    names: new ServedNames(undefined),
    shedding: new Shedding(),
  };
}
