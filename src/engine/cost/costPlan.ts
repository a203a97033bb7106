import { type DocumentNode, type OperationDefinitionNode, OperationTypeNode, valueFromASTUntyped } from "graphql";
import type { Outlook } from "../../schema/cost.js";
import { fragmentsOf } from "../documents/fragments.js";
import { type Cost, CostSum, counted } from "./costSum.js";
import type { Variables } from "./fieldArguments.js";
import { type CostModel, type PlannedField, Planner } from "./plannedFields.js";

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
  estimate(variables: Variables, outlook: Outlook, shares?: Map<string, Cost>): Cost {
    const given = { ...this.#defaults, ...variables };
    // The fields of a mutation run one after the other and share no reads.
    const alone = this.operation.operation === OperationTypeNode.MUTATION;
    const costs = (alone ? this.#fields.map((field) => [field]) : [this.#fields]).map((together) => {
      const sum = new CostSum(given, outlook, shares);
      for (const field of together) sum.add(field);
      return sum.total;
    });
    return {
      upstreamCalls: counted(costs.reduce((sum, { upstreamCalls }) => sum + upstreamCalls, 0)),
      nodes: counted(costs.reduce((sum, { nodes }) => sum + nodes, 1)),
    };
  }
}

const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Variables =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  );
