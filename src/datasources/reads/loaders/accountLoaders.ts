import type { FinancialRecord } from "@exchange-graph/contract/financialRecord";
import type { ClosedLoan, LoanReduction, LoanRepayment } from "@exchange-graph/contract/loan";
import type { Order } from "@exchange-graph/contract/order";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { badInput, rowWhere } from "../../errors/index.js";
import { MAX_FIRST, rowsOf, type Slice } from "../paging/pager.js";
import type { SymbolReads } from "../queries/categories.js";
import { type ExecutionsPage, type ExecutionsRequest, readExecutions } from "../queries/executionsOf.js";
import { type FundedPosition, readFundingOf } from "../queries/funding.js";
import { closedLoans, loanReductions, loanRepayments, readOngoingLoans } from "../queries/loans.js";
import { readOpenOrders } from "../queries/openOrders.js";
import { type NamedOrder, readOrdersNamed } from "../queries/ordersOf.js";
import { readOpenPlanOrders, readPlanOrderHistory } from "../queries/planOrders.js";
import type { Reads } from "../reader/reads.js";
import { Batches } from "./batches.js";
import { PlanLoaders } from "./planLoaders.js";
import { SubAccountLoader } from "./subAccountLoader.js";

/** Rows of a page of the exchange. */
const PAGE = 100;
/** Maximum number of pages that several loans share; sharing must take fewer calls than one each. */
const MAX_PAGES = 5;

type List = "history" | "repayments" | "reductions";

/**
 * Loans and what belongs to them. The exchange lists the rows of one loan, and those of all loans: a request that needs several
 * loans reads the latter once, and the rest one by one.
 */
class LoanLoaders {
  /** Requested loans, by account and list. */
  readonly #orderIds = new Map<string, Set<string>>();

  /** The end of all lists, Unix ms: with the same end the pages of a longer list are those of a shorter one. */
  #to: number | undefined;

  constructor(
    private readonly reads: Reads,
    private readonly spend: (edge: string, account: ExchangeAccount) => void,
  ) {}

  /** A running loan, or one that has ended; `null` if the exchange lists it no longer. */
  async loan(account: ExchangeAccount, orderId: string) {
    const running = rowWhere(await readOngoingLoans(this.reads, account, {}), (loan) => loan.orderId === orderId);
    if (running !== null) return { running };
    const [ended = null] = await this.#of<ClosedLoan>("history", account, orderId);
    return ended === null || !isRead(ended) ? null : { ended };
  }

  repayments(account: ExchangeAccount, orderId: string): Promise<readonly Row<LoanRepayment>[]> {
    return this.#of<LoanRepayment>("repayments", account, orderId);
  }

  reductions(account: ExchangeAccount, orderId: string): Promise<readonly Row<LoanReduction>[]> {
    return this.#of<LoanReduction>("reductions", account, orderId);
  }

  async #of<R extends { readonly orderId: string }>(
    list: List,
    account: ExchangeAccount,
    orderId: string,
  ): Promise<readonly Row<R>[]> {
    const orderIds = this.#orderIds.get(`${list} ${account.name}`) ?? new Set<string>();
    this.#orderIds.set(`${list} ${account.name}`, orderIds.add(orderId));
    // The rows of one selection start their reads in the same turn.
    await new Promise(process.nextTick);
    const pages = Math.min(MAX_PAGES, Math.floor(orderIds.size / 2));
    if (pages > 0) {
      const { rows, hasNextPage } = await this.#page<R>(list, account, {}, pages * PAGE);
      const found = rows.map(({ row }) => row).filter((row) => !isRead(row) || row.orderId === orderId);
      if (!hasNextPage) return found;
    }
    this.spend(list, account);
    return rowsOf(await this.#page<R>(list, account, { orderId }));
  }

  #page<R>(list: List, account: ExchangeAccount, filter: { readonly orderId?: string }, first = PAGE): Promise<Slice<R>> {
    const values = { orderId: filter.orderId ?? null, loanCoin: null, pledgeCoin: null };
    this.#to ??= this.reads.now();
    const args = { first, to: this.#to };
    const read = {
      history: () => closedLoans.read(this.reads, account, { ...values, status: null }, args),
      repayments: () => loanRepayments.read(this.reads, account, values, args),
      reductions: () => loanReductions.read(this.reads, account, { ...values, status: null }, args),
    }[list];
    return read() as Promise<Slice<R>>;
  }
}

/** Maximum number of calls of one edge, such as `Order.fills`, for one account in one operation. */
export const MAX_EDGE_CALLS = 40;
/** Maximum number of symbols of an account that an edge reads one by one in one operation. */
export const MAX_SINGLE_READS = 50;

/** Reads with the listed symbols, and with answers of another age. */
export interface AgedReads extends SymbolReads {
  within(maxAgeMs: number): Reads;
}

/**
 * Data of an account that rows of one request are joined with. Rows that are joined at the same time share their reads; each edge
 * takes a bounded number of calls.
 */
export class AccountLoaders {
  readonly #executions: Batches<ExecutionsRequest, ExecutionsPage>;
  readonly #orders: Batches<NamedOrder, Order | null>;
  readonly #funding: Batches<FundedPosition, readonly Row<FinancialRecord>[]>;
  readonly #calls = new Map<string, number>();
  readonly #singles = new Map<string, Set<string>>();

  readonly loans: LoanLoaders;

  /** Trigger orders of unified accounts, and what they have placed. */
  readonly plans: PlanLoaders;

  readonly subAccounts: SubAccountLoader;

  constructor(private readonly reads: AgedReads) {
    this.subAccounts = new SubAccountLoader(reads);
    this.plans = new PlanLoaders(
      reads,
      (edge, account) => this.spend(edge, account),
      async (account, category) =>
        (await Promise.all([this.planOrders(account, category), this.endedPlanOrders(account, category)])).flat(),
    );
    this.loans = new LoanLoaders(reads, (edge, account) => this.spend(edge, account));
    this.#executions = new Batches<ExecutionsRequest, ExecutionsPage>(
      (account, wanted) => readExecutions(reads, account, wanted, () => this.spend("fills", account)),
      ({ category, symbol, orderId, posSide, from, to, first, after }) =>
        JSON.stringify([category, symbol, orderId, posSide, from, to, first, after]),
      categoryOf,
    );
    this.#funding = new Batches<FundedPosition, readonly Row<FinancialRecord>[]>(
      (account, positions) => readFundingOf(reads, account, positions),
      ({ category, symbol, from }) => JSON.stringify([category, symbol, from]),
      categoryOf,
    );
    this.#orders = new Batches<NamedOrder, Order | null>(
      (account, named) => readOrdersNamed(reads, account, named, () => this.spend("order", account)),
      ({ category, orderId }) => `${category} ${orderId}`,
      categoryOf,
    );
  }

  /** Funding of a position since it was opened, newest first. */
  funding(account: ExchangeAccount, one: FundedPosition): Promise<readonly Row<FinancialRecord>[]> {
    return this.#funding.load(account, one);
  }

  /** The states of upgrades that this request reads, by account. */
  readonly upgrades = new Map<string, Promise<unknown>>();

  /** Counts a call of an edge. Throws `BAD_USER_INPUT` beyond the maximum. */
  spend(edge: string, { name }: ExchangeAccount): void {
    const key = `${edge} ${name}`;
    const calls = (this.#calls.get(key) ?? 0) + 1;
    if (calls > MAX_EDGE_CALLS)
      throw badInput([
        { argument: edge, rule: `takes at most ${MAX_EDGE_CALLS} calls per account: it must be selected on fewer rows` },
      ]);
    this.#calls.set(key, calls);
  }

  /** Counts a read of an edge for one key, once. Throws `BAD_USER_INPUT` beyond the maximum. */
  single(edge: string, { name }: ExchangeAccount, key: string): void {
    const keys = this.#singles.get(`${edge} ${name}`) ?? new Set<string>();
    this.#singles.set(`${edge} ${name}`, keys);
    if (keys.size >= MAX_SINGLE_READS && !keys.has(key))
      throw badInput([
        { argument: edge, rule: `must be requested for at most ${MAX_SINGLE_READS} symbols of an account in one operation` },
      ]);
    keys.add(key);
  }

  /** A page of the executions of an order or a position. */
  executions(account: ExchangeAccount, one: ExecutionsRequest): Promise<ExecutionsPage> {
    return this.#executions.load(account, one);
  }

  order(account: ExchangeAccount, one: NamedOrder): Promise<Order | null> {
    return this.#orders.load(account, one);
  }

  /** All open orders of a category: of a unified account in one list with those of the other categories. */
  async openOrders(account: ExchangeAccount, category: FuturesCategory): Promise<readonly Row<Order>[]> {
    const isUnified = (await this.reads.modeOf(account)) === "UNIFIED";
    const filter = isUnified ? {} : { category };
    return whole("openOrders", await readOpenOrders(this.reads, account, filter, { first: MAX_FIRST }));
  }

  /** All open trigger orders of a category, or those of one of the exchange's lists. */
  async planOrders(account: ExchangeAccount, category: ProductCategory, kind?: string): Promise<readonly Row<PlanOrder>[]> {
    return whole("planOrders", await readOpenPlanOrders(this.reads, account, { category, kind }, { first: MAX_FIRST }));
  }

  /** The latest trigger orders of a category that have ended. */
  async endedPlanOrders(account: ExchangeAccount, category: ProductCategory): Promise<readonly Row<PlanOrder>[]> {
    const { rows } = await readPlanOrderHistory(this.reads, account, { category }, { first: LATEST });
    return rows.map(({ row }) => row);
  }
}

const categoryOf = ({ category }: { readonly category: string }): string => category;

/** A page of each of the exchange's lists. */
const LATEST = 100;

function whole<R>(list: string, { rows, hasNextPage }: Slice<R>): readonly Row<R>[] {
  if (hasNextPage)
    throw badInput([{ argument: list, rule: `must be read from the account's own list: there are more than ${MAX_FIRST}` }]);
  return rows.map(({ row }) => row);
}
