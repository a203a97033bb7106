import type { ApolloServerPlugin, BaseContext } from "@apollo/server";
import { ANY_CALLER } from "../../../access/principal/caller.js";
import type { Trace } from "../../../datasources/reads/trace.js";
import { dataOf } from "../../../engine/answers/writtenData.js";
import { nodesIn } from "../../../engine/cost/actualNodes.js";
import type { Cost } from "../../../engine/cost/costPlan.js";
import type { Admission, OperationCosts } from "../../../engine/cost/operationCosts.js";
import { TrackedRequest } from "./trackedRequest.js";

/** `extensions.cost`: what the operation could cost at most, and what it did cost. */
interface CostExtension {
  readonly estimated: Cost;
  readonly actual: Cost;
}

/**
 * Admits operations by what they would cost, once Apollo has found them, and shows to whoever asks for the trace what
 * they were thought to cost and did.
 */
export function costExtension<Context extends BaseContext>(
  costs: OperationCosts,
  traceOf: (context: Context) => Trace,
): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async ({ request: { http } }) => {
      const tracked = http instanceof TrackedRequest ? http : undefined;
      let admission: Admission | undefined;
      return {
        async didResolveOperation({ document, operation, request: { variables = {} } }) {
          // An operation name that fits none or several leaves no operation here, whatever the type says.
          if (operation) admission = costs.admit(document, operation, variables, tracked?.caller ?? ANY_CALLER);
        },
        async willSendResponse({ contextValue, response: { body } }) {
          if (admission === undefined) return;
          const { upstreamCalls } = traceOf(contextValue);
          admission.ended(upstreamCalls);
          if (tracked?.caller.traced !== true || body.kind !== "single") return;
          const { singleResult: result } = body;
          const cost: CostExtension = {
            estimated: admission.estimate,
            actual: { upstreamCalls, nodes: nodesIn(result.data && dataOf(result.data)) },
          };
          result.extensions = { ...result.extensions, cost };
        },
      };
    },
  };
}
