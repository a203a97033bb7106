import { ApolloServerErrorCode } from "@apollo/server/errors";
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import type { Caller } from "../../access/principal/caller.js";
import type { CallerBudgets } from "../../access/quotas/callerBudgets.js";
import { lruByWeight } from "../../datasources/cache/lru.js";
import type { Admission, OperationCosts } from "../cost/operationCosts.js";
import { KEPT_TEXT } from "../documents/apolloDocuments.js";
import { type DocumentPolicy, refusedBy } from "../documents/documentPolicy.js";
import { rateLimited } from "../errors/refusal.js";

/** What a client asks for over a socket or an event stream. */
export interface AskedOperation {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** An operation that may be executed; its context is still missing. */
export interface ReadOperation {
  readonly kind: OperationTypeNode;
  readonly args: ExecutionArgs;
  /** As the operation takes them: in its own order, with its defaults, and without what it does not know. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly admission: Admission;
}

/** Reads operations. Documents are kept by their text: parsed and validated once. */
export class Operations {
  readonly #known = lruByWeight<DocumentNode | readonly GraphQLError[]>(KEPT_TEXT, (_, text) => text.length);

  constructor(
    private readonly options: {
      readonly schema: GraphQLSchema;
      readonly documents: DocumentPolicy;
      readonly costs: OperationCosts;
      readonly budgets: CallerBudgets;
    },
  ) {}

  /** The operation, or what is wrong with it, with the codes that the same mistake has over HTTP. */
  read({ query, operationName, variables }: AskedOperation, caller: Caller): ReadOperation | readonly GraphQLError[] {
    const { schema, documents, costs, budgets } = this.options;
    const waitMs = budgets.operation(caller.principal);
    if (waitMs !== undefined) return [rateLimited(waitMs, "operations")];
    const document = this.#known.get(query) ?? this.#parse(query);
    if (!("kind" in document)) return document;
    const operation = getOperationAST(document, operationName);
    if (!operation) {
      const reason = operationName ? `Unknown operation named "${operationName}".` : "Must name one of the operations.";
      return [coded(new GraphQLError(reason), ApolloServerErrorCode.OPERATION_RESOLUTION_FAILURE)];
    }
    const { errors, coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {}, {
      hideSuggestions: !documents.suggestions,
    });
    if (errors !== undefined) return errors.map((error) => coded(error, ApolloServerErrorCode.BAD_USER_INPUT));
    const args = { schema, document, operationName, variableValues: variables };
    try {
      const admission = costs.admit(document, operation, variables ?? {}, caller);
      return { kind: operation.operation, args, variables: coerced, admission };
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
  }

  #parse(query: string): DocumentNode | readonly GraphQLError[] {
    const read = this.#check(query);
    this.#known.set(query, read);
    return read;
  }

  #check(query: string): DocumentNode | readonly GraphQLError[] {
    const { schema, documents } = this.options;
    const refused = refusedBy(documents, query);
    if (refused !== undefined) return [refused];
    const { introspection, suggestions } = documents;
    const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    try {
      const document = parse(query);
      const errors = validate(schema, document, rules, { hideSuggestions: !suggestions });
      return errors.length === 0
        ? document
        : errors.map((error) => coded(error, ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED));
    } catch (error) {
      if (error instanceof GraphQLError) return [coded(error, ApolloServerErrorCode.GRAPHQL_PARSE_FAILED)];
      throw error;
    }
  }
}

const coded = ({ message, nodes, source, positions, originalError }: GraphQLError, code: ApolloServerErrorCode): GraphQLError =>
  new GraphQLError(message, {
    ...(nodes === undefined ? {} : { nodes }),
    ...(source === undefined ? {} : { source }),
    ...(positions === undefined ? {} : { positions }),
    ...(originalError === undefined ? {} : { originalError }),
    extensions: { code },
  });

/** Does it go on, event by event? */
export const isSubscription = ({ kind }: ReadOperation): boolean => kind === OperationTypeNode.SUBSCRIPTION;
/** May it change anything? */
export const isMutation = ({ kind }: ReadOperation): boolean => kind === OperationTypeNode.MUTATION;
