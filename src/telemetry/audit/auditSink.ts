import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Clock } from "@exchange-graph/contract/clock";
import type { DestinationStream } from "pino";
import { LineSink, type Written } from "../logs/lineSink.js";

/**
 * The hash chain of the audit. Each line has its number, the hash of the line before, and its own hash over all of its text
 * before that. Changing, removing or moving a line breaks the chain.
 */
const LINK = /^(.*,"chain":\{"n":(\d{1,15}),"prev":"([\da-f]{64})"\}),"hash":"([\da-f]{64})"\}$/s;

/** The end of a chain. */
export interface Head {
  /** Number of its last line; 0 for an empty chain. */
  readonly n: number;
  readonly hash: string;
}

/** The end of an empty chain. */
export const BEGINNING: Head = { n: 0, hash: "0".repeat(64) };

export interface LinkedLine {
  readonly n: number;
  readonly prev: string;
  readonly hash: string;
  /** Whether the hash matches the text. */
  readonly isIntact: boolean;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Appends the chain's fields to a line of JSON, and returns the new end of the chain. */
export function linked(line: string, { n, hash: prev }: Head): { readonly text: string; readonly head: Head } {
  const text = `${line.trimEnd().slice(0, -1)},"chain":{"n":${n + 1},"prev":"${prev}"}`;
  const hash = hashOf(text);
  return { text: `${text},"hash":"${hash}"}\n`, head: { n: n + 1, hash } };
}

/** The chain's fields of a line; `undefined` if it has none. */
export function linksOf(line: string): LinkedLine | undefined {
  const [, text = "", n = "", prev = "", hash = ""] = LINK.exec(line) ?? [];
  return text === "" ? undefined : { n: Number.parseInt(n, 10), prev, hash, isIntact: hashOf(text) === hash };
}

/** Longer than any line of the audit. */
const TAIL_BYTES = 65_536;

/** Destination of chained lines. */
type Destination = Pick<LineSink, "put"> | DestinationStream;

/** Chains the lines of the audit, and counts lost ones. */
export class AuditSink implements DestinationStream {
  /** Lines lost since the start. */
  lost = 0;
  #unreported = 0;
  /** Result of the last line. */
  last: Written = "written";

  constructor(
    private readonly destination: Destination,
    private readonly clock: Clock,
    private head: Head = BEGINNING,
  ) {}

  /** Appends to a file. The chain continues from the end of the file, or of `<path>.1` after a rotation. */
  static append(path: string, clock: Clock): AuditSink {
    const [own, moved] = [endOf(path), endOf(`${path}.1`)];
    const sink = LineSink.append(path, own.isTorn, { clock });
    return new AuditSink(sink, clock, own.isEmpty ? moved.head : own.head);
  }

  write(line: string): void {
    if (this.#unreported > 0) this.#report();
    this.last = this.#append(line);
    if (this.last !== "lost") return;
    this.lost++;
    this.#unreported++;
  }

  #report(): void {
    const time = new Date(this.clock.now()).toISOString();
    const line = { level: "error", time, audit: true, lost: this.#unreported, msg: "lines of the audit were lost" };
    if (this.#append(JSON.stringify(line)) !== "lost") this.#unreported = 0;
  }

  #append(line: string): Written {
    const { text, head } = linked(line, this.head);
    const written = "put" in this.destination ? this.destination.put(text) : handed(this.destination, text);
    if (written !== "lost") this.head = head;
    return written;
  }
}

function handed(destination: DestinationStream, text: string): Written {
  destination.write(text);
  return "written";
}

/** The end of a file: the last line of its chain, and whether its last line is partial. */
function endOf(path: string): { readonly head: Head; readonly isTorn: boolean; readonly isEmpty: boolean } {
  const tail = tailOf(path);
  const lines = tail.split("\n");
  const links = lines.map((line) => linksOf(line)).findLast((found) => found !== undefined);
  return {
    head: links === undefined ? BEGINNING : { n: links.n, hash: links.hash },
    isTorn: tail !== "" && !tail.endsWith("\n"),
    isEmpty: tail === "",
  };
}

function tailOf(path: string): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const read = readSync(file, bytes, 0, bytes.length, Math.max(0, size - TAIL_BYTES));
    return bytes.subarray(0, read).toString("utf8");
  } finally {
    closeSync(file);
  }
}
