import type { Clock } from "@exchange-graph/contract/clock";
import {
  addressOf,
  isUnsettled,
  type JournalEntry,
  journalUnavailable,
  jsonOf,
  MAX_KEPT,
  type NewEntry,
  unsent,
  withEnd,
} from "../../../../src/datasources/writes/index.js";
import type { DatabaseRow, Value } from "../database/transaction.js";
import { DOUBTFUL, fencedRows, RENEW, SETTLE, seqRows } from "./statements.js";

interface OwnParts {
  readonly realm: string;
  readonly owner: string;
  readonly clock: Clock;
  readonly ask: (text: string, values: readonly Value[]) => Promise<readonly DatabaseRow[]>;
}

/** Maximum number of outcomes per batch: their numbers fit into one announcement. */
const AT_ONCE = 400;
/** Pause before a failed write is tried again. */
const RETRY_MS = 200;

/**
 * The open entries of this process, each with its fence, and the outcomes to be written. Outcomes are written in batches, one
 * after the other; while that is not possible they are kept.
 */
export class OwnEntries {
  readonly #fences = new Map<number, number>();
  readonly #ends = new Map<number, JournalEntry>();
  /** Entries that may or may not have been recorded, by user and key. Nothing was sent for them. */
  readonly #doubtful = new Map<string, NewEntry>();
  #writing: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #retry: (() => void) | undefined;
  #isClosed = false;

  constructor(private readonly parts: OwnParts) {}

  get seqs(): readonly number[] {
    return [...this.#fences.keys()];
  }

  /** Number of outcomes that wait to be written. */
  get kept(): number {
    return this.#ends.size + this.#doubtful.size;
  }

  /**
   * Throws if no new entry can be recorded now: too many outcomes wait, or it is not known whether an entry of this key was
   * recorded.
   */
  refuse(entry: NewEntry): void {
    if (this.kept > MAX_KEPT) throw journalUnavailable("too many outcomes of writes wait to be written");
    if (!this.#doubtful.has(addressOf(entry.user, entry.key))) return;
    void this.write();
    throw journalUnavailable("an earlier attempt is still being withdrawn");
  }

  add(seq: number, fence: number): void {
    this.#fences.set(seq, fence);
  }

  /** An entry may have been recorded without confirmation: it is withdrawn. */
  doubt(entry: NewEntry): void {
    this.#doubtful.set(addressOf(entry.user, entry.key), entry);
    this.#later();
  }

  /** Accepts an outcome, unless the entry has one or belongs to another owner. */
  end(entry: JournalEntry): boolean {
    const existing = this.#ends.get(entry.seq);
    if (!this.#fences.has(entry.seq) || (existing !== undefined && !isUnsettled(existing))) return false;
    this.#ends.set(entry.seq, entry);
    return true;
  }

  /** The entry with the outcome that waits here to be written, if there is one. */
  withUnwrittenEnd(entry: JournalEntry): JournalEntry {
    const end = this.#ends.get(entry.seq);
    return end === undefined || !isUnsettled(entry) ? entry : withEnd(entry, end);
  }

  /** Writes all outcomes; those that arrive meanwhile share the next batch. Never rejects: failures are repeated. */
  write(): Promise<void> {
    this.#writing ??= this.#inTurn(async () => {
      this.#writing = undefined;
      try {
        for (const entry of this.#doubtful.values()) await this.#takeBack(entry);
        while (this.#ends.size > 0) await this.#writeSome();
      } catch (error) {
        // The failure of the journal has already been reported.
        if (!(error instanceof Error)) throw error;
        this.#later();
      }
    });
    return this.#writing;
  }

  /** Renews the leases. Entries that this owner has lost are dropped. */
  renew(): Promise<void> {
    return this.#inTurn(async () => {
      const held = [...this.#fences];
      if (held.length === 0) return;
      const { owner, ask } = this.parts;
      const rows = await ask(RENEW, [owner, held.map(([seq]) => seq), held.map(([, fence]) => fence)]);
      const still = new Set(seqRows.parse(rows).map(({ seq }) => seq));
      for (const [seq] of held) if (!still.has(seq)) this.#forget(seq);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#retry?.();
  }

  async #writeSome(): Promise<void> {
    const { owner, ask } = this.parts;
    const ends = [...this.#ends.values()].slice(0, AT_ONCE);
    await ask(SETTLE, [
      ...[owner, ends.map(({ seq }) => seq), ends.map(({ seq }) => this.#fences.get(seq) ?? 0), ends.map(({ state }) => state)],
      ...[ends.map(({ reply }) => jsonOf(reply)), ends.map(({ problem }) => jsonOf(problem))],
      ends.map(({ settledAt }) => settledAt),
    ]);
    for (const end of ends) {
      if (this.#ends.get(end.seq) !== end) continue;
      if (isUnsettled(end)) this.#ends.delete(end.seq);
      else this.#forget(end.seq);
    }
  }

  async #takeBack(entry: NewEntry): Promise<void> {
    const { realm, owner, ask } = this.parts;
    const { user, key } = entry;
    for (const { seq, fence } of fencedRows.parse(await ask(DOUBTFUL, [realm, user, key, owner]))) {
      if (this.#fences.has(seq)) continue;
      this.add(seq, fence);
      this.#ends.set(seq, unsent(entry, seq));
    }
    this.#doubtful.delete(addressOf(entry.user, entry.key));
  }

  #forget(seq: number): void {
    this.#fences.delete(seq);
    this.#ends.delete(seq);
  }

  #later(): void {
    if (this.#isClosed) return;
    this.#retry ??= this.parts.clock.after(RETRY_MS, () => {
      this.#retry = undefined;
      void this.write();
    });
  }

  /** Serialized: two statements about the same entries would block each other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = Promise.allSettled([this.#turn]).then(work);
    this.#turn = result;
    return result;
  }
}
