import type { ClosedLoan, LoanReduction, LoanRepayment } from "@exchange-graph/contract/loan";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/index.js";
import { rowWhere } from "../../errors/index.js";
import { rowsOf, type Slice } from "../paging/pager.js";
import { closedLoans, loanReductions, loanRepayments, readOngoingLoans } from "../queries/loans.js";
import type { Reads } from "../reader/reads.js";

/** Rows of a page of the exchange. */
const PAGE = 100;
/** Maximum number of pages that several loans share; sharing must take fewer calls than one each. */
const MAX_PAGES = 5;

type List = "history" | "repayments" | "reductions";

/**
 * Loans and what belongs to them. The exchange lists the rows of one loan, and those of all loans: a request that needs several
 * loans reads the latter once, and the rest one by one.
 */
export class LoanLoaders {
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
