import { type GraphQLField, type GraphQLFieldResolver, type GraphQLObjectType, type GraphQLSchema, isObjectType } from "graphql";
import type { DataSource, ExchangeAccount } from "../datasources/index.js";
import { type ScopeRequirement, scopeRequirementOf } from "../schema/requiresScope.js";
import { isAccountBound, type Scope } from "../schema/scopes.js";
import { demand } from "./access/principal.js";
import type { RequestContext } from "./context.js";

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;
type Field = GraphQLField<unknown, RequestContext>;

/**
 * Adds the declared requirement of each field to its resolver and its description. It changes the schema itself, so it applies to
 * every execution. Throws if a field with a resolver has no declaration.
 */
export function guardFields(graph: GraphQLSchema): void {
  const roots = [graph.getQueryType(), graph.getMutationType(), graph.getSubscriptionType()];
  const undeclared: string[] = [];
  for (const type of Object.values(graph.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.resolve === undefined) continue;
      const need = scopeRequirementOf(field);
      if (need === undefined || (type === roots[1] && need.accountIn === undefined))
        undeclared.push(`${type.name}.${field.name}`);
      else if (need.scope !== null) guard(field, need.scope, need, type, roots.includes(type));
    }
  }
  if (undeclared.length > 0) throw new Error(`these fields do not say which scope they need: ${undeclared.join(", ")}`);
}

function guard(field: Field, scope: Scope, { accountIn }: ScopeRequirement, type: GraphQLObjectType, isRoot: boolean): void {
  field.description = `${field.description ?? ""}. Scope: \`${scope}\``;
  const isWrite = type.name === "Mutation";
  const check = checkOf(scope, { accountIn, isWrite }, `${type.name}.${field.name}`, isRoot);
  const guarded =
    (resolve: Resolve): Resolve =>
    (source, args, context, info) => {
      check(source, args, context);
      return resolve(source, args, context, info);
    };
  // Events are not checked again; the subscription was.
  if (field.subscribe !== undefined) field.subscribe = guarded(field.subscribe);
  else if (field.resolve !== undefined) field.resolve = guarded(field.resolve);
}

/** A requirement, and whether it is that of a mutation. */
type Requirement = Pick<ScopeRequirement, "accountIn"> & { readonly isWrite: boolean };
type Check = (source: unknown, args: Readonly<Record<string, unknown>>, context: RequestContext) => void;

/** The account of a write that names none, if the client sees exactly one. */
export const onlyAccount = ({ accounts: [one, ...others] }: Pick<DataSource, "accounts">): ExchangeAccount | undefined =>
  others.length === 0 ? one : undefined;

function checkOf(scope: Scope, { accountIn, isWrite }: Requirement, place: string, isRoot: boolean): Check {
  if (!isAccountBound(scope) || (isRoot && accountIn === undefined))
    return (_source, _args, { principal }) => demand(principal, scope);
  if (accountIn !== undefined)
    return (_source, args, { principal, exchange }) => {
      const name = accountIn.reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), args);
      // A write that does not say which of several accounts it is about is refused by the mutation.
      if (isWrite && typeof name !== "string" && onlyAccount(exchange) === undefined) {
        demand(principal, scope);
        return;
      }
      // The argument `accounts` replaces `account`.
      const names: readonly unknown[] = Array.isArray(args.accounts) ? args.accounts : [name];
      // An account that does not exist needs no protection: the field reports that there is none.
      for (const one of names) demand(principal, scope, exchange.account(typeof one === "string" ? one : null)?.name);
    };
  return (source, _args, { principal }) => demand(principal, scope, ownerOf(source, place));
}

/** The name of the account that a record belongs to; undefined for a write that has found no account. */
function ownerOf(source: unknown, place: string): string | undefined {
  if (!isRecord(source)) throw new Error(`${place} has no parent`);
  const account = "credentials" in source ? source : source.account;
  if (account === undefined && "account" in source) return undefined;
  if (isRecord(account) && typeof account.name === "string") return account.name;
  throw new Error(`${place} does not say which account it is about`);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;
