import { Fault } from "../../datasources/index.js";
import type { JournalEntry } from "../../datasources/writes/journal/entry.js";
import { isUnjournaled } from "../../datasources/writes/unjournaled.js";
import type { Operation } from "../../engine/answers/operation.js";
import type { EndedMutation, MutationObserver } from "../../resolvers/index.js";
import type { Logger } from "../logs/log.js";
import type { AuditSink } from "./auditSink.js";

/** Who asked, and how. */
export interface Origin {
  /** The caller's principal; null for somebody whom nobody knows. */
  readonly who: string | null;
  /** The address it came from, as the socket tells it. */
  readonly address: string | undefined;
  readonly over: "http" | "websocket" | "sse";
  readonly requestId: string;
}

/** Codes that say no to a caller: it is not known, may not do this, or has asked for too much. */
const REFUSALS: ReadonlySet<string> = new Set([
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "RATE_LIMITED",
  "OVERLOADED",
  "QUERY_TOO_EXPENSIVE",
]);

/** What a refusal says that never came as far as GraphQL. */
const REFUSING_STATUS: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "FORBIDDEN",
  413: "REQUEST_TOO_LARGE",
  421: "FORBIDDEN",
  429: "RATE_LIMITED",
};

/** What an answer has refused, in codes: one for each of its errors that is a refusal, or the one of its status. */
export function refusalsIn(operation: Pick<Operation, "errorCodes"> | undefined, status: number): readonly string[] {
  if (operation !== undefined && operation.errorCodes.length > 0)
    return operation.errorCodes.filter((code) => REFUSALS.has(code));
  const code = REFUSING_STATUS[status];
  return code === undefined ? NONE : [code];
}
const NONE: readonly string[] = [];

const MAX_NAME = 100;

/**
 * Who did what: one line for each write before it leaves, one for each mutation, whatever became of it, and one for each
 * answer that refused something.
 * Arguments are reduced to what a mutation was about, so no line holds more of a secret than a caller puts there itself.
 */
export class Audit {
  constructor(
    private readonly log: Logger,
    private readonly options: {
      readonly sink: Pick<AuditSink, "last" | "lost">;
      /** Are writes refused that cannot be audited? */
      readonly isRequired: boolean;
      /** Told of each line that could not be written. */
      readonly onLost?: (() => void) | undefined;
    },
  ) {}

  /** Lines that could not be written. */
  get lost(): number {
    return this.options.sink.lost;
  }

  /** An operation has come in: what listens to its mutations. */
  mutationsOf(origin: Origin): MutationObserver {
    return {
      who: origin.who,
      leaving: (entry, reducesRisk) => this.#leaving(origin, entry, reducesRisk),
      ended: (mutation: EndedMutation) => this.#write({ ...origin, ...mutation }, "mutation"),
    };
  }

  /** An answer refused something: `codes` has one for each refusal, `operation` is the name that its caller gave it. */
  refused(origin: Origin, operation: string | undefined, codes: readonly string[]): void {
    const line = { ...origin, operation: operation?.slice(0, MAX_NAME) ?? null, codes: [...new Set(codes)] };
    this.#write({ ...line, refusals: codes.length }, "refused");
  }

  /** A write is about to leave. Throws where that must not be without a line that says so; what takes risk away may go. */
  #leaving(origin: Origin, { seq, account, mutation, endpoint, key, clientOid }: JournalEntry, reducesRisk: boolean): void {
    const write = isUnjournaled({ seq }) ? null : String(seq);
    const isWritten = this.#write({ ...origin, mutation, account, endpoint, key, clientOid, write }, "intent");
    if (isWritten || !this.options.isRequired || reducesRisk) return;
    throw new Fault("AUDIT_UNAVAILABLE", "the audit cannot be written; nothing was sent", { retryAfterMs: 1_000 });
  }

  #write(line: object, msg: string): boolean {
    this.log.info(line, msg);
    const { sink, onLost } = this.options;
    if (sink.last === "lost") onLost?.();
    return sink.last === "written";
  }
}
