import type { GraphQLResolveInfo, GraphQLScalarType } from "graphql";
import {
  Arg,
  Args,
  type ClassType,
  Extensions,
  FieldResolver,
  Mutation,
  Query,
  Resolver,
  type SubscribeResolverData,
  Subscription,
} from "type-graphql";
import { Cost, type FieldCost } from "../schema/cost.js";
import type { ShownBy } from "../schema/fields.js";
import type { WritePayload } from "../schema/mutations/write.js";
import { Arguments, type Fields, type FieldTable, fieldsOf } from "../schema/record.js";
import { InheritsScope, RequiresScope } from "../schema/requiresScope.js";
import type { Scope } from "../schema/scopes.js";
import type { RequestContext } from "./context.js";

/**
 * Tables of fields with resolvers. A table makes the class that type-graphql builds the fields from, with its decorators; each type is
 * written once: what a field may return, and the values of its arguments, follow from the types of the graph.
 */

/** A type of the graph, or a list of it. */
type GraphType = object | readonly [object];
/** What a field of this type returns. Resolved fields of objects are not in what their parents return. */
type Returned<G> = G extends readonly [infer Item] ? Iterable<Single<Item> | Error> : Single<G>;
/** Of a union: any object, which names its type. */
type Single<G> =
  G extends GraphQLScalarType<infer Scalar, unknown>
    ? Scalar
    : G extends abstract new () => infer Shown
      ? Omit<Shown, "account" | "id">
      : [ShownBy<G>] extends [never]
        ? object
        : ShownBy<G>;

/** The arguments of a field: a table, or a class that has them. */
type ArgumentSet = FieldTable | (new () => object);
/** Their values. */
type Asked<A> = A extends new () => infer Values ? Values : A extends FieldTable ? Fields<A> : never;

/** What a field declares besides its type. */
interface Declaration<A extends ArgumentSet> {
  /** Its meaning, unit and source. */
  readonly description: string;
  /** Default: true, and for a list also its rows, because what is read can fail alone. */
  readonly nullable?: boolean | "items" | "itemsAndList";
  readonly cost?: FieldCost;
  readonly args?: A;
  /**
   * The argument that names the account that the field is about, in place of its parent's. A root field without it answers for all
   * accounts that the client may read.
   */
  readonly accountIn?: (keyof Asked<A> & string) | undefined;
}

/** What a field answers. `N` is null for a field that says when it is null, and otherwise never. */
type Answer<G, N> = Returned<G> | N | Promise<Returned<G> | N>;

interface ResolvedField<G, N, A extends ArgumentSet, P> extends Declaration<A> {
  readonly resolve: (parent: P, context: RequestContext, args: Asked<A>, info: GraphQLResolveInfo) => Answer<G, N>;
}

interface RootField<G, N, A extends ArgumentSet> extends Declaration<A> {
  readonly resolve: (context: RequestContext, args: Asked<A>) => Answer<G, N>;
}

type Resolve = (source: unknown, args: unknown, context: RequestContext, info: GraphQLResolveInfo) => unknown;
/** Declares a field with this name. */
export type GraphField = (prototype: object, name: string) => void;

/** Fields that require this scope; null: that of their parent is enough. */
const fieldsIn = (scope: Scope | null) => {
  const declares =
    <N>(answersNull: boolean) =>
    <G extends GraphType, P, A extends ArgumentSet = Record<never, never>>(
      type: G,
      field: ResolvedField<G, N, A, P>,
    ): GraphField =>
    (prototype, name) => {
      const { resolve } = field;
      const called = (source: P, args: Asked<A>, context: RequestContext, info: GraphQLResolveInfo) =>
        resolve(source, context, args, info);
      declare(prototype, name, { ...field, scope, answersNull }, called as Resolve);
      FieldResolver(() => type, optionsOf(type, field))(prototype, name, {});
    };
  return Object.assign(declares<never>(false), { orNull: declares<null>(true) });
};

export const field = fieldsIn(null);
export const accountField = fieldsIn("read:account");
export const marketField = fieldsIn("read:market");

const queries =
  <N>(answersNull: boolean) =>
  <G extends GraphType, A extends ArgumentSet = Record<never, never>>(
    scope: Scope | null,
    type: G,
    field: RootField<G, N, A>,
  ): GraphField =>
  (prototype, name) => {
    const { resolve } = field;
    const called = (_source: unknown, args: Asked<A>, context: RequestContext) => resolve(context, args);
    declare(prototype, name, { ...field, scope, answersNull }, called as Resolve);
    Query(() => type, optionsOf(type, field))(prototype, name, {});
  };
/** A query. */
export const query = Object.assign(queries<never>(false), { orNull: queries<null>(true) });

/** A mutation of the account that its input names. `audits`: the fields of the input that the audit records besides it. */
export const mutation =
  <I extends object, G extends object>(
    scope: Scope,
    type: ClassType<G>,
    field: Pick<Declaration<never>, "description" | "cost"> & {
      readonly input: ClassType<I>;
      /** Description of the input. */
      readonly says: string;
      readonly audits: readonly (keyof I & string)[];
      readonly resolve: (context: RequestContext, input: I) => Promise<Payload<G>>;
    },
  ): GraphField =>
  (prototype, name) => {
    const { description, cost, input, says, audits, resolve } = field;
    const called = (_source: unknown, args: { readonly input: I }, context: RequestContext) => resolve(context, args.input);
    Object.defineProperty(prototype, name, { value: called });
    RequiresScope(scope, "input", "account")(prototype, name, {});
    if (cost !== undefined) Cost(cost)(prototype, name);
    Extensions({ subject: audits })(prototype, name);
    Arg("input", () => input, { description: says })(prototype, name, 0);
    Mutation(() => type, { description })(prototype, name, {});
  };
/** A payload as it is returned, without its resolved fields. */
type Payload<G> = Partial<G> & WritePayload;

/** A subscription: `subscribe` starts its stream, `resolve` turns an event of it into the type. */
export const subscription =
  <G extends object, E, A extends ArgumentSet>(
    scope: Scope,
    type: ClassType<G>,
    field: Omit<Declaration<A>, "nullable"> & {
      readonly args: A;
      readonly subscribe: (data: SubscribeResolverData<never, Asked<A>, RequestContext>) => AsyncIterable<never>;
      readonly resolve: (context: RequestContext, event: E, args: Asked<A>) => { readonly [N in keyof G]: G[N] | Promise<G[N]> };
    },
  ): GraphField =>
  (prototype, name) => {
    const { description, subscribe, resolve } = field;
    const called = (event: E, args: Asked<A>, context: RequestContext) => resolve(context, event, args);
    declare(prototype, name, { ...field, scope }, called as Resolve);
    Subscription(() => type, { description, subscribe: subscribe as never })(prototype, name, {});
  };

/** Declares what fields of all kinds have: scope, cost and arguments. */
function declare(
  prototype: object,
  name: string,
  field: Omit<Declaration<ArgumentSet>, "accountIn"> & {
    readonly accountIn?: string | undefined;
    readonly scope: Scope | null;
    readonly answersNull?: boolean;
  },
  resolve: Resolve,
): void {
  const { scope, accountIn, answersNull = false, cost, args } = field;
  Object.defineProperty(prototype, name, { value: resolve });
  const need = scope === null ? InheritsScope() : RequiresScope(scope, ...(accountIn === undefined ? [] : [accountIn]));
  need(prototype, name, {});
  if (answersNull) Extensions({ answersNull })(prototype, name);
  if (cost !== undefined) Cost(cost)(prototype, name);
  if (args === undefined) return;
  const Asked = class extends (typeof args === "function" ? args : fieldsOf(args)) {};
  Arguments()(Asked);
  Args(() => Asked)(prototype, name, 0);
}

declare module "graphql" {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** The resolver answers null where the description says so, without an error. */
    readonly answersNull?: boolean;
  }
}

const optionsOf = (
  type: GraphType,
  { description, nullable = Array.isArray(type) ? "itemsAndList" : true }: Pick<Declaration<never>, "description" | "nullable">,
) => ({ description, nullable });

/** The class of these fields, for the list of resolvers. `owner` is their type; the fields of no type are root fields. */
export function resolversOf(owner: ClassType<object> | null, fields: Readonly<Record<string, GraphField>>): ClassType<object> {
  const Resolvers = class {};
  for (const [name, declareField] of Object.entries(fields)) declareField(Resolvers.prototype, name);
  if (owner === null) Resolver()(Resolvers);
  else Resolver(() => owner)(Resolvers);
  return Resolvers;
}
