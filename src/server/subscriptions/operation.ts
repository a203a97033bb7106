import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql";
import { z } from "zod";
import { BoundedMap } from "../../datasources/cache/boundedMap.js";
import type { Pace } from "./pace.js";

const MAX_DOCUMENTS = 1_000;

/** What a client asks for over a socket or an event stream. */
export interface AskedOperation {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Documents by their text: parsed and validated once. */
export class Documents {
  readonly #known = new BoundedMap<string, DocumentNode | readonly GraphQLError[]>(MAX_DOCUMENTS);

  constructor(private readonly schema: GraphQLSchema) {}

  /** The document and its operation, or what is wrong with them. */
  read({
    query,
    operationName,
  }: AskedOperation): { document: DocumentNode; operation: OperationDefinitionNode } | readonly GraphQLError[] {
    const document = this.#known.get(query) ?? this.#parse(query);
    if (!("kind" in document)) return document;
    const operation = getOperationAST(document, operationName);
    if (operation) return { document, operation };
    return [
      new GraphQLError(
        operationName
          ? `Unknown operation named "${operationName}".`
          : "Must provide operation name if query contains multiple operations.",
      ),
    ];
  }

  #parse(query: string): DocumentNode | readonly GraphQLError[] {
    const read = this.#check(query);
    this.#known.set(query, read);
    return read;
  }

  #check(query: string): DocumentNode | readonly GraphQLError[] {
    try {
      const document = parse(query);
      const errors = validate(this.schema, document);
      return errors.length === 0 ? document : errors;
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
  }
}

const paceArgument = z.object({ mode: z.enum(["ALL", "LATEST"]), everyMs: z.number().nullish() });

/** The pace that a subscription's field is asked for; its argument has a default for each field. */
export function paceOf({ schema, document, variableValues }: ExecutionArgs, operation: OperationDefinitionNode): Pace {
  const [selection] = operation.selectionSet.selections;
  const field = selection?.kind === Kind.FIELD ? schema.getSubscriptionType()?.getFields()[selection.name.value] : undefined;
  if (selection?.kind !== Kind.FIELD || field === undefined || document === undefined) return { mode: "ALL" };
  const { mode, everyMs } = paceArgument.parse(getArgumentValues(field, selection, variableValues ?? {}).pace);
  return mode === "ALL" ? { mode } : { mode, everyMs: everyMs ?? 0 };
}
