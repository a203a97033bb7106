import type { GraphQLResolveInfo } from "graphql";
import { Arg, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from "type-graphql";
import { badInput } from "../../datasources/index.js";
import {
  callsAtMost,
  closedPositionPages,
  fillPages,
  financialRecordPages,
  fundingAccountRecordPages,
  MAX_FIRST,
  orderCalls,
  planOrderHistoryPages,
  planOrderPages,
  sharkFinHoldings,
  subOrderPages,
  transferPages,
  transfersOfSubAccounts,
} from "../../datasources/reads/index.js";
import {
  type ArgumentValues,
  Cost,
  type EstimateState,
  type FieldCost,
  type Found,
  type MarketList,
  type PricedAccount,
} from "../../schema/cost.js";
import { Node, type NodeRecord } from "../../schema/node.js";
import { InheritsScope } from "../../schema/requiresScope.js";
import { demand } from "../access/principal.js";
import type { RequestContext } from "../context.js";
import { accountIn, accountOf, isByUser, type Key, readGlobalId, unknownId } from "./globalId.js";
import { globalIdOf, NODE_TYPES } from "./nodeTypes.js";

interface Wanted {
  readonly type: string;
  readonly keys: readonly Key[];
}

/** The objects of identifiers. An invalid identifier is refused, and costs nothing. */
const wantedBy = (argument: string, ids: unknown): readonly Wanted[] =>
  (Array.isArray(ids) ? ids : [ids]).flatMap((id: unknown) => {
    if (typeof id !== "string") return [];
    try {
      const { typeName, keys } = readGlobalId(argument, id);
      return NODE_TYPES.has(typeName) ? [{ type: typeName, keys }] : [];
    } catch {
      return [];
    }
  });

/** Lists in which objects of the market are found, by type. */
const MARKET_LOOKUPS: ReadonlyMap<string, readonly MarketList[]> = new Map([
  ["Coin", ["chains"]],
  ["Instrument", ["instruments"]],
  ["MarginPair", ["marginPairs"]],
  ["SpotSymbol", ["spotSymbols"]],
  ["Ticker", ["tickers", "instruments"]],
]);

/** Types of an account whose objects are found without a call. */
const FREE: ReadonlySet<string> = new Set(["Account"]);

/** A trade is looked up among the latest ones of its symbol. */
const TRADE = "Trade";

/** The account of an object; one of unknown mode if its user may have several accounts. */
function pricedAccountOf({ type, keys: [key] }: Wanted, outlook: EstimateState): PricedAccount | undefined {
  if (MARKET_LOOKUPS.has(type) || type === TRADE || typeof key !== "string") return undefined;
  const accounts = outlook.accounts();
  const unread = isByUser(key) ? accounts.filter(({ user }) => user === undefined) : [];
  return accountIn(key, accounts) ?? (unread.length > 1 ? { name: "", mode: undefined } : unread[0]);
}

const categoryOf = ({ type, keys: [first, second] }: Wanted): string | undefined => {
  const category = MARKET_LOOKUPS.has(type) ? first : second;
  if (type === "SpotSymbol" || type === "Coin") return "SPOT";
  return type === "MarginPair" ? "MARGIN" : typeof category === "string" ? category : undefined;
};

const moment = (time: Key | undefined) => (typeof time === "number" ? { from: time, to: time } : {});

/** Calls to find an object, once the account's mode is known. */
function callsOf(wanted: Wanted, { mode }: PricedAccount, now: number): number {
  const category = categoryOf(wanted);
  const whole = { first: MAX_FIRST, hasCursor: false, category };
  const planCalls = (mode: PricedAccount["mode"]) =>
    callsAtMost(planOrderPages, whole, mode, now) + callsAtMost(planOrderHistoryPages, whole, mode, now);
  switch (wanted.type) {
    case "Fill":
      return Math.max(...[undefined, "any"].map((orderId) => callsAtMost(fillPages, { ...whole, orderId }, mode, now)));
    case "HistoricalPosition":
      return callsAtMost(closedPositionPages, whole, mode, now);
    case "Order":
      return orderCalls(mode, category);
    case "PlanOrder":
      return planCalls(mode);
    case "SubOrder":
      return callsAtMost(subOrderPages, whole, mode, now) + (mode === "UNIFIED" ? 0 : planCalls("CLASSIC"));
    case "FinancialRecord": {
      const [, , symbol, , time] = wanted.keys;
      const args = { ...whole, ...moment(time) };
      if (category === undefined) return callsAtMost(fundingAccountRecordPages, args, mode, now);
      const ofPair = typeof symbol === "string" && category === "MARGIN" ? { ...args, symbol } : undefined;
      const pages = [args, ...(ofPair === undefined ? [] : [ofPair])];
      return pages.reduce((sum, page) => sum + callsAtMost(financialRecordPages, page, mode, now), 0);
    }
    case "Transfer": {
      const [, , , from, to, time] = wanted.keys;
      const range = { ...whole, ...moment(time) };
      const isOwn = from === null && to === null;
      return isOwn
        ? callsAtMost(transferPages, { ...range, coin: "any" }, mode, now)
        : 3 * callsAtMost(transfersOfSubAccounts.pages, range, mode, now);
    }
    case "SharkFinProduct":
      return 2 * callsAtMost(sharkFinHoldings.pages, whole, mode, now);
    default: {
      const pages = NODE_TYPES.get(wanted.type)?.pages;
      return pages !== undefined ? callsAtMost(pages, whole, mode, now) : FREE.has(wanted.type) ? 0 : 1;
    }
  }
}

/** Cost of finding objects by identifiers. */
const lookup = (argument: string): FieldCost => ({
  finds: (args, outlook) =>
    wantedBy(argument, args[argument]).flatMap((wanted): readonly Found[] => {
      const account = pricedAccountOf(wanted, outlook);
      const category = categoryOf(wanted);
      if (MARKET_LOOKUPS.has(wanted.type) || wanted.type === TRADE) return [{ count: 1, type: wanted.type, category }];
      return account === undefined ? [] : [{ count: 1, type: wanted.type, accounts: [account], category }];
    }),
  calls: (args, { outlook }) =>
    wantedBy(argument, args[argument]).reduce((sum, wanted) => {
      if (wanted.type === TRADE) return sum + 1;
      const account = pricedAccountOf(wanted, outlook);
      if (account === undefined || FREE.has(wanted.type)) return sum;
      // The account's mode has to be read first if it is not known.
      return sum + (account.mode === undefined ? 1 : 0) + callsOf(wanted, account, outlook.now());
    }, 0),
  lists(args: ArgumentValues) {
    const reads: Partial<Record<MarketList, (string | undefined)[]>> = {};
    for (const wanted of wantedBy(argument, args[argument])) {
      for (const list of MARKET_LOOKUPS.get(wanted.type) ?? []) {
        reads[list] ??= [];
        reads[list].push(categoryOf(wanted));
      }
    }
    return reads;
  },
});

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
