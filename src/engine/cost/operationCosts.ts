import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import type { ClientPrincipal } from "../../access/principal/clientPrincipal.js";
import type { ClientBudgets } from "../../access/quotas/clientBudgets.js";
import type { Outlook } from "../../schema/cost.js";
import { tooManyItems } from "../documents/documentLimits.js";
import { rateLimited, tooExpensive } from "../errors/refusal.js";
import type { Load } from "../load/load.js";
import type { Variables } from "./askedArguments.js";
import { CostPlan } from "./costPlan.js";
import type { Cost } from "./costSum.js";
import { introspectionCost } from "./introspection.js";
import type { CostModel } from "./plannedFields.js";

/** What one operation may cost at most. */
export interface CostLimits {
  readonly upstreamCalls: number;
  readonly nodes: number;
}

/** The defaults. */
export const COST_LIMITS: CostLimits = { upstreamCalls: 1_000, nodes: 250_000 };

/** An operation that was admitted: what it may cost, and what is to be done when it has ended. */
export interface Admission {
  readonly estimate: Cost;
  /** It has ended, after this many calls. */
  ended(upstreamCalls: number): void;
}

/** Who asks: what is seen, and whose budget it is. */
type Asking = Pick<ClientPrincipal, "id" | "rights">;

/** Judges operations by what they would cost, before anything is sent for them. Plans live as long as their documents. */
export class OperationCosts {
  readonly #plans = new WeakMap<OperationDefinitionNode, CostPlan>();
  readonly #model: CostModel;

  constructor(
    private readonly options: {
      readonly schema: GraphQLSchema;
      readonly outlook: Outlook;
      readonly limits: CostLimits;
      readonly listItems: number;
      readonly budgets: ClientBudgets;
      /** Refuses what is not to be started now. Default: refuses nothing. */
      readonly load?: Pick<Load, "refused">;
    },
  ) {
    const { schema } = options;
    this.#model = { schema, introspection: introspectionCost(schema) };
  }

  /** Throws what is to be answered instead, when the operation is too large or its client has spent too much. */
  admit(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables, asking: Asking): Admission {
    const { id: principalId } = asking;
    const { budgets, load } = this.options;
    const tooMuch = load?.refused(operation);
    if (tooMuch !== undefined) throw tooMuch;
    const estimate = this.#judged(document, operation, variables, asking);
    const waitMs = budgets.calls(principalId, estimate.upstreamCalls);
    if (waitMs !== undefined) throw rateLimited(waitMs, "calls to the exchange");
    return { estimate, ended: (calls) => budgets.settle(principalId, estimate.upstreamCalls, calls) };
  }

  #judged(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables, { rights }: Asking): Cost {
    const { limits, listItems } = this.options;
    for (const [name, value] of Object.entries(variables))
      if (longestList(value) > listItems) throw tooManyItems(`A list in $${name}`, listItems, longestList(value));
    const estimate = this.#plan(document, operation).estimate(variables, seenBy(this.options.outlook, rights));
    for (const [name, unit] of UNITS) {
      const allowed = limits[name];
      const actual = estimate[name];
      if (actual > allowed)
        throw tooExpensive(
          `The operation could cost ${actual} ${unit}; ${allowed} are allowed. Ask for less at once, or for smaller pages.`,
          { name, allowed, actual },
          operation,
        );
    }
    return estimate;
  }

  #plan(document: DocumentNode, operation: OperationDefinitionNode): CostPlan {
    const known = this.#plans.get(operation);
    if (known !== undefined) return known;
    const plan = new CostPlan(this.#model, document, operation);
    this.#plans.set(operation, plan);
    return plan;
  }
}

/** What somebody will meet who sees some of the accounts. */
const seenBy = (outlook: Outlook, rights: Asking["rights"]): Outlook => {
  const accounts = outlook.accounts().filter(({ name }) => rights.sees(name));
  return { ...outlook, accounts: () => accounts };
};

const UNITS = [
  ["upstreamCalls", "calls to the exchange"],
  ["nodes", "objects in its answer"],
] as const;

/** No input of a graph nests deeper; what does is refused for not fitting its type. */
const MAX_LEVELS = 20;

/** How long the longest list is. */
function longestList(value: unknown, levels = MAX_LEVELS): number {
  if (typeof value !== "object" || value === null || levels === 0) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce((longest: number, inner) => Math.max(longest, longestList(inner, levels - 1)), own);
}
