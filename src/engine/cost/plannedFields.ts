import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
} from "graphql";
import { costOf } from "../../schema/cost.js";
import { argumentsOf, type InclusionCondition, type PlannedField } from "./costSum.js";
import type { introspectionCost } from "./introspection.js";

/** Costs and types that plans are made of. */
export interface CostModel {
  readonly schema: GraphQLSchema;
  readonly introspection: ReturnType<typeof introspectionCost>;
}

/** Finds the fields of an operation that cost something. Fragments are expanded; the document limits bound the result. */
export class Planner {
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
      return { ...NOTHING, coordinate: `${parent.name}.${name}`, fixedNodes: this.model.introspection(node, this.fragments) };
    const field = "getFields" in parent ? parent.getFields()[name] : undefined;
    if (field === undefined) return undefined;
    const cost = costOf(field);
    const type = getNamedType(field.type);
    if (cost === undefined && !isCompositeType(type)) return undefined;
    const coordinate = `${parent.name}.${name}`;
    const leaf = {
      ...NOTHING,
      coordinate,
      args: argumentsOf(field, node),
      cost,
      parent: isObjectType(parent) ? parent.name : undefined,
    };
    if (!isCompositeType(type)) return leaf;
    return {
      ...leaf,
      shape: shapeOf(parent, field),
      isConnection: isObjectType(type) && "edges" in type.getFields() && "pageInfo" in type.getFields(),
      isAccount: type.name === "Account",
      below: node.selectionSet === undefined ? [] : this.fieldsOf(type, node.selectionSet),
    };
  }
}

const NOTHING: PlannedField = {
  coordinate: "",
  cost: undefined,
  args: () => ({}),
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

/** The value with which a directive excludes its selection. */
const LEAVING_OUT: ReadonlyMap<string, boolean> = new Map([
  [GraphQLSkipDirective.name, true],
  [GraphQLIncludeDirective.name, false],
]);

/** The conditions of a selection. A condition that is not a Boolean excludes nothing: the operation will not be executed. */
const conditionsOf = ({ directives = [] }: SelectionNode): readonly InclusionCondition[] =>
  directives.flatMap(({ name, arguments: nodes = [] }): readonly InclusionCondition[] => {
    const value = nodes.find((argument) => argument.name.value === "if")?.value;
    const leavingOut = LEAVING_OUT.get(name.value);
    if (leavingOut === undefined || value === undefined) return [];
    if (value.kind === Kind.BOOLEAN) return [() => value.value === leavingOut];
    if (value.kind !== Kind.VARIABLE) return [];
    const variable = value.name.value;
    return [(variables) => Object.hasOwn(variables, variable) && variables[variable] === leavingOut];
  });
