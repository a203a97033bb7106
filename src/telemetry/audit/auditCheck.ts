import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { BEGINNING, type Head, type LinkedLine, linksOf } from "./auditChain.js";

/** What a check of an audit has found. */
interface AuditCheck {
  /** Lines of the chain. */
  readonly lines: number;
  /** What is wrong: each says where. */
  readonly problems: readonly string[];
  /** What is no proof of a change, and should be known. */
  readonly notes: readonly string[];
  readonly head: Head;
}

/** Follows the links through the lines of files, in their order. */
export class AuditChecker {
  readonly #problems: string[] = [];
  readonly #notes: string[] = [];
  #head: Head | undefined;
  #lines = 0;
  readonly #hashes = new Set<string>();

  /** `expected`: hashes that were noted before and have to be there. */
  constructor(private readonly expected: readonly string[] = []) {}

  /** The next line; `place` says where it stands. */
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
      if (before !== undefined) this.#notes.push(`${place}: a new chain begins, behind line ${before.n} of the one before`);
    } else if (before === undefined) {
      this.#notes.push(`${place}: begins with line ${n}: what was before it is not among the files`);
    } else if (n > before.n + 1) {
      this.#problems.push(`${place}: lines ${before.n + 1} to ${n - 1} are missing`);
    } else if (n <= before.n) {
      this.#problems.push(`${place}: line ${n} stands behind line ${before.n}`);
    } else if (prev !== before.hash) {
      this.#problems.push(`${place}: line ${n} does not follow the line before it, which was changed or put there`);
    }
  }

  /** What was found in all. */
  get result(): AuditCheck {
    const missing = this.expected.filter((hash) => !this.#hashes.has(hash));
    return {
      lines: this.#lines,
      problems: [...this.#problems, ...missing.map((hash) => `the line with the hash ${hash} is not there any more`)],
      notes: this.#notes,
      head: this.#head ?? BEGINNING,
    };
  }

  /** A line of the log, one of before there were chains, or one that was cut off or changed. */
  #unlinked(line: string, place: string): void {
    const isWhole = isJson(line);
    if (isWhole && !line.includes('"audit":true')) return;
    if (isWhole && this.#head !== undefined) this.#problems.push(`${place}: a line of the audit has no links`);
    else if (isWhole) this.#notes.push(`${place}: a line of before the audit had links`);
    else if (line.startsWith("{")) this.#notes.push(`${place}: half a line, which is no part of the chain`);
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Checks files, the oldest first. Rejects when one cannot be read. */
export async function checkAudit(paths: readonly string[], expected: readonly string[] = []): Promise<AuditCheck> {
  const checker = new AuditChecker(expected);
  for (const path of paths) {
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Number.POSITIVE_INFINITY }))
      checker.take(line, `${path}:${++number}`);
  }
  return checker.result;
}
