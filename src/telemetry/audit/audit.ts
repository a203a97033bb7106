import type { AuditTrail } from "../../access/principal/auditTrail.js";
import { Fault } from "../../datasources/index.js";
import type { JournalEntry } from "../../datasources/writes/journal/entry.js";
import { isUnjournaled } from "../../datasources/writes/unjournaled.js";
import type { Origin, Refusal } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import type { Logger } from "../logs/log.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import type { AuditSink } from "./auditSink.js";

const MAX_NAME = 100;

/**
 * Who did what: one line for each write before it leaves, one for each mutation, whatever became of it, and one for each
 * answer that refused something.
 * Arguments are reduced to what a mutation was about, so no line holds more of a secret than a client puts there itself.
 */
export class Audit implements AuditTrail {
  constructor(
    private readonly log: Logger,
    private readonly options: {
      readonly sink: Pick<AuditSink, "last" | "lost">;
      /** Are writes refused that cannot be audited? */
      readonly isRequired: boolean;
      /** Called with each line that could not be written. */
      readonly onLost?: (() => void) | undefined;
      readonly traceIds?: Pick<TraceIds, "ofOrigin"> | undefined;
    },
  ) {}

  /** Lines that could not be written. */
  get lost(): number {
    return this.options.sink.lost;
  }

  /** Writes down what is published on these channels from now on. */
  follow(events: Instrumentation): void {
    listen(events, events.mutation, ({ origin, ...mutation }) =>
      this.#write({ ...this.#askedBy(origin), ...mutation }, "mutation"),
    );
    listen(events, events.refusal, (refusal) => this.refused(refusal));
  }

  /** An answer refused something. */
  refused({ origin, operation, codes }: Refusal): void {
    const line = { ...this.#askedBy(origin), operation: operation?.slice(0, MAX_NAME) ?? null, codes: [...new Set(codes)] };
    this.#write({ ...line, refusals: codes.length }, "refused");
  }

  /** A write is about to leave. Throws where that must not be without a line that says so; what takes risk away may go. */
  leaving(origin: Origin, { seq, account, mutation, endpoint, key, clientOid }: JournalEntry, reducesRisk: boolean): void {
    const write = isUnjournaled({ seq }) ? null : String(seq);
    const isWritten = this.#write({ ...this.#askedBy(origin), mutation, account, endpoint, key, clientOid, write }, "intent");
    if (isWritten || !this.options.isRequired || reducesRisk) return;
    throw new Fault("AUDIT_UNAVAILABLE", "the audit cannot be written; nothing was sent", { retryAfterMs: 1_000 });
  }

  #write(line: object, msg: string): boolean {
    this.log.info(line, msg);
    const { sink, onLost } = this.options;
    if (sink.last === "lost") onLost?.();
    return sink.last === "written";
  }

  /** Who asked, and how: as each line of the audit says it. */
  #askedBy(origin: Origin) {
    const { who, address, over, requestId } = origin;
    return { who, address, over, requestId, traceId: this.options.traceIds?.ofOrigin(origin) };
  }
}
