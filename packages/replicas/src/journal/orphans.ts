import type { JournalEntry } from "../../../../src/datasources/writes/index.js";
import type { DatabaseRow, Transact, Transaction } from "../database/transaction.js";
import type { OwnEntries } from "./ownEntries.js";
import { CLAIM, entryIn, fencedRows, ORPHANS, ORPHANS_AT_ONCE, seqIn } from "./statements.js";

/** Maximum number of remembered entries that are left to other versions. */
const MAX_FOREIGN = 1_000;

interface OrphansParts {
  readonly realm: string;
  readonly owner: string;
  readonly transact: Transact;
  /** Whether this version writes to an endpoint. */
  readonly writesTo: (endpoint: string) => boolean;
}

/**
 * Open entries whose owner is gone. Entries of a later version that this one cannot settle are left to replicas of that version.
 */
export class Orphans {
  readonly #foreign = new Set<number>();

  constructor(private readonly parts: OrphansParts) {}

  /** Takes over all orphans, in addition to its own entries, and returns them. */
  async take(own: Pick<OwnEntries, "seqs" | "add">): Promise<readonly JournalEntry[]> {
    const taken: JournalEntry[] = [];
    for (let found = ORPHANS_AT_ONCE; found === ORPHANS_AT_ONCE; ) {
      const { rows, orphans, fences } = await this.parts.transact((transaction) => this.#some(transaction, own.seqs));
      for (const { seq, fence } of fences) own.add(seq, fence);
      taken.push(...fences.flatMap(({ seq }) => orphans.get(seq) ?? []));
      found = rows.length;
    }
    return taken.toSorted((one, other) => one.seq - other.seq);
  }

  async #some(transaction: Transaction, own: readonly number[]) {
    const { owner, realm } = this.parts;
    const rows = await transaction.query(ORPHANS, [owner, realm, own, [...this.#foreign]]);
    const orphans = new Map(rows.flatMap((row) => this.#supportedEntry(row)).map((entry) => [entry.seq, entry]));
    const claimed = orphans.size === 0 ? [] : await transaction.query(CLAIM, [owner, [...orphans.keys()]]);
    return { rows, orphans, fences: fencedRows.parse(claimed) };
  }

  #supportedEntry(row: DatabaseRow): readonly JournalEntry[] {
    const entry = entryIn(row);
    if (entry !== undefined && this.parts.writesTo(entry.endpoint)) return [entry];
    this.#foreign.add(seqIn(row));
    const [oldest] = this.#foreign;
    if (this.#foreign.size > MAX_FOREIGN && oldest !== undefined) this.#foreign.delete(oldest);
    return [];
  }
}
