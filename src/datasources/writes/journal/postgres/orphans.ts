import type { Row, Transaction } from "../../../database/transaction.js";
import type { JournalEntry } from "../entry.js";
import type { OwnEntries } from "./ownEntries.js";
import { CLAIM, entryIn, fencedRows, ORPHANS, ORPHANS_AT_ONCE, seqIn } from "./statements.js";

/** Entries that are left to others, of which so many are remembered. */
const MAX_FOREIGN = 1_000;

interface OrphansParts {
  readonly realm: string;
  readonly owner: string;
  /** Carries several statements out as one. */
  readonly transact: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  /** Does this version write to an endpoint? */
  readonly writesTo: (endpoint: string) => boolean;
}

/**
 * Open entries whose owner is gone. What a later version has written and this one cannot settle is left as it is: replicas of that version
 * are there, or will be.
 */
export class Orphans {
  readonly #foreign = new Set<number>();

  constructor(private readonly parts: OrphansParts) {}

  /** Takes all over that there are, beside what is held already. */
  async take(own: Pick<OwnEntries, "seqs" | "add">, took: (entry: JournalEntry) => void): Promise<void> {
    for (let found = ORPHANS_AT_ONCE; found === ORPHANS_AT_ONCE; ) {
      const { rows, orphans, fences } = await this.parts.transact((transaction) => this.#some(transaction, own.seqs));
      for (const { seq, fence } of fences) {
        const entry = orphans.get(seq);
        own.add(seq, fence);
        if (entry !== undefined) took(entry);
      }
      found = rows.length;
    }
  }

  async #some(transaction: Transaction, own: readonly number[]) {
    const { owner, realm } = this.parts;
    const rows = await transaction.query(ORPHANS, [owner, realm, own, [...this.#foreign]]);
    const orphans = new Map(rows.flatMap((row) => this.#known(row)).map((entry) => [entry.seq, entry]));
    const claimed = orphans.size === 0 ? [] : await transaction.query(CLAIM, [owner, [...orphans.keys()]]);
    return { rows, orphans, fences: fencedRows.parse(claimed) };
  }

  #known(row: Row): readonly JournalEntry[] {
    const entry = entryIn(row);
    if (entry !== undefined && this.parts.writesTo(entry.endpoint)) return [entry];
    this.#foreign.add(seqIn(row));
    const [oldest] = this.#foreign;
    if (this.#foreign.size > MAX_FOREIGN && oldest !== undefined) this.#foreign.delete(oldest);
    return [];
  }
}
