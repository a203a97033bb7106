import type { Clock } from "@exchange-graph/contract/clock";
import type { GraphQLSchema } from "graphql";
import type { AuditTrail } from "../access/principal/auditTrail.js";
import type { ClientBudgets } from "../access/quotas/clientBudgets.js";
import type { Trace } from "../datasources/reads/index.js";
import type { Instrumentation } from "../instrumentation/instrumentation.js";
import type { OperationRecorder } from "../instrumentation/recorder.js";
import type { Outlook } from "../schema/cost.js";
import { type CostLimits, OperationCosts } from "./cost/operationCosts.js";
import type { DocumentPolicy } from "./documents/documentPolicy.js";
import { Engine } from "./engine.js";
import type { ContextFor } from "./engineOptions.js";
import type { Load } from "./load/load.js";

interface EngineParts<Context> {
  readonly schema: GraphQLSchema;
  readonly documents: DocumentPolicy;
  readonly contextFor: ContextFor<Context>;
  /** The reads of an operation. */
  readonly traceOf: (context: Context) => Trace;
  /** State of the gateway that cost estimates depend on. */
  readonly outlook: Outlook;
  readonly costLimits: CostLimits;
  /** Maximum number of items in a list argument. */
  readonly listItems: number;
  readonly budgets: ClientBudgets;
  /** Default: no operation is refused for the load. */
  readonly load?: Pick<Load, "refused">;
  /** Called for each write before it is sent. */
  readonly audit: AuditTrail;
  readonly instrumentation: Instrumentation;
  /** Records operations for traces. Default: none is recorded. */
  readonly recorder?: OperationRecorder | undefined;
  readonly clock: Clock;
}

/** Composes the engine of a graph. */
export function createEngine<Context>(parts: EngineParts<Context>): Engine {
  const { contextFor, traceOf, costLimits, ...options } = parts;
  return new Engine({
    ...options,
    costs: new OperationCosts({ ...options, limits: costLimits }),
    contextFor(...asking) {
      const context = contextFor(...asking);
      return { context, trace: traceOf(context) };
    },
  });
}
