import type { Clock } from "@exchange-graph/contract/clock";
import type { GraphQLSchema } from "graphql";
import { NO_CLIENTS } from "../../../src/access/clients.js";
import { ClientBudgets } from "../../../src/access/quotas/clientBudgets.js";
import { ConnectionQuota } from "../../../src/access/quotas/connectionQuota.js";
import { OperationCosts } from "../../../src/engine/cost/operationCosts.js";
import { documentPolicy } from "../../../src/engine/documents/documentPolicy.js";
import { Engine } from "../../../src/engine/engine.js";
import type { EngineOptions } from "../../../src/engine/engineOptions.js";
import { LIMITS } from "../../../src/limits.js";
import { type ArrivalParts, Shedding } from "../../../src/transports/arrival/arrivalParts.js";
import { AllowedHosts, AllowedOrigins } from "../../../src/transports/arrival/hostsAndOrigins.js";
import { unknownOutlook } from "../unknownOutlook.js";

/** The parts of all transports, as a gateway without settings composes them. */
export function openDoors(
  schema: GraphQLSchema,
  clock: Clock,
  {
    contextOf,
    nextRequestId,
    ...parts
  }: Pick<EngineOptions, "audit" | "instrumentation"> & {
    readonly contextOf: EngineOptions["contextFor"];
    readonly nextRequestId: () => string;
  },
): ArrivalParts {
  const budgets = new ClientBudgets(LIMITS.principal, clock);
  const engine = new Engine({
    ...parts,
    ...{ schema, clock, budgets },
    contextFor: contextOf,
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
    ...{ engine, clients: NO_CLIENTS, clock, nextRequestId },
    instrumentation: parts.instrumentation,
    connectionQuota: new ConnectionQuota(LIMITS.socket.connectionsPerClient),
    origins: new AllowedOrigins([]),
    names: new AllowedHosts(undefined),
    shedding: new Shedding(),
    maxBodyBytes: 1_024,
  };
}
