import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { ExchangeClock } from "../calls/index.js";
import { Fault } from "../errors/index.js";
import type { Departure, Dispatch } from "./departure.js";
import { addressOf, type JournalEntry, type NewEntry } from "./journal/entry.js";
import { DayLimitBroken, KeyTaken, type WriteJournal } from "./journal/writeJournal.js";
import type { LimitGate } from "./limits/limitGate.js";
import type { Usage } from "./limits/usage.js";
import type { OutcomeRecorder, Unjournaled } from "./outcomeRecorder.js";
import { SHOWS_WITHIN_MS } from "./reconciler.js";
import { Refusals } from "./together.js";
import { problemOf } from "./write.js";

/** The entries of writes that leave together, by place; undefined for one that another process has sent. */
export type Entries = readonly (JournalEntry | undefined)[];

/** Records writes in the journal before they leave. */
export class EntryWriter {
  constructor(
    private readonly parts: {
      readonly exchangeClock: ExchangeClock;
      readonly journal: WriteJournal;
      readonly unjournaled: Unjournaled;
      /** Whether writes that only reduce risk are sent when the journal cannot be written. */
      readonly cancelWithoutJournal: boolean;
      readonly usage: Pick<Usage, "charge" | "dayLimits">;
      readonly limits: Pick<LimitGate, "dayBroken">;
      readonly outcomes: OutcomeRecorder;
      readonly instrumentation: Instrumentation;
    },
  ) {}

  /**
   * Records all writes for the same time. `taken`: why one has no entry. If another one cannot be recorded, none is to leave; then
   * it throws `Refusals`, or the unexpected error.
   */
  async writeDown(departure: Departure): Promise<{ readonly entries: Entries; readonly taken: readonly unknown[] }> {
    const sentAt = this.parts.exchangeClock.now();
    const records = await Promise.allSettled(departure.writes.map((write) => this.#record(departure, write, sentAt)));
    const entries = records.map((one) => (one.status === "fulfilled" ? one.value : undefined));
    const taken = records.map((one): unknown => (one.status === "rejected" ? one.reason : undefined));
    const faults = taken.map((error) => (error instanceof DayLimitBroken ? this.parts.limits.dayBroken(error) : error));
    const failures = faults.filter((error) => error !== undefined && !(error instanceof KeyTaken));
    if (failures.length === 0) return { entries, taken };
    const unexpected = failures.find((error) => !(error instanceof Fault));
    const error = unexpected ?? new Refusals(faults.map((fault) => (fault instanceof Fault ? fault : undefined)));
    this.withdraw(entries, error);
    throw error;
  }

  /** Records that these writes have not left after all. */
  withdraw(entries: Entries, error: unknown): void {
    const faults: readonly unknown[] = error instanceof Refusals ? error.each() : [];
    entries.forEach((entry, at) => {
      const fault = faults[at] ?? error;
      if (entry !== undefined && fault instanceof Fault)
        this.parts.outcomes.note(entry, { state: "UNSENT", problem: problemOf(fault) });
    });
  }

  async #record(
    { account, user, author, trace }: Departure,
    { mutation, plan, key, digest }: Dispatch,
    sentAt: number,
  ): Promise<JournalEntry> {
    const { journal, unjournaled, cancelWithoutJournal, usage, instrumentation } = this.parts;
    const { policy, values } = plan;
    const clientOid: unknown = policy.clientOid === undefined ? undefined : values[policy.clientOid];
    const entry: NewEntry = {
      user,
      account: account.name,
      who: author?.who ?? null,
      mutation,
      endpoint: policy.endpoint.name,
      key,
      digest,
      clientOid: typeof clientOid === "string" ? clientOid : null,
      values,
      charge: usage.charge(addressOf(user, key)),
      sentAt,
      validUntil: sentAt + policy.validForMs(values) + SHOWS_WITHIN_MS,
      traceparent: trace.recording?.newWrite() ?? null,
    };
    try {
      return await journal.record(entry, usage.dayLimits(addressOf(user, key)));
    } catch (error) {
      if (error instanceof DayLimitBroken || error instanceof KeyTaken || !plan.reducesRisk || !cancelWithoutJournal) throw error;
      const unwritten = unjournaled.record(entry);
      instrumentation.writeFailure.publish({ write: unwritten, error });
      return unwritten;
    }
  }
}
