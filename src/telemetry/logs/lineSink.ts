import { closeSync, fstatSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "@exchange-graph/contract/clock";
import type { DestinationStream } from "pino";

/** Result of a line: it is in the file, buffered for a slow reader, or lost. */
export type LineResult = "written" | "kept" | "lost";

/** Interval of further attempts at a full disk or a slow reader. */
const RETRY_MS = 500;
/** Maximum bytes buffered for a slow reader. */
const MAX_KEPT_BYTES = 1_048_576;
/** Interval of checks whether the file was moved away. */
const LOOK_MS = 1_000;

interface SinkOptions {
  readonly clock: Clock;
  /** A line that reports the number of lost lines, written as soon as possible. Default: none. */
  readonly lostLine?: (lost: number) => string;
}

/**
 * Writes whole lines to a file synchronously, because buffered lines would be lost in a crash. It never throws or waits: lines
 * that a full disk does not take are lost and counted; lines that a slow reader does not take yet are buffered up to a bound.
 */
export class LineSink implements DestinationStream {
  /** Lines lost since the start. */
  lost = 0;
  #unreported = 0;
  #keptBytes = 0;
  readonly #kept: Buffer[] = [];
  /** Whether the file ends in a partial line. */
  #isTorn: boolean;
  #retry: (() => void) | undefined;

  private constructor(
    private readonly descriptor: () => number,
    isTorn: boolean,
    private readonly options: SinkOptions,
  ) {
    this.#isTorn = isTorn;
  }

  /** Writes to an open file, such as standard output. */
  static to(descriptor: number, options: SinkOptions): LineSink {
    return new LineSink(() => descriptor, false, options);
  }

  /** Appends to a file that only its owner may read. When the file is moved away, a new one of the same name is created. */
  static append(path: string, isTorn: boolean, options: SinkOptions): LineSink {
    const file = new FollowedFile(path, options.clock);
    return new LineSink(() => file.descriptor(), isTorn, options);
  }

  write(line: string): void {
    this.put(line);
  }

  /** Writes a line, which ends with a newline. */
  put(line: string): LineResult {
    if (this.#kept.length === 0 && this.#unreported > 0) this.#report();
    return this.#put(line);
  }

  #put(line: string): LineResult {
    const bytes = Buffer.from(line);
    if (this.#kept.length > 0) return this.#keep(bytes);
    return this.#send(this.#isTorn ? Buffer.concat([LINE_FEED, bytes]) : bytes);
  }

  #send(bytes: Buffer): LineResult {
    const left = this.#sendSome(bytes);
    if (left === "failed") return this.#lose();
    return left.length === 0 ? "written" : this.#keep(left, left.length < bytes.length);
  }

  /** Writes as much as the reader takes, and returns the rest. */
  #sendSome(bytes: Buffer): Buffer | "failed" {
    let at = 0;
    try {
      while (at < bytes.length) at += writeSync(this.descriptor(), bytes, at);
      this.#isTorn = false;
      return NOTHING;
    } catch (error) {
      if (codeOf(error) === "EAGAIN") return bytes.subarray(at);
      if (at > 0) this.#isTorn = true;
      return "failed";
    }
  }

  #keep(bytes: Buffer, hasBegun = false): LineResult {
    if (!hasBegun && this.#keptBytes + bytes.length > MAX_KEPT_BYTES) return this.#lose();
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length;
    this.#tryLater();
    return "kept";
  }

  #lose(): "lost" {
    this.lost++;
    this.#unreported++;
    if (this.options.lostLine !== undefined) this.#tryLater();
    return "lost";
  }

  #report(): void {
    const { lostLine } = this.options;
    if (lostLine === undefined) return;
    const lost = this.#unreported;
    this.#unreported = 0;
    if (this.#put(lostLine(lost)) !== "lost") return;
    this.lost--;
    this.#unreported = lost;
  }

  #tryLater(): void {
    this.#retry ??= this.options.clock.after(RETRY_MS, () => {
      this.#retry = undefined;
      this.#sendKept();
      if (this.#kept.length === 0 && this.#unreported > 0) this.#report();
    });
  }

  #sendKept(): void {
    for (let bytes = this.#kept[0]; bytes !== undefined; bytes = this.#kept[0]) {
      const left = this.#sendSome(bytes);
      if (left !== "failed" && left.length > 0) {
        this.#kept[0] = left;
        this.#keptBytes -= bytes.length - left.length;
        this.#tryLater();
        return;
      }
      this.#kept.shift();
      this.#keptBytes -= bytes.length;
      if (left === "failed") this.#lose();
    }
  }
}

const NOTHING = Buffer.alloc(0);
const LINE_FEED = Buffer.from("\n");

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** A file that is reopened by name when it was moved away. */
class FollowedFile {
  #open: number | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly path: string,
    private readonly clock: Clock,
  ) {}

  /** Throws if the file cannot be opened. */
  descriptor(): number {
    const now = this.clock.now();
    if (this.#open !== undefined && Math.abs(now - this.#lookedAt) < LOOK_MS) return this.#open;
    this.#lookedAt = now;
    if (this.#open !== undefined && statSync(this.path, { throwIfNoEntry: false })?.ino === fstatSync(this.#open).ino)
      return this.#open;
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const next = openSync(this.path, "a", 0o600);
    if (this.#open !== undefined) closeSync(this.#open);
    this.#open = next;
    return next;
  }
}
