import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { type FieldNode, type GraphQLField, valueFromASTUntyped } from "graphql";
import {
  type AccountList,
  type Amount,
  type ArgumentValues,
  type CostContext,
  type EstimateState,
  type FieldCost,
  type Found,
  listedUnder,
  MARKET_LISTS,
  type MarketList,
  type PricedAccount,
} from "../../schema/cost.js";
import { categoryNamed } from "../../schema/enums/category.js";
import { hasVariables } from "../documents/nodes.js";

/** The variables of a request with their defaults. */
export type Variables = Readonly<Record<string, unknown>>;

/** The arguments of a field, as a function of the variables if they contain any. */
export type FieldArguments = (variables: Variables) => ArgumentValues;

/**
 * Reads the arguments of a field without validation: an operation with a wrong argument is not executed, so its cost does not
 * matter.
 */
export function argumentsOf({ args }: GraphQLField<unknown, unknown>, { arguments: nodes = [] }: FieldNode): FieldArguments {
  const defaults = args.flatMap(({ name, defaultValue }) => (defaultValue === undefined ? [] : [[name, defaultValue] as const]));
  const read = (variables: Variables): ArgumentValues => {
    const values: Record<string, unknown> = Object.fromEntries(defaults);
    for (const { name, value } of nodes) {
      const given = valueFromASTUntyped(value, variables);
      if (given !== undefined) values[name.value] = given;
    }
    return values;
  };
  if (nodes.some(({ value }) => hasVariables(value))) return read;
  const constant = read({});
  return () => constant;
}

/** Whether one `@skip` or `@include` certainly excludes its selection. */
export type InclusionCondition = (variables: Variables) => boolean;

/** A field with a cost, or with fields below it that have one. */
export interface PlannedField {
  /** Its coordinate, `Account.positions`. */
  readonly coordinate: string;
  readonly cost: FieldCost | undefined;
  readonly args: FieldArguments;
  /** Number of its objects per parent object. */
  readonly shape: "leaf" | "object" | "list" | "rowsOfConnection";
  readonly isConnection: boolean;
  readonly isAccount: boolean;
  readonly below: readonly PlannedField[];
  /** The object type of the parent; undefined if there are several. */
  readonly parent: string | undefined;
  /** Objects independent of variables: those of introspection. */
  readonly fixedNodes: number;
  /** The `@skip` and `@include` conditions of the field and of the fragments around it. */
  readonly conditions: readonly InclusionCondition[];
}

/** Cost of an operation: calls to the exchange, and objects in its answer. */
export interface Cost {
  readonly upstreamCalls: number;
  readonly nodes: number;
}

/** The part of an operation's cost that a field has, by its coordinate. */
export interface FieldShare extends Cost {
  readonly field: string;
}

/** Context of a selection: the number of parents, the number of distinct ones, and the rows of the enclosing connection. */
interface Level extends CostContext {
  readonly parents: number;
  readonly distinct: number;
  readonly rows: number;
  /** Accounts of the parents, all in one mode; undefined if they belong to none or to any account. */
  readonly accounts: readonly PricedAccount[] | undefined;
}

/** Rows of a list without declared `rows`. */
const UNDECLARED_ROWS = 100;

/** A cost that is not a valid number would pass every comparison with a limit, so it counts as larger than any limit. */
export const counted = (amount: number): number => (Number.isFinite(amount) && amount >= 0 ? amount : Number.MAX_SAFE_INTEGER);

/** The mode that all of these accounts share, if it is known. */
const modeOf = (accounts: readonly PricedAccount[]): PricedAccount["mode"] => {
  const [first] = accounts;
  return accounts.every(({ mode }) => mode === first?.mode) ? first?.mode : undefined;
};

/** Merges objects that differ in their accounts only. */
function grouped(found: readonly Found[]): readonly Found[] {
  if (found.length < 2) return found;
  const groups = new Map<string, Found>();
  for (const one of found) {
    const key = JSON.stringify([one.type, one.category, one.accounts && (modeOf(one.accounts) ?? null)]);
    const existing = groups.get(key);
    const accounts = existing?.accounts && one.accounts ? [...new Set([...existing.accounts, ...one.accounts])] : one.accounts;
    groups.set(key, existing === undefined ? one : { ...one, count: existing.count + one.count, ...(accounts && { accounts }) });
  }
  return [...groups.values()];
}

const THE_ONE: PricedAccount = { name: "", mode: undefined };

/** Sums the costs of fields that share their reads. */
export class CostSum {
  #calls = 0;
  #nodes = 0;
  /** Accounts whose mode has to be read. */
  readonly #modes = new Set<string>();
  /** Lists that are read: market lists by category, account lists by account and category. */
  readonly #lists = new Set<string>();
  readonly #root: Level;

  constructor(
    private readonly variables: Variables,
    private readonly outlook: EstimateState,
    /** Filled with the share of each coordinate. */
    private readonly shares?: Map<string, Cost>,
  ) {
    const nothing = { mode: undefined, category: undefined, parent: {}, accounts: undefined };
    this.#root = { outlook, parents: 1, distinct: 1, rows: 0, ...nothing };
  }

  get total(): Cost {
    return { upstreamCalls: this.#calls + this.#lists.size + this.#modes.size, nodes: this.#nodes };
  }

  /**
   * Attributes to a field what has been added since `before`. A read that several fields share is attributed to the first of them.
   */
  #share({ coordinate }: PlannedField, before: Cost | undefined): void {
    if (this.shares === undefined || before === undefined) return;
    const { upstreamCalls, nodes } = this.shares.get(coordinate) ?? { upstreamCalls: 0, nodes: 0 };
    const { total } = this;
    this.shares.set(coordinate, {
      upstreamCalls: upstreamCalls + total.upstreamCalls - before.upstreamCalls,
      nodes: nodes + total.nodes - before.nodes,
    });
  }

  add(field: PlannedField, level: Level = this.#root): void {
    const { cost, shape, fixedNodes, conditions } = field;
    if (conditions.some((leavesOut) => leavesOut(this.variables))) return;
    const args = field.args(this.variables);
    const before = this.shares && this.total;
    if (cost?.calls !== undefined || cost?.accountLists !== undefined) this.#findModes(level);
    if (cost?.refused?.(args, level)) return;
    if (cost !== undefined) this.#read(cost, args, level);
    this.#nodes += level.parents * fixedNodes;
    this.#share(field, before);
    if (shape === "leaf") return;
    const category = cost?.category ? cost.category(args, level) : (categoryNamed(args.category) ?? level.category);
    const found = cost?.finds && grouped(cost.finds(args, this.outlook));
    if (found === undefined) this.#addBelow(field, args, this.#inside(field, args, level, category));
    else
      for (const one of found) {
        const { count, type, accounts, category } = one;
        const [parents, distinct] = [level.parents * count, level.distinct * count];
        const many = { ...level, parents, distinct, rows: 0, category };
        this.#addBelow(field, args, accounts === undefined ? many : { ...many, accounts, mode: modeOf(accounts) }, type);
      }
  }

  /** The context of a field's own selection, from its declaration. */
  #inside(
    { cost, shape, isConnection, isAccount }: PlannedField,
    args: ArgumentValues,
    level: Level,
    category: string | undefined,
  ): Level {
    const declared = this.#amount(cost?.rows ?? UNDECLARED_ROWS, args, level);
    const each = shape === "object" ? 1 : shape === "list" ? declared : level.rows;
    const inside = {
      ...level,
      parents: level.parents * each,
      distinct: level.distinct * each,
      rows: isConnection ? declared : 0,
      category,
    };
    if (!isAccount) return inside;
    const accounts = level.accounts ?? this.outlook.accounts();
    return {
      ...inside,
      distinct: Math.min(inside.distinct, accounts.length),
      accounts,
      mode: modeOf(accounts),
      category: undefined,
    };
  }

  #addBelow(above: PlannedField, parent: ArgumentValues, level: Level, type?: string): void {
    const before = this.shares && this.total;
    this.#nodes += level.parents;
    this.#share(above, before);
    if (level.parents === 0) return;
    for (const field of above.below)
      if (type === undefined || field.parent === undefined || field.parent === type) this.add(field, { ...level, parent });
  }

  #read(cost: FieldCost, args: ArgumentValues, level: Level): void {
    const { parents, distinct, accounts } = level;
    const owners = (accounts ?? this.outlook.accounts()).length;
    const readers = cost.neverShared ? parents : cost.perAccount ? Math.min(distinct, owners) : distinct;
    const most = cost.mostPerAccount === undefined ? Number.POSITIVE_INFINITY : cost.mostPerAccount * owners;
    this.#calls += Math.min(readers * this.#amount(cost.calls ?? 0, args, level), most);
    const lists = typeof cost.lists === "function" ? cost.lists(args, level) : cost.lists;
    if (lists !== undefined) for (const list of MARKET_LISTS) this.#readList(list, lists[list] ?? []);
    for (const list of cost.accountLists?.(args, level) ?? []) this.#readAccountList(list, level);
  }

  /** Objects without an enclosing account, events and payloads, belong to one account. */
  #readAccountList({ page, isOfAll = false }: AccountList, { accounts = [THE_ONE], category }: Level): void {
    const categories = category === undefined ? FUTURES_CATEGORIES : [category];
    for (const { name } of accounts) for (const one of isOfAll ? ["all"] : categories) this.#lists.add(`${page} ${name} ${one}`);
  }

  /** Every read of an account needs its mode first. */
  #findModes({ accounts = [] }: Level): void {
    for (const { name, mode } of accounts) if (mode === undefined) this.#modes.add(name);
  }

  /** Each category of a list is one call, unless its answer is cached. */
  #readList(list: MarketList, categories: readonly (string | undefined)[]): void {
    for (const category of categories.flatMap((one) => listedUnder(list, one)))
      if (this.outlook.kept(list, category) === undefined) this.#lists.add(`${list} ${category}`);
  }

  #amount(amount: Amount, args: ArgumentValues, level: Level): number {
    return counted(typeof amount === "function" ? amount(args, level) : amount);
  }
}
