import type { Clock } from "@exchange-graph/contract/clock";
import type { GraphQLSchema } from "graphql";
import type { AuditTrail } from "../access/principal/auditTrail.js";
import type { ClientPrincipal } from "../access/principal/clientPrincipal.js";
import type { ClientBudgets } from "../access/quotas/clientBudgets.js";
import type { Requester } from "../datasources/index.js";
import type { Trace } from "../datasources/reads/trace.js";
import type { Instrumentation } from "../instrumentation/instrumentation.js";
import type { MutationAuthor } from "../resolvers/index.js";
import type { OperationCosts } from "./cost/operationCosts.js";
import type { DocumentPolicy } from "./documents/documentPolicy.js";

/**
 * Makes what the resolvers of one operation work with. What is answered depends on the client alone: see `ClientPrincipal`. Only
 * a mutation has an `author`. What it reads and writes it does for `requester`.
 */
export type ContextFor<Context> = (principal: ClientPrincipal, author?: MutationAuthor, requester?: Requester) => Context;

/** What one operation runs with, and what is read from the exchange for it. */
interface OperationContext {
  readonly context: unknown;
  readonly trace: Trace;
}

export interface EngineOptions {
  readonly schema: GraphQLSchema;
  readonly documents: DocumentPolicy;
  readonly costs: OperationCosts;
  readonly budgets: ClientBudgets;
  readonly contextFor: ContextFor<OperationContext>;
  /** Asked by each write before it leaves. */
  readonly audit: AuditTrail;
  readonly instrumentation: Instrumentation;
  readonly clock: Clock;
  /** Off: graphql-js runs everything. Default: on. */
  readonly isCompiling?: boolean;
}
