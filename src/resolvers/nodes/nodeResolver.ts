import type { GraphQLResolveInfo } from "graphql";
import { Arg, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from "type-graphql";
import { badInput } from "../../datasources/index.js";
import { Cost } from "../../schema/cost.js";
import { Node, type NodeRecord } from "../../schema/node.js";
import { InheritsScope } from "../../schema/requiresScope.js";
import { demand } from "../access/principal.js";
import type { RequestContext } from "../context.js";
import { accountOf } from "./accountKey.js";
import { readGlobalId, unknownId } from "./globalId.js";
import { lookup } from "./lookupCost.js";
import { globalIdOf, NODE_TYPES } from "./nodeTypes.js";

/** Each may cost a call. */
const MAX_IDS = 100;

async function find(context: RequestContext, argument: string, id: string): Promise<NodeRecord | null> {
  const { principal, exchange } = context;
  const { typeName, keys } = readGlobalId(argument, id);
  const nodeType = NODE_TYPES.get(typeName);
  if (nodeType === undefined) throw unknownId(argument);
  const { ownerOf, scope } = nodeType;
  demand(principal, scope);
  const [accountKey, ...own] = keys;
  const lookup = ownerOf === undefined || typeof accountKey === "string" ? nodeType.lookup(ownerOf ? own : keys) : undefined;
  if (lookup === undefined) throw unknownId(argument);
  const account = ownerOf && typeof accountKey === "string" ? await accountOf(exchange, accountKey) : undefined;
  if (account !== undefined) demand(principal, scope, account.name);
  const record = await lookup(context, account);
  return record === null ? null : { ...record, __typename: typeName };
}

@Resolver(() => Node)
export class NodeResolver {
  @InheritsScope()
  @FieldResolver()
  id(
    @Root() record: object,
    @Ctx() { exchange }: RequestContext,
    @Info() { parentType }: GraphQLResolveInfo,
  ): string | Promise<string> {
    return globalIdOf(exchange, parentType.name, record);
  }

  @InheritsScope()
  @Cost(lookup("id"))
  @Query(() => Node, {
    nullable: true,
    description:
      "The object with a global identifier; null if the exchange no longer lists it. Scope: that of the object, `read:market` or `read:account`",
  })
  node(
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "A global identifier of this graph" }) id: string,
  ): Promise<NodeRecord | null> {
    return find(context, "id", id);
  }

  @InheritsScope()
  @Cost(lookup("ids"))
  @Query(() => [Node], {
    nullable: "items",
    description: `Objects with global identifiers, in the requested order, at most ${MAX_IDS}; null for one that the exchange no longer lists. Scope: as \`node\``,
  })
  nodes(
    @Ctx() context: RequestContext,
    @Arg("ids", () => [ID], { description: "Global identifiers of this graph" }) ids: readonly string[],
  ): readonly Promise<NodeRecord | null>[] {
    if (ids.length > MAX_IDS) throw badInput([{ argument: "ids", rule: `must not have more than ${MAX_IDS} entries` }]);
    return ids.map((id) => find(context, "ids", id));
  }
}
