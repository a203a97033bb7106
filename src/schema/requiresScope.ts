import type { GraphQLField } from "graphql";
import { Extensions } from "type-graphql";
import type { Scope } from "./scopes.js";

/** What a field asks of whoever asks for it. */
export interface ScopeRequirement {
  /** Null where whoever has come as far as the field may have it, or where the field itself finds out. */
  readonly scope: Scope | null;
  /** Where the arguments name the account that it is about: the argument, and the field of its input. */
  readonly accountIn?: readonly string[] | undefined;
}

declare module "graphql" {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    readonly need?: ScopeRequirement;
  }
}

const extension = (need: ScopeRequirement): MethodDecorator => Extensions({ need });

/**
 * Declares the scope that a field needs: every field with a resolver of its own declares it, and the graph is not built
 * where one does not. On a root field `accountIn` says which argument names the account; without it such a field answers
 * for all accounts for which the scope is granted. Any other field is about the account that its parent belongs to.
 */
export const RequiresScope = (scope: Scope, ...accountIn: readonly string[]): MethodDecorator =>
  extension({ scope, accountIn: accountIn.length === 0 ? undefined : accountIn });

/** Declares that a field asks for nothing more than its parent did. */
export const InheritsScope = (): MethodDecorator => extension({ scope: null });

/** What a field of the graph has declared. */
export const scopeRequirementOf = ({
  extensions,
}: Pick<GraphQLField<unknown, unknown>, "extensions">): ScopeRequirement | undefined => extensions.need;
