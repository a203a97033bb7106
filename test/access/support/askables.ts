import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";
import { scopeRequirementOf } from "../../../src/schema/requiresScope.js";
import type { Scope } from "../../../src/schema/scopes.js";

/** Something that can be asked of the graph, with all that its declarations say of it. */
export interface Askable {
  /** As `Account.earn.savings.totals`. */
  readonly name: string;
  readonly kind: "query" | "mutation" | "subscription";
  /** Names the account in the variable `account`, where it is about one. */
  readonly document: string;
  /** Every scope on the way there, in the order in which they are asked for. */
  readonly scopes: readonly Scope[];
  readonly isAboutAccount: boolean;
}

type Field = GraphQLField<unknown, unknown>;

/**
 * Every root field of the graph, and behind the root fields everything that can be reached without reading a record
 * first: the fields of an account, and of the parts that it is made of.
 */
export function askablesOf(graph: GraphQLSchema): readonly Askable[] {
  const roots = [
    ["query", graph.getQueryType()],
    ["mutation", graph.getMutationType()],
    ["subscription", graph.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([kind, type]) =>
    fieldsOf(type).flatMap((field) => {
      const accountIn = scopeRequirementOf(field)?.accountIn;
      const steps = [{ field, text: `${field.name}${argumentsOf(field, accountIn)}` }];
      const askable = (path: Steps): Askable => ({
        name: [type?.name, ...path.map((step) => step.field.name)].join("."),
        kind,
        document: `${kind}${accountIn === undefined ? "" : "($account: String)"} ${nested(path)}`,
        scopes: [...new Set(path.flatMap((step) => scopeRequirementOf(step.field)?.scope ?? []))],
        isAboutAccount: accountIn !== undefined,
      });
      return [askable(steps), ...(kind === "query" && accountIn !== undefined ? within(steps).map(askable) : [])];
    }),
  );
}

type Steps = readonly { readonly field: Field; readonly text: string }[];

function within(path: Steps): readonly Steps[] {
  const last = path.at(-1);
  const type = last && getNamedType(last.field.type);
  if (!isObjectType(type)) return [];
  return fieldsOf(type).flatMap((field) => {
    if (field.resolve === undefined) return [];
    const steps = [...path, { field, text: `${field.name}${argumentsOf(field, undefined)}` }];
    // What is always there has not been read from anywhere.
    return [steps, ...(isNonNullType(field.type) && isObjectType(field.type.ofType) && !isPaged(field) ? within(steps) : [])];
  });
}

const isPaged = ({ args }: Field): boolean => args.some(({ name }) => name === "first");

const fieldsOf = (type: GraphQLObjectType | null | undefined): readonly Field[] => Object.values(type?.getFields() ?? {});

const nested = (path: Steps): string => {
  const last = path.at(-1);
  const inner = last === undefined || isLeafType(getNamedType(last.field.type)) ? "" : " { __typename }";
  return `${path.map(({ text }) => `{ ${text}`).join(" ")}${inner}${" }".repeat(path.length)}`;
};

function argumentsOf({ args }: Field, accountIn: readonly string[] | undefined): string {
  const given = args.flatMap((argument) => {
    const [first, ...rest] = accountIn ?? [];
    if (argument.name === first) return [`${argument.name}: ${valueOf(argument.type, rest)}`];
    return isRequiredArgument(argument) ? [`${argument.name}: ${valueOf(argument.type)}`] : [];
  });
  return given.length === 0 ? "" : `(${given.join(", ")})`;
}

/** Any value of a type; `accountIn` leads to the place in it where the account is named, itself if there is no more to go. */
function valueOf(type: GraphQLInputType, accountIn?: readonly string[]): string {
  if (accountIn?.length === 0) return "$account";
  if (isNonNullType(type)) return valueOf(type.ofType, accountIn);
  if (isListType(type)) return `[${valueOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? "";
  if (!isInputObjectType(type)) return LEAVES[type.name] ?? '"1"';
  const [first, ...rest] = accountIn ?? [];
  const fields = Object.values(type.getFields()).flatMap((field) => {
    if (field.name === first) return [`${field.name}: ${valueOf(field.type, rest)}`];
    return isRequiredInputField(field) ? [`${field.name}: ${valueOf(field.type)}`] : [];
  });
  return `{ ${fields.join(", ")} }`;
}

const LEAVES: Readonly<Record<string, string>> = { Int: "1", Boolean: "true", DateTime: '"2028-05-31T00:00:00.000Z"' };
