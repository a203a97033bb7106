import { DAY_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { FINANCIAL_RECORD_CATEGORIES, type FinancialRecord } from "@exchange-graph/contract/financialRecord";
import { isRead } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { z } from "zod";
import type { ExchangeAccount } from "../calls/index.js";
import {
  MAX_FIRST,
  type RequestReads,
  readFinancialRecords,
  readFundingAccountRecords,
  rowsOf,
  type Slice,
  slicesOf,
} from "../reads/index.js";
import { changeIn, type MoneyChange, PURSES_APART, type StoredChange, storedChangeIn } from "./change.js";
import type { HistoryStore, StoredRecord } from "./historyStore.js";

/** The first reading goes back this far: the exchange keeps records for 90 days, and the oldest are about to be dropped. */
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

/** A list of records: of one category, or of a purse. */
interface RecordList {
  readonly pool: StoredChange["pool"];
  /** Null: the list is not of one category. */
  readonly category: StoredChange["category"];
  read(
    reads: RequestReads,
    account: ExchangeAccount,
    range: { readonly from: number; readonly to: number; readonly first: number; readonly after: string | undefined },
  ): Promise<Slice<FinancialRecord>>;
}

/** The user under which changes of purses are stored that the equity does not contain: they explain nothing of it. */
const apartOf = (user: string): string => `${user}${DELIMITER}apart`;

/** Changes of balances, kept longer than the exchange keeps them. They are read only after a balance has changed. */
export class BalanceRecords {
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

  /** Reads and stores the changes since the last reading. After an interruption it continues where it was. Rejects with `Fault`. */
  async read(user: string, account: ExchangeAccount): Promise<void> {
    const reads = this.newReads();
    await this.#readSince(user, account, await listsOf(reads, account), reads.now());
  }

  /**
   * The same for the purses that the equity does not contain: nothing shows when they change, so they are read once a day. They are
   * kept for exports.
   */
  async readApart(user: string, account: ExchangeAccount): Promise<void> {
    const reads = this.newReads();
    const covered = await this.coverage(apartOf(user));
    if (covered !== undefined && covered.read > reads.now() - DAY_MS) return;
    await this.#readSince(apartOf(user), account, [await listApartOf(reads, account)], reads.now());
  }

  /** Reads and stores the changes of a time once more: the exchange may have listed one of them late. Rejects with `Fault`. */
  async readAgain(user: string, account: ExchangeAccount, from: number, to: number): Promise<void> {
    for (const list of await listsOf(this.newReads(), account)) await this.#readList(user, account, list, { from, to });
  }

  async #readSince(user: string, account: ExchangeAccount, lists: readonly RecordList[], now: number): Promise<void> {
    let covered = await this.coverage(user);
    for (let from = covered === undefined ? now - FIRST_READ_MS : covered.read - OVERLAP_MS; from < now; from += STRETCH_MS) {
      const to = Math.min(from + STRETCH_MS, now);
      for (const list of lists) await this.#readList(user, account, list, { from, to });
      covered = { from: covered?.from ?? from, read: to, until: to };
      await this.#note(user, covered);
    }
  }

  async #readList(
    user: string,
    account: ExchangeAccount,
    { pool, category, read }: RecordList,
    range: { readonly from: number; readonly to: number },
  ): Promise<void> {
    for await (const slice of slicesOf((after) => read(this.newReads(), account, { ...range, first: MAX_FIRST, after }))) {
      const records = rowsOf(slice)
        .filter(isRead)
        .flatMap((record) => {
          const change = changeOf(record, pool, category ?? record.category);
          if (change === undefined) return [];
          return [{ user, at: change.at, id: `${category ?? pool}${DELIMITER}${record.recordId}`, body: JSON.stringify(change) }];
        });
      if (records.length > 0) await this.store.write({ records });
    }
  }

  /** The changes after `after` up to `to`, the earliest first; undefined if there are too many. */
  async changes(user: string, after: number, to: number): Promise<readonly MoneyChange[] | undefined> {
    const found: MoneyChange[] = [];
    for await (const { body } of this.#rows(user, after, to)) {
      found.push(changeIn(body));
      if (found.length > MAX_RECORDS) return undefined;
    }
    return found;
  }

  /** The changes of all purses as they are stored, each with its identifier in the exchange's list, the earliest first. */
  async *stored(user: string, after: number, to: number): AsyncGenerator<StoredChange & { readonly id: string }> {
    const lines = [user, apartOf(user)].map((one) => this.#rows(one, after, to));
    const heads = await Promise.all(lines.map(async (line) => line.next()));
    for (;;) {
      const times = heads.map(({ done, value }) => (done === true ? Number.POSITIVE_INFINITY : value.at));
      const first = times.indexOf(Math.min(...times));
      const [head, line] = [heads[first], lines[first]];
      if (head === undefined || head.done === true || line === undefined) return;
      const { id, body } = head.value;
      yield { ...storedChangeIn(body), id: id.slice(id.indexOf(DELIMITER) + 1) };
      heads[first] = await line.next();
    }
  }

  async *#rows(user: string, after: number, to: number): AsyncGenerator<StoredRecord, undefined> {
    for (let [last, lastId]: [number, string | undefined] = [after, undefined]; ; ) {
      const rows = await this.store.records(user, { after: last, to, limit: PAGE }, lastId);
      yield* rows;
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      [last, lastId] = [end.at, end.id];
    }
  }

  #note(user: string, covered: Coverage): Promise<void> {
    return this.store.write({ notes: [{ user, name: NOTE, body: JSON.stringify(covered) }] });
  }
}

const listOf = (pool: RecordList["pool"], category: (typeof FINANCIAL_RECORD_CATEGORIES)[number]): RecordList => ({
  ...{ pool, category },
  read: (reads, account, range) => readFinancialRecords(reads, account, { category }, range),
});

/** The lists of the purses that the equity contains. */
async function listsOf(reads: RequestReads, account: ExchangeAccount): Promise<readonly RecordList[]> {
  return (await reads.modeOf(account)) === "UNIFIED"
    ? FINANCIAL_RECORD_CATEGORIES.map((category) => listOf("UNIFIED", category))
    : (["SPOT", ...FUTURES_CATEGORIES] as const).map((category) => listOf(category, category));
}

const FUNDING: RecordList = {
  ...{ pool: "FUNDING", category: null },
  read: (reads, account, range) => readFundingAccountRecords(reads, account, {}, range),
};

/** The list of the purse that the equity does not contain. */
const listApartOf = async (reads: RequestReads, account: ExchangeAccount): Promise<RecordList> =>
  (await reads.modeOf(account)) === "UNIFIED" ? FUNDING : listOf("MARGIN", "MARGIN");

/** A record as a change; undefined if the exchange leaves out its time, coin or amount. */
function changeOf(
  record: FinancialRecord,
  pool: StoredChange["pool"],
  category: StoredChange["category"],
): StoredChange | undefined {
  const { createdTime: at, coin, amount, fee, kind, type, symbol, balance } = record;
  if (at === null || coin === null || amount === null) return undefined;
  const noFee = PURSES_APART.some((one) => one === pool) ? null : "0";
  const change = { at, pool, category, coin, amount, fee: fee ?? noFee, kind: kind ?? "other", type, symbol, balance };
  return storedChangeIn(JSON.stringify(change));
}
