import { ApolloServer, type BaseContext, HeaderMap } from "@apollo/server";
import { ApolloServerPluginCacheControlDisabled } from "@apollo/server/plugin/disabled";
import { systemClock } from "@exchange-graph/contract/clock";
import type { GraphQLSchema } from "graphql";
import { pino } from "pino";
import { ANONYMOUS_CLIENT } from "../../../src/access/principal/clientPrincipal.js";
import { ClientBudgets } from "../../../src/access/quotas/clientBudgets.js";
import { GATEWAY } from "../../../src/datasources/calls/scheduler/requester.js";
import { Trace } from "../../../src/datasources/reads/reader/trace.js";
import { OperationCosts } from "../../../src/engine/cost/operationCosts.js";
import { documentPolicy } from "../../../src/engine/documents/documentPolicy.js";
import { Engine } from "../../../src/engine/engine.js";
import { shownErrors } from "../../../src/engine/errors/shownErrors.js";
import { LIMITS } from "../../../src/limits.js";
import { createApollo } from "../../../src/transports/http/apollo/apollo.js";
import { TrackedRequest } from "../../../src/transports/http/apollo/trackedRequest.js";
import { searchedAudit } from "../searchedLog.js";
import { ownInstrumentation } from "../searchedTelemetry.js";
import { unknownOutlook } from "../unknownOutlook.js";

const silent = pino({ level: "silent" });
const policy = documentPolicy({ introspection: true });
const ORIGIN = { who: null, address: undefined, over: "http", requestId: "one" } as const;

/** Answers a POST of JSON, and can be stopped. */
export interface Executor {
  ask(body: object, accept?: string): Promise<{ status: number; headers: [string, string][]; body: string }>;
  stop(): Promise<void>;
}

const headersWith = (accept: string) =>
  new HeaderMap([
    ["content-type", "application/json"],
    ["accept", accept],
  ]);

async function over(
  apollo: ApolloServer,
  request: (body: object, accept: string) => Parameters<ApolloServer["executeHTTPGraphQLRequest"]>[0],
): Promise<Executor> {
  await apollo.start();
  return {
    async ask(body, accept = "application/json") {
      const response = await apollo.executeHTTPGraphQLRequest(request(body, accept));
      if (response.body.kind !== "complete") throw new Error("expected one answer");
      return { status: response.status ?? 200, headers: [...response.headers], body: response.body.string };
    },
    stop: () => apollo.stop(),
  };
}

/** Plain Apollo Server, which parses, validates and executes by itself. */
export const apolloExecutor = (schema: GraphQLSchema, contextOf: () => BaseContext): Promise<Executor> =>
  over(
    new ApolloServer({
      schema,
      introspection: true,
      logger: silent,
      formatError: shownErrors(policy),
      includeStacktraceInErrorResponses: false,
      plugins: [ApolloServerPluginCacheControlDisabled()],
      stringifyResult: (result) => JSON.stringify(result),
    }),
    (body, accept) => ({
      httpGraphQLRequest: { method: "POST", headers: headersWith(accept), search: "", body },
      context: async () => contextOf(),
    }),
  );

/** The engine behind Apollo; graphql-js executes everything if compilation is off. */
export function engineExecutor(schema: GraphQLSchema, contextOf: () => unknown, isCompiling: boolean): Promise<Executor> {
  const budgets = new ClientBudgets(LIMITS.principal, systemClock);
  const instrumentation = ownInstrumentation();
  const limits = { upstreamCalls: Number.MAX_SAFE_INTEGER, nodes: Number.MAX_SAFE_INTEGER };
  const engine = new Engine({
    ...{
      schema,
      documents: policy,
      budgets,
      audit: searchedAudit(undefined, instrumentation),
      instrumentation,
      clock: systemClock,
      isCompiling,
    },
    costs: new OperationCosts({ schema, outlook: unknownOutlook(1), limits, listItems: LIMITS.document.listItems, budgets }),
    contextFor: () => ({ context: contextOf(), trace: new Trace() }),
  });
  return over(createApollo({ log: silent, instrumentation, policy, documents: engine.documents }), (body, accept) => ({
    httpGraphQLRequest: new TrackedRequest("one", "POST", headersWith(accept), "", body, async (operation) =>
      engine.execute({ operation, principal: ANONYMOUS_CLIENT, requester: GATEWAY, origin: ORIGIN }),
    ),
    context: async () => ({}),
  }));
}
