import { type SubAccount, subAccountList } from "@exchange-graph/contract/broker";
import { KEPT_MS } from "@exchange-graph/contract/endpoint";
import { type Row, rowsRead } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/index.js";
import { badInput, faultIn, rowWhere } from "../../errors/index.js";
import type { Reads } from "../reader/reads.js";
import { Batches } from "./batches.js";

/** Maximum number of calls for sub-accounts of one account in one operation: the exchange answers one a second. */
export const MAX_SUB_ACCOUNT_CALLS = 5;
const PAGE = 100;
/** An identifier to which 1 can be added without leaving the 19 digits that the exchange's own have at most. */
const IDENTIFIER = /^\d{1,18}$/;

/**
 * Sub-accounts of a broker by their identifiers. The exchange has no call for one: it lists them from the largest identifier on,
 * below any given one. So one is the first row below the next identifier, and several that are loaded together share pages.
 */
export class SubAccountLoader {
  readonly #current: Batches<string, SubAccount | null>;
  readonly #remembered: Batches<string, SubAccount | null>;
  readonly #calls = new Map<string, number>();

  constructor(reads: Reads & { within(maxAgeMs: number): Reads }) {
    const idOf = (subUid: string) => subUid;
    this.#current = new Batches((account, subUids) => this.#find(reads, account, subUids), idOf);
    this.#remembered = new Batches((account, subUids) => this.#find(reads.within(KEPT_MS), account, subUids), idOf);
  }

  /** A sub-account, or `null`. */
  find(account: ExchangeAccount, subUid: string): Promise<SubAccount | null> {
    return this.#current.load(account, subUid);
  }

  /** Whether the broker has it. Sub-accounts stay listed, so an earlier answer that has it is enough. */
  async has(account: ExchangeAccount, subUid: string): Promise<boolean> {
    return (await this.#remembered.load(account, subUid)) !== null || (await this.find(account, subUid)) !== null;
  }

  async #find(reads: Reads, account: ExchangeAccount, subUids: readonly string[]): Promise<(SubAccount | null | Error)[]> {
    const rows = await this.#rowsWith(reads, account, subUids);
    return subUids.map((subUid) => {
      try {
        return rowWhere(rows, (row) => row.subUid === subUid);
      } catch (error) {
        return faultIn(error);
      }
    });
  }

  /** Rows that include each of the identifiers that the broker has. */
  async #rowsWith(reads: Reads, account: ExchangeAccount, subUids: readonly string[]): Promise<readonly Row<SubAccount>[]> {
    const largestFirst = subUids
      .filter((subUid) => IDENTIFIER.test(subUid))
      .map(BigInt)
      .sort((one, other) => (one < other ? 1 : -1));
    const found: Row<SubAccount>[] = [];
    for (let [largest] = largestFirst; largest !== undefined; [largest] = largestFirst) {
      this.#spend(account);
      const values = { idLessThan: String(largest + 1n), limit: largestFirst.length === 1 ? 1 : PAGE };
      const { list, cursor } = await reads.read(subAccountList, values, account);
      found.push(...list);
      const last = rowsRead(list).at(-1)?.subUid;
      if (cursor === null || last === undefined || !IDENTIFIER.test(last)) break;
      while (largestFirst[0] !== undefined && largestFirst[0] >= BigInt(last)) largestFirst.shift();
    }
    return found;
  }

  #spend({ name }: ExchangeAccount): void {
    const calls = (this.#calls.get(name) ?? 0) + 1;
    if (calls > MAX_SUB_ACCOUNT_CALLS)
      throw badInput([
        {
          argument: "subUid",
          rule: `must be one of at most ${MAX_SUB_ACCOUNT_CALLS} in one operation, unless they are close to each other in the broker's list`,
        },
      ]);
    this.#calls.set(name, calls);
  }
}
