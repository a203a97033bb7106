import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type Clock, systemClock } from "@exchange-graph/contract/clock";
import type { DestinationStream } from "pino";
import type { AuditTrail } from "../../access/principal/auditTrail.js";
import { Fault } from "../../datasources/index.js";
import { isUnjournaled, type JournalEntry } from "../../datasources/writes/index.js";
import type { Origin, RefusedAnswer } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import { type LineResult, LineSink } from "../logs/lineSink.js";
import { createLog, type Logger, standardOutput } from "../logs/log.js";

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

type Destination = Pick<LineSink, "put"> | DestinationStream;

/** Chains the lines of the audit, and counts lost ones. */
class AuditSink implements DestinationStream {
  /** Lines lost since the start. */
  lost = 0;
  #unreported = 0;
  last: LineResult = "written";

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

  #append(line: string): LineResult {
    const { text, head } = linked(line, this.head);
    const written = "put" in this.destination ? this.destination.put(text) : handed(this.destination, text);
    if (written !== "lost") this.head = head;
    return written;
  }
}

function handed(destination: DestinationStream, text: string): LineResult {
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

const MAX_NAME = 100;

/**
 * The audit: one line for each write before it is sent, one for each mutation with its outcome, one for each export, and one for
 * each answer with a refusal. Only the arguments that name the subject of a mutation are recorded, so a line contains no secret
 * unless a client put it there.
 */
export class Audit implements AuditTrail {
  constructor(
    private readonly log: Logger,
    private readonly sink: Pick<AuditSink, "last" | "lost">,
    private readonly options: Pick<AuditOptions, "isRequired" | "onLost">,
  ) {}

  /** Number of lines that could not be written. */
  get lost(): number {
    return this.sink.lost;
  }

  /** Records the events of these channels from now on. */
  follow(events: Instrumentation): void {
    listen(events, events.mutation, ({ origin, ...mutation }) =>
      this.#write({ ...this.#requestOf(origin), ...mutation }, "mutation"),
    );
    listen(events, events.exported, ({ origin, ...exported }) =>
      this.#write({ ...this.#requestOf(origin), ...exported }, "export"),
    );
    listen(events, events.refusal, (refusal) => this.refused(refusal));
  }

  refused({ origin, operation, codes }: RefusedAnswer): void {
    const line = { ...this.#requestOf(origin), operation: operation?.slice(0, MAX_NAME) ?? null, codes: [...new Set(codes)] };
    this.#write({ ...line, refusals: codes.length }, "refused");
  }

  /** Records that a write is about to be sent. Throws if it must not be sent without its line; writes that reduce risk may. */
  leaving(origin: Origin, { seq, account, mutation, endpoint, key, clientOid }: JournalEntry, reducesRisk: boolean): void {
    const write = isUnjournaled({ seq }) ? null : String(seq);
    const isWritten = this.#write({ ...this.#requestOf(origin), mutation, account, endpoint, key, clientOid, write }, "intent");
    if (isWritten || !this.options.isRequired || reducesRisk) return;
    throw new Fault("AUDIT_UNAVAILABLE", "the audit cannot be written; nothing was sent", { retryAfterMs: 1_000 });
  }

  #write(line: object, msg: string): boolean {
    this.log.info(line, msg);
    if (this.sink.last === "lost") this.options.onLost?.();
    return this.sink.last === "written";
  }

  /** The client and request, as in every line. */
  #requestOf({ who, address, over, requestId, traceId }: Origin) {
    return { who, address, over, requestId, traceId };
  }
}

interface AuditOptions {
  readonly path?: string | undefined;
  /** Destination without a file: the log's own. */
  readonly destination?: DestinationStream;
  readonly clock?: Clock;
  /** Whether writes are refused if their audit line cannot be written. */
  readonly isRequired?: boolean;
  /** Called when a line cannot be written. */
  readonly onLost?: () => void;
}

/** Opens the audit, in its own file or, marked with `audit`, in the log. The log level has no effect on it. */
export function openAudit({ path, destination, clock = systemClock, ...options }: AuditOptions): Audit {
  const sink = path === undefined ? new AuditSink(destination ?? standardOutput(clock), clock) : AuditSink.append(path, clock);
  const log = createLog("info", sink).child({ audit: true }, { level: "info" });
  return new Audit(log, sink, options);
}
