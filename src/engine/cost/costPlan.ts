import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
  valueFromASTUntyped,
} from "graphql";
import { type Amount, type AskedArguments, costOf, type FieldCost, LIST_CATEGORIES, MARKET_LISTS } from "../../schema/cost.js";
import { fragmentsOf } from "../documents/fragments.js";
import { argumentsOf, type FieldArguments, type Variables } from "./askedArguments.js";
import { type Condition, conditionsOf } from "./conditions.js";
import type { introspectionCost } from "./introspection.js";

/** What an operation costs: calls that leave for the exchange, and objects in its answer. */
export interface Cost {
  readonly upstreamCalls: number;
  readonly nodes: number;
}

/** What costs depend on besides the operation. */
export interface CostModel {
  readonly schema: GraphQLSchema;
  /** Accounts of the gateway. */
  readonly accounts: number;
  readonly introspection: ReturnType<typeof introspectionCost>;
  /** Unix ms. */
  readonly now: () => number;
}

/** A field that costs something, or has fields below it that do. */
interface PlannedField {
  readonly cost: FieldCost | undefined;
  readonly asked: FieldArguments;
  /** How many of its objects there are for each of its parent's. */
  readonly shape: "leaf" | "object" | "list" | "rowsOfConnection";
  readonly isConnection: boolean;
  readonly isAccount: boolean;
  readonly below: readonly PlannedField[];
  /** The object type that it is asked of; nothing where that may be several. */
  readonly parent: string | undefined;
  /** Objects that do not depend on anything: the schema's. */
  readonly fixedNodes: number;
  /** What stands around it that may leave it out: `@skip` and `@include`, its fragments' too. */
  readonly conditions: readonly Condition[];
}

/**
 * Where a field is read: how many parents there are, how many of them differ, the rows of the connection around, and the
 * category that a list around was asked for by.
 */
interface Place {
  readonly parents: number;
  readonly distinct: number;
  readonly rows: number;
  readonly category: string | undefined;
}

const ROOT: Place = { parents: 1, distinct: 1, rows: 0, category: undefined };
/** Rows of a list that declares nothing. */
const UNDECLARED_ROWS = 100;

/** One operation's cost as a function of its variables: planned once per document. */
export class CostPlan {
  readonly #fields: readonly PlannedField[];
  readonly #defaults: Variables;
  readonly #constant: Cost | undefined;

  constructor(
    private readonly model: CostModel,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
  ) {
    const root = model.schema.getRootType(operation.operation);
    this.#fields = root ? new Planner(model, fragmentsOf(document)).fieldsOf(root, operation.selectionSet) : [];
    this.#defaults = defaultsOf(operation);
    this.#constant = this.#fields.every(isConstant) ? this.#estimate({}) : undefined;
  }

  /** What the operation can cost at most, repeated tries aside. */
  estimate(variables: Variables): Cost {
    return this.#constant ?? this.#estimate({ ...this.#defaults, ...variables });
  }

  #estimate(variables: Variables): Cost {
    // Mutations run one after the other, and each forgets what was read before it.
    const alone = this.operation.operation === OperationTypeNode.MUTATION;
    const costs = (alone ? this.#fields.map((field) => [field]) : [this.#fields]).map((together) => {
      const sum = new Sum(this.model.accounts, variables, this.model.now());
      for (const field of together) sum.add(field, ROOT);
      return sum.total;
    });
    return {
      upstreamCalls: counted(costs.reduce((sum, { upstreamCalls }) => sum + upstreamCalls, 0)),
      nodes: counted(costs.reduce((sum, { nodes }) => sum + nodes, 1)),
    };
  }
}

/** A cost that is no number would pass every comparison with a limit: it counts as more than any limit allows. */
const counted = (amount: number): number => (Number.isFinite(amount) && amount >= 0 ? amount : Number.MAX_SAFE_INTEGER);

const isConstant = ({ cost, asked, below, conditions }: PlannedField): boolean =>
  asked.isConstant && cost?.overTime !== true && conditions.every((condition) => condition.isConstant) && below.every(isConstant);

const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Variables =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  );

const categoryIn = ({ category }: AskedArguments): string | undefined => (typeof category === "string" ? category : undefined);

/** Adds up what the fields of one request cost that share what they read. */
class Sum {
  #calls = 0;
  #nodes = 0;
  #modes = 0;
  /** Categories of each list that are known, and how many more there may be. */
  readonly #lists = new Map(MARKET_LISTS.map((list) => [list, { known: new Set<string>(), others: 0 }]));

  constructor(
    private readonly accounts: number,
    private readonly variables: Variables,
    private readonly now: number,
  ) {}

  get total(): Cost {
    const lists = [...this.#lists].reduce(
      (sum, [list, { known, others }]) => sum + Math.min(known.size + others, LIST_CATEGORIES[list]),
      0,
    );
    return { upstreamCalls: this.#calls + lists + Math.min(this.#modes, this.accounts), nodes: this.#nodes };
  }

  #addLists({ lists }: FieldCost, given: AskedArguments, category: string | undefined): void {
    const counts = typeof lists === "function" ? lists(given, category) : lists;
    for (const [list, sum] of this.#lists) {
      const count = counted(counts?.[list] ?? 0);
      if (typeof lists === "function" && category !== undefined && count === 1) sum.known.add(category);
      else sum.others += count;
    }
  }

  add(
    { cost, asked, shape, isConnection, isAccount, below, fixedNodes, conditions }: PlannedField,
    { parents, distinct, rows, category: around }: Place,
  ): void {
    if (conditions.some((condition) => condition.leavesOut(this.variables))) return;
    const given = asked.with(this.variables);
    const category = categoryIn(given) ?? around;
    const amountOf = (amount: Amount | undefined): number =>
      counted(typeof amount === "function" ? amount(given, this.now) : (amount ?? 0));
    if (cost !== undefined) {
      const readers = cost.neverShared ? parents : cost.perAccount ? Math.min(distinct, this.accounts) : distinct;
      this.#calls += readers * amountOf(cost.calls);
      this.#addLists(cost, given, category);
    }
    this.#nodes += parents * fixedNodes;
    if (shape === "leaf") return;
    const declared = cost?.rows === "accounts" ? this.accounts : amountOf(cost?.rows ?? UNDECLARED_ROWS);
    const each = shape === "object" ? 1 : shape === "list" ? declared : rows;
    const objects = parents * each;
    const differing = isAccount ? Math.min(distinct * each, this.accounts) : distinct * each;
    this.#nodes += objects;
    // Whatever is read of an account, its generation is found out first.
    if (isAccount) this.#modes += differing;
    const place: Place = {
      parents: objects,
      distinct: differing,
      rows: isConnection ? declared : 0,
      // What is asked of an account is of any category again.
      category: isAccount ? undefined : category,
    };
    const types = cost?.types?.(given);
    for (const field of below)
      if (types === undefined || field.parent === undefined || types.includes(field.parent)) this.add(field, place);
  }
}

/** Finds the fields of an operation that count. Documents are small once they are admitted: fragments are written out. */
class Planner {
  constructor(
    private readonly model: CostModel,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ) {}

  fieldsOf(type: GraphQLCompositeType, { selections }: SelectionSetNode): readonly PlannedField[] {
    return selections.flatMap((selection) => {
      const conditions = conditionsOf(selection);
      const fields = this.#selected(type, selection);
      return conditions.length === 0
        ? fields
        : fields.map((field) => ({ ...field, conditions: [...conditions, ...field.conditions] }));
    });
  }

  #selected(type: GraphQLCompositeType, selection: SelectionNode): readonly PlannedField[] {
    if (selection.kind === Kind.FIELD) {
      const field = this.#field(type, selection);
      return field === undefined ? [] : [field];
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection;
    if (fragment === undefined) return [];
    const condition = fragment.typeCondition && typeFromAST(this.model.schema, fragment.typeCondition);
    return this.fieldsOf(isCompositeType(condition) ? condition : type, fragment.selectionSet);
  }

  #field(parent: GraphQLCompositeType, node: FieldNode): PlannedField | undefined {
    const name = node.name.value;
    if (name === "__schema" || name === "__type")
      return { ...NOTHING, fixedNodes: this.model.introspection(node, this.fragments) };
    const field = "getFields" in parent ? parent.getFields()[name] : undefined;
    if (field === undefined) return undefined;
    const cost = costOf(field);
    const type = getNamedType(field.type);
    if (!isCompositeType(type))
      return cost === undefined
        ? undefined
        : { ...NOTHING, cost, asked: argumentsOf(field, node), parent: isObjectType(parent) ? parent.name : undefined };
    const isConnection = isObjectType(type) && "edges" in type.getFields() && "pageInfo" in type.getFields();
    return {
      cost,
      asked: argumentsOf(field, node),
      shape: shapeOf(parent, field),
      isConnection,
      isAccount: type.name === "Account",
      below: node.selectionSet === undefined ? [] : this.fieldsOf(type, node.selectionSet),
      parent: isObjectType(parent) ? parent.name : undefined,
      fixedNodes: 0,
      conditions: [],
    };
  }
}

const NO_ARGUMENTS: FieldArguments = { isConstant: true, with: () => ({}) };
const NOTHING: PlannedField = {
  cost: undefined,
  asked: NO_ARGUMENTS,
  shape: "leaf",
  isConnection: false,
  isAccount: false,
  below: [],
  parent: undefined,
  fixedNodes: 0,
  conditions: [],
};

function shapeOf(parent: GraphQLCompositeType, field: GraphQLField<unknown, unknown>): PlannedField["shape"] {
  if (!isListType(getNullableType(field.type))) return "object";
  return "getFields" in parent && "pageInfo" in parent.getFields() ? "rowsOfConnection" : "list";
}
