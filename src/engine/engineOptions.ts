import type { Clock } from "@exchange-graph/contract/clock";
import type { GraphQLSchema } from "graphql";
import type { AuditTrail } from "../access/principal/auditTrail.js";
import type { ClientPrincipal } from "../access/principal/clientPrincipal.js";
import type { ClientBudgets } from "../access/quotas/clientBudgets.js";
import type { Requester } from "../datasources/index.js";
import type { Trace } from "../datasources/reads/index.js";
import type { Instrumentation } from "../instrumentation/instrumentation.js";
import type { OperationRecorder } from "../instrumentation/operationRecorder.js";
import type { MutationAuthor } from "../resolvers/index.js";
import type { OperationCosts } from "./cost/operationCosts.js";
import type { DocumentPolicy } from "./documents/documentPolicy.js";

/** The context of an operation's resolvers, of which the engine uses the trace of its reads. */
interface OperationContext {
  readonly reads: { readonly trace: Trace };
}

export interface EngineOptions {
  readonly schema: GraphQLSchema;
  readonly documents: DocumentPolicy;
  readonly costs: OperationCosts;
  readonly budgets: ClientBudgets;
  /**
   * Makes the context of an operation. Results depend on the client alone, see `ClientPrincipal`. Only mutations have an `author`. Reads
   * and writes are made for `requester`.
   */
  contextFor(principal: ClientPrincipal, author?: MutationAuthor, requester?: Requester): OperationContext;
  /** Called for each write before it is sent. */
  readonly audit: AuditTrail;
  readonly instrumentation: Instrumentation;
  /** Records operations for traces. Default: none is recorded. */
  readonly recorder?: OperationRecorder | undefined;
  readonly clock: Clock;
  /** False: graphql-js executes everything. Default: true. */
  readonly isCompiling?: boolean;
}
