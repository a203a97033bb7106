import { GraphQLIncludeDirective, GraphQLSkipDirective, Kind, type SelectionNode } from "graphql";
import type { Variables } from "./askedArguments.js";

/** One `@skip` or `@include`. */
export interface Condition {
  /** Is what it stands at certainly not part of the answer? */
  leavesOut(variables: Variables): boolean;
}

/** The value with which a directive leaves out what it stands at. */
const LEAVING_OUT: ReadonlyMap<string, boolean> = new Map([
  [GraphQLSkipDirective.name, true],
  [GraphQLIncludeDirective.name, false],
]);

/** What may leave a selection out. A value that is no Boolean leaves nothing out: nothing will run with it. */
export const conditionsOf = ({ directives = [] }: SelectionNode): readonly Condition[] =>
  directives.flatMap(({ name, arguments: given = [] }): readonly Condition[] => {
    const value = given.find((argument) => argument.name.value === "if")?.value;
    const leavingOut = LEAVING_OUT.get(name.value);
    if (leavingOut === undefined || value === undefined) return [];
    if (value.kind === Kind.BOOLEAN) return [{ leavesOut: () => value.value === leavingOut }];
    if (value.kind !== Kind.VARIABLE) return [];
    const variable = value.name.value;
    const leavesOut = (variables: Variables) => Object.hasOwn(variables, variable) && variables[variable] === leavingOut;
    return [{ leavesOut }];
  });
