import { type ApolloServerPlugin, type BaseContext, type GraphQLRequestListener, HeaderMap } from "@apollo/server";
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";
import { BoundedMap } from "../datasources/cache/boundedMap.js";
import { isCompilable } from "./compilable.js";
import type { ErrorLog } from "./errorLog.js";
import { formatError } from "./formatError.js";

const MAX_OPERATIONS = 1_000;

/** The way of the default option loses fields that one fragment skips and another includes. */
const COMPILER = { useExperimentalPathBasedSkipInclude: true };

type Run = CompiledQuery["query"];

/** Operations as JavaScript functions, made when one comes for the second time: compiling costs more than one run. */
class CompiledOperations {
  /** By node: as long as Apollo keeps a document parsed, equal texts lead to the same node. */
  readonly #known = new BoundedMap<OperationDefinitionNode, "seen once" | "not compilable" | Run>(MAX_OPERATIONS);

  constructor(private readonly schema: GraphQLSchema) {}

  /** `undefined` when the operation is to be interpreted. */
  find(document: DocumentNode, operation: OperationDefinitionNode): Run | undefined {
    const known = this.#known.get(operation);
    if (typeof known === "function") return known;
    if (known === "not compilable") return undefined;
    const entry = known === undefined ? "seen once" : this.#compile(document, operation);
    this.#known.set(operation, entry);
    return typeof entry === "function" ? entry : undefined;
  }

  #compile(document: DocumentNode, operation: OperationDefinitionNode): Run | "not compilable" {
    if (!isCompilable(this.schema, document)) return "not compilable";
    const compiled = compileQuery(this.schema, document, operation.name?.value, COMPILER);
    return isCompiledQuery(compiled) ? compiled.query : "not compilable";
  }
}

/**
 * Runs queries as compiled functions. Takes the place of Apollo's executor in the hook that is there for it; what
 * cannot be compiled, and mutations, go to graphql-js as always. Apollo's own hook for errors is not called on this
 * road, so they go to the same log from here.
 */
export function compiledExecution<Context extends BaseContext>(
  schema: GraphQLSchema,
  log: ErrorLog,
): ApolloServerPlugin<Context> {
  const operations = new CompiledOperations(schema);
  const listener: GraphQLRequestListener<Context> = {
    async responseForOperation({ operation, document, contextValue, request }) {
      // An operation name that fits none or several leaves no operation here, whatever the type says.
      if (operation?.operation !== "query") return null;
      const run = operations.find(document, operation);
      const { data, errors } = (await run?.(undefined, contextValue, request.variables ?? {})) ?? {};
      // Without data nothing ran: the variables are wrong, and graphql-js words that better.
      if (data === undefined) return null;
      if (errors !== undefined) log.unexpected(errors, request.http, operation.name?.value);
      return {
        http: { headers: new HeaderMap() },
        body: { kind: "single", singleResult: errors === undefined ? { data } : { data, errors: errors.map(formatError) } },
      };
    },
  };
  return { requestDidStart: async () => listener };
}
