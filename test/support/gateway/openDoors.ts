import type { Clock } from "@exchange-graph/contract/clock";
import type { GraphQLSchema } from "graphql";
import { ClientBudgets } from "../../../src/access/quotas/clientBudgets.js";
import { Trace } from "../../../src/datasources/reads/reader/trace.js";
import { OperationCosts } from "../../../src/engine/cost/operationCosts.js";
import { documentPolicy } from "../../../src/engine/documents/documentPolicy.js";
import { Engine } from "../../../src/engine/engine.js";
import type { EngineOptions } from "../../../src/engine/engineOptions.js";
import { LIMITS } from "../../../src/limits.js";
import { AllowedHosts } from "../../../src/transports/http/allowedHosts.js";
import { AllowedOrigins } from "../../../src/transports/http/allowedOrigins.js";
import { Shedding } from "../../../src/transports/http/shedding.js";
import { unknownOutlook } from "../unknownOutlook.js";

/** The executor of operations and the admission in front of it, as a gateway without settings composes them. */
export function openDoors(
  schema: GraphQLSchema,
  clock: Clock,
  { contextOf, ...parts }: Pick<EngineOptions, "audit" | "instrumentation"> & { readonly contextOf: () => unknown },
) {
  const budgets = new ClientBudgets(LIMITS.principal, clock);
  const engine = new Engine({
    ...parts,
    ...{ schema, clock, budgets },
    contextFor: () => ({ context: contextOf(), trace: new Trace() }),
    documents: documentPolicy({ introspection: true }),
    costs: new OperationCosts({
      schema,
      outlook: unknownOutlook(1, () => clock.now()),
      limits: LIMITS.cost,
      listItems: LIMITS.document.listItems,
      budgets,
    }),
  });
  return {
    engine,
    instrumentation: parts.instrumentation,
    origins: new AllowedOrigins([]),
    names: new AllowedHosts(undefined),
    shedding: new Shedding(),
  };
}
