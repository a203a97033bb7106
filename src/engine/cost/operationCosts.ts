import {
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  valueFromASTUntyped,
} from "graphql";
import type { ClientPrincipal } from "../../access/principal/clientPrincipal.js";
import type { ClientBudgets } from "../../access/quotas/clientBudgets.js";
import type { EstimateState } from "../../schema/cost.js";
import { tooManyItems } from "../documents/documentLimits.js";
import { fragmentsOf } from "../documents/nodes.js";
import { rateLimited, tooExpensive } from "../errors/operationRefusals.js";
import type { Load } from "../load/load.js";
import { type Cost, CostSum, counted, type FieldShare, type PlannedField, type Variables } from "./costSum.js";
import { introspectionCost } from "./introspection.js";
import { type CostModel, Planner } from "./plannedFields.js";

/** One operation's cost as a function of its variables and of the gateway's state. Planned once per document. */
export class CostPlan {
  readonly #fields: readonly PlannedField[];
  readonly #defaults: Variables;

  constructor(
    model: CostModel,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
  ) {
    const root = model.schema.getRootType(operation.operation);
    this.#fields = root ? new Planner(model, fragmentsOf(document)).fieldsOf(root, operation.selectionSet) : [];
    this.#defaults = defaultsOf(operation);
  }

  /** The maximum cost of the operation, without retries. `shares` is filled with the part of each field, by its coordinate. */
  estimate(variables: Variables, outlook: EstimateState, shares?: Map<string, Cost>): Cost {
    const values = { ...this.#defaults, ...variables };
    // The fields of a mutation run one after the other and share no reads.
    const alone = this.operation.operation === OperationTypeNode.MUTATION;
    const costs = (alone ? this.#fields.map((field) => [field]) : [this.#fields]).map((together) => {
      const sum = new CostSum(values, outlook, shares);
      for (const field of together) sum.add(field);
      return sum.total;
    });
    return {
      upstreamCalls: counted(costs.reduce((sum, { upstreamCalls }) => sum + upstreamCalls, 0)),
      nodes: counted(costs.reduce((sum, { nodes }) => sum + nodes, 1)),
    };
  }

  /** The estimate by field. Computed only where it is shown: when an operation is refused, or traced. */
  shares(variables: Variables, outlook: EstimateState, unit: keyof Cost = "upstreamCalls"): readonly FieldShare[] {
    const shares = new Map<string, Cost>();
    this.estimate(variables, outlook, shares);
    return [...shares]
      .map(([field, cost]) => ({ field, ...cost }))
      .filter(({ upstreamCalls, nodes }) => upstreamCalls + nodes > 0)
      .sort((one, other) => other[unit] - one[unit] || other.nodes - one.nodes)
      .slice(0, MAX_SHARES);
  }
}

const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Variables =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  );

export interface CostLimits {
  readonly upstreamCalls: number;
  readonly nodes: number;
}

/** Default limits. */
export const COST_LIMITS: CostLimits = { upstreamCalls: 1_000, nodes: 250_000 };

/** An admitted operation: its estimated cost, and a callback for its end. */
export interface Admission {
  readonly estimate: Cost;
  /** The estimate by field, the most calls first. */
  shares(): readonly FieldShare[];
  ended(upstreamCalls: number): void;
}

/** The client: its rights bound the estimate, its id selects the quota. */
type Client = Pick<ClientPrincipal, "id" | "rights">;

/** Admits operations by their estimated cost, before any call is made. Plans live as long as their documents. */
export class OperationCosts {
  readonly #plans = new WeakMap<OperationDefinitionNode, CostPlan>();
  readonly #model: CostModel;

  constructor(
    private readonly options: {
      readonly schema: GraphQLSchema;
      readonly outlook: EstimateState;
      readonly limits: CostLimits;
      readonly listItems: number;
      readonly budgets: ClientBudgets;
      /** Refuses operations under overload. Default: never. */
      readonly load?: Pick<Load, "refused">;
    },
  ) {
    const { schema } = options;
    this.#model = { schema, introspection: introspectionCost(schema) };
  }

  /** Admits an operation. Throws the error for the client if it is too large or the client's quota is used up. */
  admit(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables, { id, rights }: Client): Admission {
    const { budgets, load, limits, listItems, outlook } = this.options;
    const tooMuch = load?.refused(operation);
    if (tooMuch !== undefined) throw tooMuch;
    for (const [name, value] of Object.entries(variables))
      if (longestList(value) > listItems) throw tooManyItems(`A list in $${name}`, listItems, longestList(value));
    const plan = this.#plan(document, operation);
    const seen = seenBy(outlook, rights);
    const estimate = plan.estimate(variables, seen);
    const shares = (unit?: keyof Cost) => plan.shares(variables, seen, unit);
    for (const [name, unit] of UNITS) {
      const allowed = limits[name];
      const actual = estimate[name];
      if (actual > allowed)
        throw tooExpensive(
          `The operation could cost ${actual} ${unit}; ${allowed} are allowed. Select fewer fields, or request smaller pages.`,
          { name, allowed, actual, fields: shares(name) },
          operation,
        );
    }
    const waitMs = budgets.calls(id, estimate.upstreamCalls);
    if (waitMs !== undefined) throw rateLimited(waitMs, "calls to the exchange");
    return { estimate, shares, ended: (calls) => budgets.settle(id, estimate.upstreamCalls, calls) };
  }

  #plan(document: DocumentNode, operation: OperationDefinitionNode): CostPlan {
    const cached = this.#plans.get(operation);
    if (cached !== undefined) return cached;
    const plan = new CostPlan(this.#model, document, operation);
    this.#plans.set(operation, plan);
    return plan;
  }
}

/** Maximum number of fields that are named with their costs. */
const MAX_SHARES = 20;

/** The gateway's state restricted to the accounts that the client sees. */
const seenBy = (outlook: EstimateState, rights: Client["rights"]): EstimateState => {
  const accounts = outlook.accounts().filter(({ name }) => rights.sees(name));
  return { ...outlook, accounts: () => accounts };
};

const UNITS = [
  ["upstreamCalls", "calls to the exchange"],
  ["nodes", "objects in its answer"],
] as const;

/** Maximum nesting of inputs; deeper values are refused because they do not fit any input type. */
const MAX_LEVELS = 20;

function longestList(value: unknown, levels = MAX_LEVELS): number {
  if (typeof value !== "object" || value === null || levels === 0) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce((longest: number, inner) => Math.max(longest, longestList(inner, levels - 1)), own);
}
