import { ApolloServer, type BaseContext, HeaderMap } from "@apollo/server";
import { ApolloServerPluginCacheControlDisabled } from "@apollo/server/plugin/disabled";
import { systemClock } from "@exchange-graph/contract/clock";
import { GraphQLError, type GraphQLSchema } from "graphql";
import { pino } from "pino";
import { ANONYMOUS_CLIENT } from "../../../src/access/principal/clientPrincipal.js";
import { ClientBudgets } from "../../../src/access/quotas/clientBudgets.js";
import { GATEWAY } from "../../../src/datasources/calls/scheduler/requester.js";
import { OperationCosts } from "../../../src/engine/cost/operationCosts.js";
import { documentPolicy } from "../../../src/engine/documents/documentPolicy.js";
import { operationIn } from "../../../src/engine/documents/operationRequest.js";
import { Engine } from "../../../src/engine/engine.js";
import type { EngineOptions } from "../../../src/engine/engineOptions.js";
import { shownErrors } from "../../../src/engine/errors/shownErrors.js";
import { LIMITS } from "../../../src/limits.js";
import { ApolloHttp } from "../../../src/transports/http/apollo/apolloServer.js";
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

const headersWith = (accept: string) => ({ "content-type": "application/json", accept });

/** Plain Apollo Server, which parses, validates and executes by itself. */
export async function apolloExecutor(schema: GraphQLSchema, contextOf: () => BaseContext): Promise<Executor> {
  const apollo = new ApolloServer({
    schema,
    introspection: true,
    logger: silent,
    formatError: shownErrors(policy),
    includeStacktraceInErrorResponses: false,
    plugins: [ApolloServerPluginCacheControlDisabled()],
    stringifyResult: (result) => JSON.stringify(result),
  });
  await apollo.start();
  return {
    async ask(body, accept = "application/json") {
      const headers = new HeaderMap(Object.entries(headersWith(accept)));
      const response = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method: "POST", headers, search: "", body },
        context: async () => contextOf(),
      });
      if (response.body.kind !== "complete") throw new Error("expected one answer");
      return { status: response.status ?? 200, headers: [...response.headers], body: response.body.string };
    },
    stop: () => apollo.stop(),
  };
}

/** The engine behind Apollo; graphql-js executes everything if compilation is off. */
export async function engineExecutor(
  schema: GraphQLSchema,
  contextOf: EngineOptions["contextFor"],
  isCompiling: boolean,
): Promise<Executor> {
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
    contextFor: contextOf,
  });
  const caller = { principal: ANONYMOUS_CLIENT, requester: GATEWAY, origin: ORIGIN };
  const apollo = new ApolloHttp({ schema, log: silent, instrumentation, policy });
  await apollo.start();
  return {
    async ask(body, accept = "application/json") {
      const answer = await apollo.answer({ method: "POST", headers: headersWith(accept), search: "", body }, "one", {
        async find() {
          const operation = await operationIn(body, engine.documents);
          const isRead = operation !== undefined && !(operation instanceof GraphQLError);
          return isRead ? engine.find({ caller, operation }) : engine.results.failed(operation, caller);
        },
        execute: (found) => engine.execute(found),
      });
      return { status: answer.status, headers: Object.entries(answer.headers), body: answer.body };
    },
    stop: () => apollo.stop(),
  };
}
