import { DAY_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { FINANCIAL_RECORD_CATEGORIES, type FinancialRecord } from "@exchange-graph/contract/financialRecord";
import { isRead } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { z } from "zod";
import type { ExchangeAccount } from "../calls/index.js";
import { MAX_FIRST, type RequestReads, readFinancialRecords, rowsOf } from "../reads/index.js";
import { changeIn, type MoneyChange, type StoredChange, storedChangeIn } from "./change.js";
import type { HistoryStore, StoredRecord } from "./historyStore.js";

/** The exchange keeps records for 90 days; those of the first one are about to go. */
const FIRST_READ_MS = 89 * DAY_MS;
/** Length of time that is read, stored and remembered at once. */
const STRETCH_MS = 7 * DAY_MS;
/** Records may appear in their list a moment after the change: the last minutes are read again. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** Maximum number of records that one curve is explained by. */
const MAX_RECORDS = 200_000;
const PAGE = 5_000;

const NOTE = "records";
const noted = z.object({ from: z.int(), read: z.int(), until: z.int() });
/**
 * Which changes of balances are stored: those from `from` to `until`, Unix ms. `read`: until when the lists were read; afterwards no
 * balance has changed.
 */
export type Coverage = z.infer<typeof noted>;

const DELIMITER = " ";

/** Changes of balances, kept longer than the exchange keeps them. They are read only after a balance has changed. */
export class Ledger {
  constructor(
    private readonly store: HistoryStore,
    private readonly newReads: () => RequestReads,
  ) {}

  async coverage(user: string): Promise<Coverage | undefined> {
    const body = await this.store.note(user, NOTE);
    return body === undefined ? undefined : noted.parse(JSON.parse(body));
  }

  /** No balance has changed since the lists were read. */
  async unchanged(user: string, until: number): Promise<void> {
    const covered = await this.coverage(user);
    if (covered !== undefined && covered.until < until) await this.#note(user, { ...covered, until });
  }

  /** Reads and stores the changes since the last reading. Interrupted, it goes on where it was. Rejects with `Fault`. */
  async read(user: string, account: ExchangeAccount): Promise<void> {
    const reads = this.newReads();
    const now = reads.now();
    const isUnified = (await reads.modeOf(account)) === "UNIFIED";
    let covered = await this.coverage(user);
    for (let from = covered === undefined ? now - FIRST_READ_MS : covered.read - OVERLAP_MS; from < now; from += STRETCH_MS) {
      const to = Math.min(from + STRETCH_MS, now);
      for (const category of categoriesOf(isUnified)) await this.#readList(user, account, { category, from, to, isUnified });
      covered = { from: covered?.from ?? from, read: to, until: to };
      await this.#note(user, covered);
    }
  }

  /** Reads and stores the changes of a time once more: the exchange may have listed one of them late. Rejects with `Fault`. */
  async readAgain(user: string, account: ExchangeAccount, from: number, to: number): Promise<void> {
    const isUnified = (await this.newReads().modeOf(account)) === "UNIFIED";
    for (const category of categoriesOf(isUnified)) await this.#readList(user, account, { category, from, to, isUnified });
  }

  async #readList(
    user: string,
    account: ExchangeAccount,
    list: {
      readonly category: (typeof FINANCIAL_RECORD_CATEGORIES)[number];
      readonly from: number;
      readonly to: number;
      readonly isUnified: boolean;
    },
  ): Promise<void> {
    const { category, from, to, isUnified } = list;
    for (let after: string | null = null; ; ) {
      const slice: Awaited<ReturnType<typeof readFinancialRecords>> = await readFinancialRecords(
        this.newReads(),
        account,
        { category },
        { from, to, first: MAX_FIRST, after },
      );
      const rows = rowsOf(slice).filter(isRead);
      const records = rows.flatMap((record) => {
        const change = changeOf(record, isUnified ? "UNIFIED" : category, category);
        if (change === undefined) return [];
        return [{ user, at: change.at, id: `${category}${DELIMITER}${record.recordId}`, body: JSON.stringify(change) }];
      });
      if (records.length > 0) await this.store.write({ records });
      after = slice.rows.at(-1)?.cursor ?? null;
      if (!slice.hasNextPage || after === null) return;
    }
  }

  /** The changes after `after` up to `to`, the earliest first; undefined if there are too many. */
  async changes(user: string, after: number, to: number): Promise<readonly MoneyChange[] | undefined> {
    const found: MoneyChange[] = [];
    for await (const rows of this.#pages(user, after, to)) {
      for (const { body } of rows) found.push(changeIn(body));
      if (found.length > MAX_RECORDS) return undefined;
    }
    return found;
  }

  /** The same as they are stored, page by page, each with its identifier in the exchange's list. */
  async *stored(user: string, after: number, to: number): AsyncGenerator<readonly (StoredChange & { readonly id: string })[]> {
    for await (const rows of this.#pages(user, after, to))
      yield rows.map(({ id, body }) => ({ ...storedChangeIn(body), id: id.slice(id.indexOf(DELIMITER) + 1) }));
  }

  async *#pages(user: string, after: number, to: number): AsyncGenerator<readonly StoredRecord[]> {
    for (let [last, lastId]: [number, string | undefined] = [after, undefined]; ; ) {
      const rows = await this.store.records(user, { after: last, to, limit: PAGE }, lastId);
      yield rows;
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      [last, lastId] = [end.at, end.id];
    }
  }

  #note(user: string, covered: Coverage): Promise<void> {
    return this.store.write({ notes: [{ user, name: NOTE, body: JSON.stringify(covered) }] });
  }
}

const categoriesOf = (isUnified: boolean): readonly (typeof FINANCIAL_RECORD_CATEGORIES)[number][] =>
  isUnified ? FINANCIAL_RECORD_CATEGORIES : ["SPOT", ...FUTURES_CATEGORIES];

/** A record as a change; undefined if the exchange leaves out its time, coin or amount. */
function changeOf(record: FinancialRecord, pool: string, category: string): StoredChange | undefined {
  const { createdTime: at, coin, amount, fee, kind, type, symbol, balance } = record;
  if (at === null || coin === null || amount === null) return undefined;
  const change = { at, pool, category, coin, amount, fee: fee ?? "0", kind: kind ?? "other", type, symbol, balance };
  return storedChangeIn(JSON.stringify(change));
}
