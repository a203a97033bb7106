import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import {
  type Amount,
  type AskedArguments,
  type CostContext,
  type FieldCost,
  type Found,
  listedUnder,
  MARKET_LISTS,
  type MarketList,
  type Outlook,
  type PricedAccount,
} from "../../schema/cost.js";
import { categoryNamed } from "../../schema/enums/category.js";
import type { Variables } from "./askedArguments.js";
import type { PlannedField } from "./plannedFields.js";

/** What an operation costs: calls that leave for the exchange, and objects in its answer. */
export interface Cost {
  readonly upstreamCalls: number;
  readonly nodes: number;
}

/** Where a field is read: how many parents there are, how many of them differ, and the rows of the connection around. */
interface Level extends CostContext {
  readonly parents: number;
  readonly distinct: number;
  readonly rows: number;
  /** The accounts that the parents are of, all in one mode; nothing where they are of none, or of any. */
  readonly accounts: readonly PricedAccount[] | undefined;
}

/** Rows of a list that declares nothing. */
const UNDECLARED_ROWS = 100;

/** A cost that is no number would pass every comparison with a limit: it counts as more than any limit allows. */
export const counted = (amount: number): number => (Number.isFinite(amount) && amount >= 0 ? amount : Number.MAX_SAFE_INTEGER);

/** The mode that all of these accounts have, if it is known. */
const modeOf = (accounts: readonly PricedAccount[]): PricedAccount["mode"] => {
  const [first] = accounts;
  return accounts.every(({ mode }) => mode === first?.mode) ? first?.mode : undefined;
};

/** The same findings, those that differ in their accounts alone together. */
function grouped(found: readonly Found[]): readonly Found[] {
  if (found.length < 2) return found;
  const groups = new Map<string, Found>();
  for (const one of found) {
    const key = JSON.stringify([one.type, one.category, one.accounts && (modeOf(one.accounts) ?? null)]);
    const known = groups.get(key);
    const accounts = known?.accounts && one.accounts ? [...new Set([...known.accounts, ...one.accounts])] : one.accounts;
    groups.set(key, known === undefined ? one : { ...one, count: known.count + one.count, ...(accounts && { accounts }) });
  }
  return [...groups.values()];
}

const THE_ONE: PricedAccount = { name: "", mode: undefined };

/** Adds up what the fields of one request cost that share what they read. */
export class CostSum {
  #calls = 0;
  #nodes = 0;
  /** Accounts whose mode has to be found out. */
  readonly #modes = new Set<string>();
  /** Lists that are read: the market's by category, accounts' by account and category. */
  readonly #lists = new Set<string>();
  readonly #root: Level;

  constructor(
    private readonly variables: Variables,
    private readonly outlook: Outlook,
  ) {
    const nothing = { mode: undefined, category: undefined, parent: {}, accounts: undefined };
    this.#root = { outlook, parents: 1, distinct: 1, rows: 0, ...nothing };
  }

  get total(): Cost {
    return { upstreamCalls: this.#calls + this.#lists.size + this.#modes.size, nodes: this.#nodes };
  }

  add(field: PlannedField, level: Level = this.#root): void {
    const { cost, shape, fixedNodes, conditions } = field;
    if (conditions.some((condition) => condition.leavesOut(this.variables))) return;
    const asked = field.asked.with(this.variables);
    if (cost?.calls !== undefined || cost?.accountList !== undefined) this.#findModes(level);
    if (cost?.refused?.(asked, level)) return;
    if (cost !== undefined) this.#read(cost, asked, level);
    this.#nodes += level.parents * fixedNodes;
    if (shape === "leaf") return;
    const category = cost?.category ? cost.category(asked, level) : (categoryNamed(asked.category) ?? level.category);
    const found = cost?.finds && grouped(cost.finds(asked, this.outlook));
    if (found === undefined) this.#addBelow(field, asked, this.#inside(field, asked, level, category));
    else
      for (const one of found) {
        const { count, type, accounts } = one;
        const many = { ...level, parents: level.parents * count, distinct: level.distinct * count, rows: 0 };
        const whose = accounts && { accounts, mode: modeOf(accounts) };
        this.#addBelow(field, asked, { ...many, ...whose, category: one.category }, type);
      }
  }

  /** The level within a field, by what it declares. */
  #inside(
    { cost, shape, isConnection, isAccount }: PlannedField,
    asked: AskedArguments,
    level: Level,
    category: string | undefined,
  ): Level {
    const declared = this.#amount(cost?.rows ?? UNDECLARED_ROWS, asked, level);
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

  #addBelow({ below }: PlannedField, parent: AskedArguments, level: Level, type?: string): void {
    this.#nodes += level.parents;
    if (level.parents === 0) return;
    for (const field of below)
      if (type === undefined || field.parent === undefined || field.parent === type) this.add(field, { ...level, parent });
  }

  #read(cost: FieldCost, asked: AskedArguments, level: Level): void {
    const { parents, distinct, accounts } = level;
    const owners = (accounts ?? this.outlook.accounts()).length;
    const readers = cost.neverShared ? parents : cost.perAccount ? Math.min(distinct, owners) : distinct;
    const most = cost.mostPerAccount === undefined ? Number.POSITIVE_INFINITY : cost.mostPerAccount * owners;
    this.#calls += Math.min(readers * this.#amount(cost.calls ?? 0, asked, level), most);
    const lists = typeof cost.lists === "function" ? cost.lists(asked, level) : cost.lists;
    if (lists !== undefined) for (const list of MARKET_LISTS) this.#readList(list, lists[list] ?? []);
    this.#readAccountList(cost.accountList?.(asked, level), level);
  }

  /** What has no account around it, an event or a payload, is of one account. */
  #readAccountList(list: string | undefined, { accounts = [THE_ONE], category }: Level): void {
    if (list === undefined) return;
    for (const { name } of accounts)
      for (const one of category === undefined ? FUTURES_CATEGORIES : [category]) this.#lists.add(`${list} ${name} ${one}`);
  }

  /** Whatever is read of an account, its mode is found out first. */
  #findModes({ accounts = [] }: Level): void {
    for (const { name, mode } of accounts) if (mode === undefined) this.#modes.add(name);
  }

  /** Each category of a list is one call, unless its answer is kept. */
  #readList(list: MarketList, categories: readonly (string | undefined)[]): void {
    for (const category of categories.flatMap((one) => listedUnder(list, one)))
      if (this.outlook.kept(list, category) === undefined) this.#lists.add(`${list} ${category}`);
  }

  #amount(amount: Amount, asked: AskedArguments, level: Level): number {
    return counted(typeof amount === "function" ? amount(asked, level) : amount);
  }
}
