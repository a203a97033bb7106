import { type ApolloServerPlugin, type BaseContext, type GraphQLRequestListener, HeaderMap } from "@apollo/server";
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import { ReadyQuery } from "../../../engine/answers/readyQuery.js";
import { writtenData } from "../../../engine/answers/writtenData.js";
import type { ErrorReports } from "../../../engine/errors/errorReports.js";
import { isCompilable } from "../../../engine/execution/compilable.js";
import { CompiledQuery } from "../../../engine/execution/compiledQuery.js";
import { LastingTexts } from "../../../engine/execution/lastingTexts.js";
import { TrackedRequest } from "./trackedRequest.js";

/**
 * Queries that are ready, by their operation, for as long as somebody keeps its document: as long as Apollo does, equal
 * texts lead to the same node.
 */
class ReadyQueries {
  readonly #texts = new LastingTexts();
  readonly #known = new WeakMap<OperationDefinitionNode, ReadyQuery | "not compilable">();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly log: ErrorReports,
  ) {}

  /** `undefined` when graphql-js is to run the operation. */
  find(document: DocumentNode, operation: OperationDefinitionNode): ReadyQuery | undefined {
    const known = this.#known.get(operation) ?? this.#compile(document, operation);
    return known === "not compilable" ? undefined : known;
  }

  #compile(document: DocumentNode, operation: OperationDefinitionNode): ReadyQuery | "not compilable" {
    const type = this.schema.getQueryType();
    const compilable = operation.operation === "query" && type && isCompilable(this.schema, document);
    const entry = compilable
      ? new ReadyQuery(new CompiledQuery(this.schema, type, document, operation, this.#texts), this.log, document, operation)
      : "not compilable";
    this.#known.set(operation, entry);
    return entry;
  }
}

/**
 * Runs queries that are compiled. Takes the place of Apollo's executor in the hook that is there for it; what cannot be
 * compiled, and mutations, go to graphql-js as always.
 */
export function compiledExecution<Context extends BaseContext>(
  schema: GraphQLSchema,
  log: ErrorReports,
): ApolloServerPlugin<Context> {
  const queries = new ReadyQueries(schema, log);
  const listener: GraphQLRequestListener<Context> = {
    async responseForOperation({ operation, document, contextValue, request: { http, variables = {} } }) {
      // An operation name that fits none or several leaves no operation here, whatever the type says.
      const query = operation && queries.find(document, operation);
      const tracked = http instanceof TrackedRequest ? http : undefined;
      const answered = await query?.answer(contextValue, variables, tracked?.id, tracked?.pause);
      if (answered === undefined) return null;
      if (tracked !== undefined) tracked.ranAs = query;
      const { data, errors } = answered;
      const singleResult = { data: writtenData(data), ...(errors === undefined ? {} : { errors }) };
      return { http: { headers: new HeaderMap() }, body: { kind: "single", singleResult } };
    },
  };
  return { requestDidStart: async () => listener };
}
