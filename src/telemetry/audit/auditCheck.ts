import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { jsonIn } from "@exchange-graph/contract/json";
import { BEGINNING, type Head, type LinkedLine, linksOf } from "./auditLog.js";

interface AuditCheck {
  readonly lines: number;
  /** Proofs of a change, each with its place. */
  readonly problems: readonly string[];
  /** Findings that are no proof of a change. */
  readonly notes: readonly string[];
  readonly head: Head;
}

/** Verifies the chain through the lines of files, in their order. */
export class AuditChecker {
  readonly #problems: string[] = [];
  readonly #notes: string[] = [];
  #head: Head | undefined;
  #lines = 0;
  /** Whether there is any line without the chain's fields. */
  #hasOthers = false;
  readonly #hashes = new Set<string>();

  /** `expected`: hashes that were noted before and have to be in the files. */
  constructor(private readonly expected: readonly string[] = []) {}

  /** Checks the next line; `place` is used in messages. */
  take(line: string, place: string): void {
    if (line === "") return;
    const links = linksOf(line);
    if (links === undefined) this.#unlinked(line, place);
    else this.#linked(links, place);
  }

  #linked({ n, prev, hash, isIntact }: LinkedLine, place: string): void {
    const before = this.#head;
    this.#lines++;
    if (this.expected.includes(hash)) this.#hashes.add(hash);
    this.#head = { n, hash };
    if (!isIntact) this.#problems.push(`${place}: line ${n} was changed`);
    if (n === 1 && prev === BEGINNING.hash) {
      if (before !== undefined) this.#notes.push(`${place}: a new chain begins after line ${before.n} of the previous one`);
    } else if (before === undefined) {
      this.#notes.push(`${place}: begins with line ${n}: earlier lines are not in these files`);
    } else if (n > before.n + 1) {
      this.#problems.push(`${place}: lines ${before.n + 1} to ${n - 1} are missing`);
    } else if (n <= before.n) {
      this.#problems.push(`${place}: line ${n} follows line ${before.n}`);
    } else if (prev !== before.hash) {
      this.#problems.push(`${place}: line ${n} does not match the hash of the line before it, which was changed or inserted`);
    }
  }

  get result(): AuditCheck {
    const missing = this.expected.filter((hash) => !this.#hashes.has(hash));
    return {
      lines: this.#lines,
      problems: [
        ...this.#problems,
        ...(this.#hasOthers && this.#lines === 0 && this.#notes.length === 0
          ? ["no line is one of the audit's chain: are these its files?"]
          : []),
        ...missing.map((hash) => `the line with the hash ${hash} is missing`),
      ],
      notes: this.#notes,
      head: this.#head ?? BEGINNING,
    };
  }

  /** A line without the chain's fields: one of the log, one from before there were chains, or a truncated or changed one. */
  #unlinked(line: string, place: string): void {
    const isWhole = jsonIn(line) !== undefined;
    this.#hasOthers = true;
    if (isWhole && !line.includes('"audit":true')) return;
    if (isWhole && this.#head !== undefined) this.#problems.push(`${place}: a line of the audit has no hash`);
    else if (isWhole) this.#notes.push(`${place}: a line from before the audit had a hash chain`);
    else if (line.startsWith("{")) this.#notes.push(`${place}: a partial line, which is not part of the chain`);
  }
}

/** Checks files, the oldest first. Rejects if one cannot be read. */
export async function checkAudit(paths: readonly string[], expected: readonly string[] = []): Promise<AuditCheck> {
  const checker = new AuditChecker(expected);
  for (const path of paths) {
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Number.POSITIVE_INFINITY }))
      checker.take(line, `${path}:${++number}`);
  }
  return checker.result;
}
