import {
  type DocumentNode,
  type GraphQLError,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { LRUCache } from "lru-cache";
import { fragmentsOf } from "../documents/nodes.js";
import { planFields } from "./executionPlan.js";
import { type Pause, plainVariables, type ReadArguments, Run, type VariableValues } from "./run.js";
import { type FieldOperation, type ParentRecord, type SelectedField, writeFields, writeSerially } from "./selectedFields.js";
import { SerializedTextCache } from "./serializedTextCache.js";
import type { Text } from "./values.js";

/** Maximum number of cached plans, one per combination of `@skip` and `@include` values. */
const MAX_PLANS = 16;

interface QueryText {
  /** JSON. */
  readonly data: string;
  /** In the order in which they occurred. */
  readonly errors: readonly GraphQLError[];
}

/**
 * A compiled query, mutation or event execution. Each field's work is decided in advance, and JSON is written without building
 * result objects. The result is identical to that of graphql-js.
 */
export class CompiledQuery {
  readonly #operation: FieldOperation;
  readonly #plainVariables: ReturnType<typeof plainVariables>;
  /** The variables of `@skip` and `@include`. */
  readonly #conditions: readonly string[];
  readonly #plans = new LRUCache<string, readonly SelectedField[]>({ max: MAX_PLANS });

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

  /** The coerced variables; `undefined` if graphql-js has to coerce them. */
  variablesOf(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
    return this.#plainVariables(inputs);
  }

  /** Executes the operation with coerced variables: synchronously, unless something is read for it. */
  execute(context: unknown, variables: VariableValues, pause?: Pause): QueryText | Promise<QueryText> {
    const run = new Run(context, variables, pause);
    const isSerial = this.#operation.operation.operation === OperationTypeNode.MUTATION;
    return textOf(run, () => {
      const fields = this.#plan(variables);
      return isSerial ? writeSerially(run, fields) : writeFields(run, fields, {}, undefined);
    });
  }

  /**
   * Returns a function that executes the operation on an event: synchronously, unless something is read for it. Plan and arguments
   * are computed once for all events.
   */
  onEvents(context: unknown, variables: VariableValues, pause?: Pause): (event: ParentRecord) => QueryText | Promise<QueryText> {
    const fields = this.#plan(variables);
    const readArguments: ReadArguments = new Map();
    return (event) => {
      const run = new Run(context, variables, pause, readArguments);
      return textOf(run, () => writeFields(run, fields, event, undefined));
    };
  }

  #plan(variables: VariableValues): readonly SelectedField[] {
    const combination = this.#conditions.map((name) => (variables[name] === true ? "1" : "0")).join("");
    const cached = this.#plans.get(combination);
    if (cached !== undefined) return cached;
    const plan = planFields({ ...this.#operation, texts: this.texts, variables }, this.type, [
      this.#operation.operation.selectionSet,
    ]);
    this.#plans.set(combination, plan);
    return plan;
  }
}

/** The result of a run. If writing it fails, the whole response is null. */
function textOf(run: Run, write: () => Text): QueryText | Promise<QueryText> {
  const { errors } = run;
  const fail = (error: unknown): QueryText => {
    run.fail(locatedError(error, undefined), undefined);
    return { data: "null", errors };
  };
  try {
    const data = write();
    return typeof data === "string" ? { data, errors } : data.then((text) => ({ data: text, errors }), fail);
  } catch (error) {
    return fail(error);
  }
}

function conditionsOf(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ name, arguments: nodes = [] }) {
      if (name.value !== GraphQLSkipDirective.name && name.value !== GraphQLIncludeDirective.name) return;
      for (const { value } of nodes) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

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

/**
 * Whether a document can be compiled. It cannot if it uses an interface or union whose records do not have `__typename`, or a
 * type with `isTypeOf`.
 */
export function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let compilable = true;
  visit(
    document,
    visitWithTypeInfo(types, {
      Field() {
        const type = getNamedType(types.getType());
        const isNamed = !isAbstractType(type) || type.extensions.namesTypes === true;
        if (!isNamed || (isObjectType(type) && type.isTypeOf)) compilable = false;
      },
    }),
  );
  return compilable;
}
