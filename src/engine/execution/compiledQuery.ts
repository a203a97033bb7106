import {
  type DocumentNode,
  type GraphQLError,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from "graphql";
import { LRUCache } from "lru-cache";
import { fragmentsOf } from "../documents/fragments.js";
import { type Field, type Operation, type Source, writeFields, writeSerially } from "./fields.js";
import { planFields } from "./plan.js";
import { type Pause, Run } from "./run.js";
import type { SerializedTextCache } from "./serializedTextCache.js";
import { plainVariables } from "./variables.js";

/** How many combinations of what is skipped and included have a plan at the same time. */
const MAX_PLANS = 16;

/** What a query came to. */
export interface QueryText {
  /** JSON. */
  readonly data: string;
  /** In the order in which they happened. */
  readonly errors: readonly GraphQLError[];
}

/**
 * A query, a mutation, or what answers an event, whose every field knows beforehand what it will do, and writes JSON without building the objects that it
 * stands for. Answers exactly as graphql-js does.
 */
export class CompiledQuery {
  readonly #operation: Operation;
  readonly #plainVariables: ReturnType<typeof plainVariables>;
  /** The variables that `@skip` and `@include` ask for. */
  readonly #conditions: readonly string[];
  readonly #plans = new LRUCache<string, readonly Field[]>({ max: MAX_PLANS });

  constructor(
    schema: GraphQLSchema,
    private readonly type: GraphQLObjectType,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    private readonly texts: SerializedTextCache,
  ) {
    this.#operation = { schema, fragments: Object.fromEntries(fragmentsOf(document)), operation };
    this.#plainVariables = plainVariables(schema, operation.variableDefinitions ?? []);
    this.#conditions = conditionsOf(document);
  }

  /** The variables as resolvers take them; `undefined` where graphql-js is to judge them. */
  variablesOf(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
    return this.#plainVariables(inputs);
  }

  /** Runs it with variables that are right, defaults filled in; on an event, where it answers events. */
  async execute(
    context: unknown,
    variables: Readonly<Record<string, unknown>>,
    pause?: Pause,
    event: Source = {},
  ): Promise<QueryText> {
    const run = new Run(context, variables, pause);
    try {
      const fields = this.#plan(variables);
      const isSerial = this.#operation.operation.operation === OperationTypeNode.MUTATION;
      const data = await (isSerial ? writeSerially(run, fields) : writeFields(run, fields, event, undefined));
      return { data, errors: run.errors };
    } catch (error) {
      run.fail(locatedError(error, undefined), undefined);
      return { data: "null", errors: run.errors };
    }
  }

  #plan(variables: Readonly<Record<string, unknown>>): readonly Field[] {
    const combination = this.#conditions.map((name) => (variables[name] === true ? "1" : "0")).join("");
    const known = this.#plans.get(combination);
    if (known !== undefined) return known;
    const plan = planFields({ ...this.#operation, texts: this.texts, variables }, this.type, [
      this.#operation.operation.selectionSet,
    ]);
    this.#plans.set(combination, plan);
    return plan;
  }
}

function conditionsOf(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ name, arguments: given = [] }) {
      if (name.value !== GraphQLSkipDirective.name && name.value !== GraphQLIncludeDirective.name) return;
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}
