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

/** A field that a document can request, with the properties that its declarations give. */
export interface Askable {
  /** For example `Account.earn.savings.totals`. */
  readonly name: string;
  readonly kind: "query" | "mutation" | "subscription";
  /** Takes the account from the variable `account` if the field concerns one. */
  readonly document: string;
  /** Every scope on the path to the field, in the order of the checks. */
  readonly scopes: readonly Scope[];
  readonly isAboutAccount: boolean;
}

type Field = GraphQLField<unknown, unknown>;

/**
 * Every root field of the graph, and below the root fields everything that can be reached without reading a record
 * first: the fields of an account and of its parts.
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
    // A non-null object is not read from the exchange.
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

/** Any value of a type; `accountIn` is the path to the account's name in it, empty if the value is the name. */
function valueOf(type: GraphQLInputType, accountIn?: readonly string[]): string {
  if (accountIn?.length === 0) return "$account";
  if (isNonNullType(type)) return valueOf(type.ofType, accountIn);
  if (isListType(type)) return `[${valueOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? "";
  if (!isInputObjectType(type)) return LEAVES[type.name] ?? '"1"';
  const [first, ...rest] = accountIn ?? [];
  const fields = Object.values(type.getFields()).flatMap((field) => {
    if (field.name === first) return [`${field.name}: ${valueOf(field.type, rest)}`];
    const isChosen = type.isOneOf && field === Object.values(type.getFields())[0];
    return isChosen || isRequiredInputField(field) ? [`${field.name}: ${valueOf(field.type)}`] : [];
  });
  return `{ ${fields.join(", ")} }`;
}

const LEAVES: Readonly<Record<string, string>> = { Int: "1", Boolean: "true", DateTime: '"2028-05-31T00:00:00.000Z"' };
