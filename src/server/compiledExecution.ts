import { type ApolloServerPlugin, type BaseContext, type GraphQLRequestListener, HeaderMap } from "@apollo/server";
import type { DocumentNode, FormattedExecutionResult, GraphQLSchema, OperationDefinitionNode } from "graphql";
import { type CompiledQuery as Compiled, compileQuery, isCompiledQuery } from "graphql-jit";
import { BoundedMap } from "../datasources/cache/boundedMap.js";
import { isCompilable } from "./compilable.js";
import type { ErrorLog } from "./errorLog.js";
import { formatError } from "./formatError.js";
import { TrackedRequest } from "./trackedRequest.js";

const MAX_OPERATIONS = 1_000;

/** The way of the default option loses fields that one fragment skips and another includes. */
const COMPILER = { useExperimentalPathBasedSkipInclude: true };

/** A query as a JavaScript function. */
export class CompiledQuery {
  constructor(
    /** The operation's own name. */
    readonly name: string | undefined,
    private readonly run: Compiled["query"],
    private readonly log: ErrorLog,
  ) {}

  /** Runs it; errors come as callers may see them. `undefined` when the variables are wrong: then nothing ran, and graphql-js words that better. */
  async execute(
    context: unknown,
    variables: Readonly<Record<string, unknown>>,
    requestId: string | undefined,
  ): Promise<FormattedExecutionResult | undefined> {
    const { data, errors } = await this.run(undefined, context, variables);
    if (data === undefined) return undefined;
    if (errors === undefined) return { data };
    // Apollo's own hook for errors is not called on this road, so they go to the same log from here.
    this.log.unexpected(errors, requestId, this.name);
    return { data, errors: errors.map(formatError) };
  }
}

/** Makes an operation a function when it comes for the second time: compiling costs more than one run. */
class CompiledOperations {
  /** By node: as long as Apollo keeps a document parsed, equal texts lead to the same node. */
  readonly #known = new BoundedMap<OperationDefinitionNode, "seen once" | "not compilable" | CompiledQuery>(MAX_OPERATIONS);

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly log: ErrorLog,
  ) {}

  /** `undefined` when the operation is to be interpreted. */
  find(document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | undefined {
    const known = this.#known.get(operation);
    if (known === "not compilable") return undefined;
    if (known !== undefined && known !== "seen once") return known;
    const entry = known === undefined ? "seen once" : this.#compile(document, operation);
    this.#known.set(operation, entry);
    return typeof entry === "string" ? undefined : entry;
  }

  #compile(document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | "not compilable" {
    if (!isCompilable(this.schema, document)) return "not compilable";
    const name = operation.name?.value;
    const compiled = compileQuery(this.schema, document, name, COMPILER);
    return isCompiledQuery(compiled) ? new CompiledQuery(name, compiled.query, this.log) : "not compilable";
  }
}

/**
 * Runs queries as compiled functions. Takes the place of Apollo's executor in the hook that is there for it; what
 * cannot be compiled, and mutations, go to graphql-js as always.
 */
export function compiledExecution<Context extends BaseContext>(
  schema: GraphQLSchema,
  log: ErrorLog,
): ApolloServerPlugin<Context> {
  const operations = new CompiledOperations(schema, log);
  const listener: GraphQLRequestListener<Context> = {
    async responseForOperation({ operation, document, contextValue, request: { http, variables = {} } }) {
      // An operation name that fits none or several leaves no operation here, whatever the type says.
      if (operation?.operation !== "query") return null;
      const query = operations.find(document, operation);
      const tracked = http instanceof TrackedRequest ? http : undefined;
      const result = await query?.execute(contextValue, variables, tracked?.id);
      if (result === undefined) return null;
      if (tracked !== undefined) tracked.ranAs = query;
      return { http: { headers: new HeaderMap() }, body: { kind: "single", singleResult: result } };
    },
  };
  return { requestDidStart: async () => listener };
}
