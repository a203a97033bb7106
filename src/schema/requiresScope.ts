import type { GraphQLField } from "graphql";
import { Extensions } from "type-graphql";
import type { Scope } from "./scopes.js";

export interface ScopeRequirement {
  /** Null if access to the parent is enough, or if the resolver checks the scope itself. */
  readonly scope: Scope | null;
  /** Path to the argument that names the account: the argument, and the field of its input. */
  readonly accountIn?: readonly string[] | undefined;
}

declare module "graphql" {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    readonly need?: ScopeRequirement;
  }
}

const extension = (need: ScopeRequirement): MethodDecorator => Extensions({ need });

/**
 * Declares the scope that a field requires. Every field with its own resolver declares it; otherwise the schema is not built. On
 * a root field `accountIn` is the argument that names the account; without it the field answers for all accounts for which the
 * scope is granted. Any other field is about its parent's account.
 */
export const RequiresScope = (scope: Scope, ...accountIn: readonly string[]): MethodDecorator =>
  extension({ scope, accountIn: accountIn.length === 0 ? undefined : accountIn });

/** Declares that a field requires nothing beyond its parent's scope. */
export const InheritsScope = (): MethodDecorator => extension({ scope: null });

export const scopeRequirementOf = ({
  extensions,
}: Pick<GraphQLField<unknown, unknown>, "extensions">): ScopeRequirement | undefined => extensions.need;
