import { type Clock, systemClock } from "@exchange-graph/contract/clock";
import type { DestinationStream } from "pino";
import type { AuditTrail } from "../../access/principal/auditTrail.js";
import { Fault } from "../../datasources/index.js";
import { isUnjournaled, type JournalEntry } from "../../datasources/writes/index.js";
import type { Origin, Refusal } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import { createLog, type Logger, standardOutput } from "../logs/log.js";
import { AuditSink } from "./auditSink.js";

const MAX_NAME = 100;

/**
 * The audit: one line for each write before it is sent, one for each mutation with its outcome, one for each export, and one for
 * each answer with a refusal. Arguments are reduced to the subject of a mutation, so that a line contains no secret unless the client put it there.
 */
export class Audit implements AuditTrail {
  constructor(
    private readonly log: Logger,
    private readonly options: {
      readonly sink: Pick<AuditSink, "last" | "lost">;
      /** Whether writes are refused if their audit line cannot be written. */
      readonly isRequired: boolean;
      /** Called for each line that could not be written. */
      readonly onLost?: (() => void) | undefined;
    },
  ) {}

  /** Number of lines that could not be written. */
  get lost(): number {
    return this.options.sink.lost;
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

  /** Records an answer with refusals. */
  refused({ origin, operation, codes }: Refusal): void {
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
    const { sink, onLost } = this.options;
    if (sink.last === "lost") onLost?.();
    return sink.last === "written";
  }

  /** The client and request, as in every line. */
  #requestOf({ who, address, over, requestId, traceId }: Origin) {
    return { who, address, over, requestId, traceId };
  }
}

interface AuditOptions {
  /** File of the audit. */
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
export function openAudit({ path, destination, clock = systemClock, isRequired = false, onLost }: AuditOptions): Audit {
  const sink = path === undefined ? new AuditSink(destination ?? standardOutput(clock), clock) : AuditSink.append(path, clock);
  const log = createLog("info", sink).child({ audit: true }, { level: "info" });
  return new Audit(log, { sink, isRequired, onLost });
}
