import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import { isCompilable } from "./compilable.js";
import { CompiledQuery } from "./compiledQuery.js";
import { SerializedTextCache } from "./serializedTextCache.js";

/** Compiled operations, kept as long as their document. */
export class CompiledQueries {
  readonly #texts = new SerializedTextCache();
  readonly #compiled = new WeakMap<OperationDefinitionNode, CompiledQuery | "not compilable">();

  constructor(private readonly schema: GraphQLSchema) {}

  /** The compiled operation; `undefined` if graphql-js has to execute it. */
  find(document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | undefined {
    const compiled = this.#compiled.get(operation) ?? this.#compile(document, operation);
    return compiled === "not compilable" ? undefined : compiled;
  }

  #compile(document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | "not compilable" {
    const type = this.schema.getRootType(operation.operation);
    const query =
      type && isCompilable(this.schema, document)
        ? new CompiledQuery(this.schema, type, document, operation, this.#texts)
        : "not compilable";
    this.#compiled.set(operation, query);
    return query;
  }
}
