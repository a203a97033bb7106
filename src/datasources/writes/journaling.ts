import { endpointNamed } from "@exchange-graph/contract";
import { errorRow } from "@exchange-graph/contract/errors";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { PRODUCT_CATEGORIES, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import { Fault, growingLru } from "../errors/index.js";
import { BatchRefused } from "./batchAssembly.js";
import { addressOf, type JournalEntry, type NewEntry, sent, type Verdict, type WriteProblem } from "./journal/journalEntry.js";
import { DayLimitBroken, KeyTaken } from "./journal/writeJournal.js";
import { policyOf } from "./policies/index.js";
import { SHOWS_WITHIN_MS } from "./policies/policy.js";
import type { PlannedWrite, WriteBatch } from "./writeBatch.js";
import type { WriteParts } from "./writeParts.js";
import { problemOf } from "./writePlan.js";

/** The entries of the writes of a batch, by index; undefined for one that another process has sent. */
export type Entries = readonly (JournalEntry | undefined)[];

/** Records writes in the journal before they are sent. */
export class EntryWriter {
  constructor(
    private readonly parts: Pick<
      WriteParts,
      "exchangeClock" | "journal" | "cancelWithoutJournal" | "usage" | "limits" | "instrumentation"
    > & { readonly unjournaled: Unjournaled; readonly outcomes: OutcomeRecorder },
  ) {}

  /**
   * Records all writes with the same time. `taken`: why a write has no entry. If a write cannot be recorded for another reason,
   * none may be sent: throws `BatchRefused`, or the unexpected error.
   */
  async writeDown(batch: WriteBatch): Promise<{ readonly entries: Entries; readonly taken: readonly unknown[] }> {
    const sentAt = this.parts.exchangeClock.now();
    const records = await Promise.allSettled(batch.writes.map((write) => this.#record(batch, write, sentAt)));
    const entries = records.map((one) => (one.status === "fulfilled" ? one.value : undefined));
    const taken = records.map((one): unknown => (one.status === "rejected" ? one.reason : undefined));
    const faults = taken.map((error) => (error instanceof DayLimitBroken ? this.parts.limits.dayBroken(error) : error));
    const failures = faults.filter((error) => error !== undefined && !(error instanceof KeyTaken));
    if (failures.length === 0) return { entries, taken };
    const unexpected = failures.find((error) => !(error instanceof Fault));
    const error = unexpected ?? new BatchRefused(faults.map((fault) => (fault instanceof Fault ? fault : undefined)));
    this.withdraw(entries, error);
    throw error;
  }

  /** Records that these writes were not sent after all. */
  withdraw(entries: Entries, error: unknown): void {
    const faults: readonly unknown[] = error instanceof BatchRefused ? error.each() : [];
    entries.forEach((entry, at) => {
      const fault = faults[at] ?? error;
      if (entry !== undefined && fault instanceof Fault)
        this.parts.outcomes.note(entry, { state: "UNSENT", problem: problemOf(fault) });
    });
  }

  async #record(
    { account, user, author, trace }: WriteBatch,
    { mutation, plan, key, digest }: PlannedWrite,
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

/** Maximum number; only writes that reduce risk are sent without the journal. */
const MAX_KEPT = 10_000;

/**
 * Writes that were sent although the journal could not be written. This process remembers them, so that a repetition with the
 * same key sends nothing; after a restart they are unknown. Their numbers are negative, unlike the journal's.
 */
export class Unjournaled {
  readonly #entries = growingLru<JournalEntry>(MAX_KEPT);
  #last = 0;

  record(entry: NewEntry): JournalEntry {
    const recorded = sent(entry, --this.#last);
    this.settle(recorded);
    return recorded;
  }

  settle(entry: JournalEntry): void {
    this.#entries.set(addressOf(entry.user, entry.key), entry);
  }

  /** The sent write with this key; an unsent one does not count. */
  find(user: string, key: string): JournalEntry | undefined {
    const found = this.#entries.get(addressOf(user, key));
    return found?.state === "UNSENT" ? undefined : found;
  }
}

/** Whether this write is not in the journal. */
export const isUnjournaled = ({ seq }: Pick<JournalEntry, "seq">): boolean => seq < 0;

/** Applies the outcome of a write: drops stale answers, and records it in the journal. */
export class OutcomeRecorder {
  constructor(
    private readonly parts: Pick<
      WriteParts,
      "reader" | "knownUsers" | "modes" | "positionModes" | "journal" | "usage" | "exchangeClock" | "instrumentation"
    > & { readonly unjournaled: Unjournaled },
  ) {}

  /**
   * Records a verdict and returns the entry with it. It does not wait for the journal: the intent is recorded, and if the process
   * ends before, the entry stays open and its outcome is looked up again.
   */
  note(entry: JournalEntry, { state, reply = null, problem }: Verdict): JournalEntry {
    const { journal, unjournaled, instrumentation, exchangeClock } = this.parts;
    const noted: JournalEntry = { ...entry, state, reply, problem: problem ?? null, settledAt: exchangeClock.now() };
    this.#forgetThePast(noted);
    this.parts.usage.settled(noted);
    if (isUnjournaled(noted)) unjournaled.settle(noted);
    else void journal.settle(noted);
    instrumentation.write.publish(noted);
    return noted;
  }

  /**
   * Returns the outcome of an earlier write once more. Another process may have found it, so cached answers from before it are
   * dropped.
   */
  again(entry: JournalEntry): JournalEntry {
    this.#forgetThePast(entry);
    return entry;
  }

  #forgetThePast({ user, account, endpoint, values, problem }: JournalEntry): void {
    const { reader, knownUsers, modes, positionModes } = this.parts;
    const policy = policyOf(endpoint);
    const { invalidates = [], category = categoryOf(values), changes } = policy ?? {};
    const unchanged = policy?.unchanged?.(values) ?? [];
    // The user's current account names: they may have changed since the write was sent.
    const names = knownUsers.accountsOf(user).map(({ name }) => name);
    const [present = account] = names;
    reader.invalidate(
      present,
      invalidates.filter((one) => !unchanged.includes(one)).map(({ name }) => name),
      category,
    );
    if (changes === "accountMode" || problem?.code === "ACCOUNT_MODE_MISMATCH")
      for (const name of [present, ...names]) modes.forget({ name });
    if (changes === "positionMode" || changes === "marginMode" || isAboutPositionMode(endpoint, problem))
      positionModes.forget(user);
  }
}

/** The product category that the parameters of a write name: `category` of v3, `productType` of v2. */
function categoryOf({ category, productType = category }: JournalEntry["values"]): ProductCategory | undefined {
  return PRODUCT_CATEGORIES.find((one) => typeof productType === "string" && one === inCapitals(productType));
}

/** Whether a refusal means that the account has another position mode than assumed. */
function isAboutPositionMode(endpoint: string, problem: WriteProblem | null): boolean {
  const table = endpointNamed(endpoint)?.apiVersion;
  const code = problem?.exchange?.code;
  if (table === undefined || code === undefined) return false;
  const category = errorRow(table, code)?.category;
  return category === "positionMode" || category === "marginMode";
}
