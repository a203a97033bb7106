import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { REMEMBERED_MS } from "../writeJournal.js";

/**
 * A file beside the journal with the last durable entry: a start that finds fewer entries in the journal detects the loss. SQLite
 * does not: it ignores a WAL file that is missing, empty or damaged, and begins anew in an empty file.
 *
 * Each process writes into a slot of its own after each sync, so the file never runs ahead of the disk; it is not synced itself.
 * One line per slot: the entry's number, and when it was sent, in Unix ms.
 */

const SLOTS = 64;
const WIDTH = 32;
const LINE = /^ *(\d{1,15}) +(\d{1,15})$/;

/** An entry: its number, and when it was sent, in Unix ms. */
export interface Mark {
  readonly seq: number;
  readonly at: number;
}

export const NO_MARK: Mark = { seq: 0, at: 0 };

/** Entries that a journal has lost: those after one, up to another. */
export interface LostEntries {
  readonly after: Mark;
  readonly upTo: Mark;
}

const markPathOf = (journalPath: string): string => `${journalPath}.mark`;

const lineOf = ({ seq, at }: Mark): string => `${String(seq).padStart(15)} ${String(at).padStart(15)}\n`;

export class MarkFile {
  readonly #file: number;
  readonly #at: number;

  /** `owner`: number of the process. The file has its full size from the start, so that a full disk does not matter later. */
  constructor(journalPath: string, owner: number) {
    this.#file = openSync(markPathOf(journalPath), constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#at = (owner % SLOTS) * WIDTH;
    if (readFileSync(this.#file).length >= SLOTS * WIDTH) return;
    writeSync(this.#file, lineOf(NO_MARK).repeat(SLOTS), 0);
    fsyncSync(this.#file);
  }

  write(mark: Mark): void {
    writeSync(this.#file, lineOf(mark), this.#at);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The last durable entry of all processes. */
function lastMark(journalPath: string): Mark {
  try {
    return readFileSync(markPathOf(journalPath), "latin1")
      .split("\n")
      .map((line) => LINE.exec(line))
      .map((found) => ({ seq: Number.parseInt(found?.[1] ?? "0", 10), at: Number.parseInt(found?.[2] ?? "0", 10) }))
      .reduce((last, mark) => (mark.seq > last.seq ? mark : last), NO_MARK);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return NO_MARK;
    throw error;
  }
}

/**
 * What a journal has lost; `undefined` if nothing. Keys are not remembered longer than for a week, nor is their loss. `last` is
 * called after the marks are read: meanwhile other processes may record entries.
 */
export function lossOf(journalPath: string, last: () => Mark, now: number): LostEntries | undefined {
  const upTo = lastMark(journalPath);
  const after = last();
  return upTo.seq > after.seq && now - upTo.at < REMEMBERED_MS ? { after, upTo } : undefined;
}

/** Accepts a loss: from now on this is the last durable entry. */
export function resetMarks(journalPath: string, last: Mark): void {
  const file = openSync(markPathOf(journalPath), "r+");
  try {
    ftruncateSync(file, SLOTS * WIDTH);
    writeSync(file, lineOf(last) + lineOf(NO_MARK).repeat(SLOTS - 1), 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function lossText({ after, upTo }: LostEntries): string {
  const first = after.seq + 1;
  const range = first === upTo.seq ? `the write ${first}` : `the writes ${first} to ${upTo.seq}`;
  const since = after.seq === 0 ? "" : ` after ${timeOf(after)} and`;
  return `it has lost ${range}, sent${since} until ${timeOf(upTo)}, and does not know their idempotency keys`;
}

const timeOf = ({ at }: Mark): string => new Date(at).toISOString();
