import type { Clock } from "@exchange-graph/contract/clock";
import type { Row, Value } from "../../../database/transaction.js";
import { isUnsettled, type JournalEntry, type NewEntry } from "../entry.js";
import { journalUnavailable, MAX_KEPT } from "../writeJournal.js";
import { DOUBTFUL, fencedRows, RENEW, SETTLE, seqRows } from "./statements.js";

interface OwnParts {
  readonly realm: string;
  readonly owner: string;
  readonly clock: Clock;
  readonly ask: (text: string, values: readonly Value[]) => Promise<readonly Row[]>;
}

/** How many ends are written at once: their numbers fit into one announcement. */
const AT_ONCE = 400;
/** How soon it is tried again to write what could not be written. */
const RETRY_MS = 200;

/**
 * The open entries that this process owns, each with the fence that it owns it by, and what is to be noted of them. Ends are
 * written together, one batch after the other; while that is not possible they are kept.
 */
export class OwnEntries {
  readonly #fences = new Map<number, number>();
  readonly #ends = new Map<number, JournalEntry>();
  /** By user and key, entries of which it is not known whether they were noted. Nothing was sent for them. */
  readonly #doubtful = new Map<string, NewEntry>();
  #writing: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #retry: (() => void) | undefined;
  #isClosed = false;

  constructor(private readonly parts: OwnParts) {}

  get seqs(): readonly number[] {
    return [...this.#fences.keys()];
  }

  /** Ends that wait to be written. */
  get kept(): number {
    return this.#ends.size + this.#doubtful.size;
  }

  /** Throws where nothing new can be noted now: with too much to be written, and of a key of which it is not known what stands. */
  refuse(entry: NewEntry): void {
    if (this.kept > MAX_KEPT) throw journalUnavailable("too many ends of writes wait to be written");
    if (!this.#doubtful.has(addressOf(entry))) return;
    void this.write();
    throw journalUnavailable("an earlier try is still being taken back");
  }

  add(seq: number, fence: number): void {
    this.#fences.set(seq, fence);
  }

  /** An entry may have been noted although nobody said so: it is taken back. */
  doubt(entry: NewEntry): void {
    this.#doubtful.set(addressOf(entry), entry);
    this.#later();
  }

  /** Takes an end in, unless the entry has ended or is another owner's. */
  end(entry: JournalEntry): boolean {
    const known = this.#ends.get(entry.seq);
    if (!this.#fences.has(entry.seq) || (known !== undefined && !isUnsettled(known))) return false;
    this.#ends.set(entry.seq, entry);
    return true;
  }

  /** An entry as it is known here. */
  known(entry: JournalEntry): JournalEntry {
    const end = this.#ends.get(entry.seq);
    if (end === undefined || !isUnsettled(entry)) return entry;
    const { state, reply, problem, settledAt } = end;
    return { ...entry, state, reply, problem, settledAt };
  }

  /** Writes what there is to write; who comes meanwhile shares the next batch. Never rejects: what fails is tried again. */
  write(): Promise<void> {
    this.#writing ??= this.#inTurn(async () => {
      this.#writing = undefined;
      try {
        for (const entry of this.#doubtful.values()) await this.#takeBack(entry);
        while (this.#ends.size > 0) await this.#writeSome();
      } catch (error) {
        // Whoever asks has said that the journal is not there.
        if (!(error instanceof Error)) throw error;
        this.#later();
      }
    });
    return this.#writing;
  }

  /** Says that this owner lives. What it holds no longer is forgotten. */
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
      ...[ends.map(({ reply }) => textOf(reply)), ends.map(({ problem }) => textOf(problem))],
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
      const unsent = { state: "UNSENT", reply: null, problem: null, settledAt: entry.sentAt } as const;
      this.#ends.set(seq, { ...entry, ...unsent, seq });
    }
    this.#doubtful.delete(addressOf(entry));
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

  /** One after the other: two statements about the same entries would wait for each other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = Promise.allSettled([this.#turn]).then(work);
    this.#turn = result;
    return result;
  }
}

const addressOf = ({ user, key }: NewEntry): string => `${user}\n${key}`;
const textOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
