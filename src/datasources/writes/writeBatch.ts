import type { ExchangeAccount, Requester, SharedRequester } from "../calls/index.js";
import { Fault } from "../errors/index.js";
import type { Trace } from "../reads/index.js";
import type { JournalEntry } from "./journal/journalEntry.js";
import type { LostAnswer } from "./outcomeReconciler.js";
import type { Batch } from "./policies/policy.js";
import type { UpstreamRequest, WriteAuthor, WritePlan, WriteRequest, WriteResult } from "./writePlan.js";

export interface PlannedWrite {
  readonly mutation: string;
  readonly requester: Requester;
  readonly plan: WritePlan<unknown>;
  readonly key: string;
  readonly digest: string;
}

/** Writes of one account that are sent together: all of them, or none. Most batches have one write. */
export interface WriteBatch {
  readonly account: ExchangeAccount;
  readonly user: string;
  readonly author: WriteAuthor | undefined;
  readonly trace: Trace;
  readonly writes: readonly PlannedWrite[];
  readonly limits: {
    /** Version of the limits that the writes have passed. */
    readonly passed: number;
    /** Checks those with these keys against the limits in force, and counts their use. Throws `BatchRefused`. */
    passLimits(keys: ReadonlySet<string>): Promise<void>;
  };
  /** Local clock, Unix ms: no client waits for an answer after it. */
  readonly deadlineAt: number;
}

/**
 * The outcome of a write that was to be sent: the journal's entry if it is known, otherwise the lost answer. `unsent`: why it was
 * certainly not sent.
 */
export type SendOutcome = { readonly ended: JournalEntry } | { readonly lost: LostAnswer } | { readonly unsent: unknown };

/** A call to the exchange, and the writes that it carries, by index. */
export interface BatchCall {
  readonly request: UpstreamRequest;
  /** Undefined for the call of a single write. */
  readonly batch: Batch | undefined;
  readonly places: readonly number[];
}

/** The fewest calls for these writes: one for all that a call of the exchange takes together, and one for every other write. */
export function callsFor(plans: readonly WritePlan<unknown>[]): readonly BatchCall[] {
  const groups = new Map<string, { readonly batch: Batch | undefined; readonly places: number[] }>();
  plans.forEach(({ policy: { batch }, values }, at) => {
    const group = batch?.groupOf(values);
    const name = batch === undefined || group === undefined ? `${at}` : `${batch.endpoint.name} ${group}`;
    const existing = groups.get(name) ?? { batch: group === undefined ? undefined : batch, places: [] };
    groups.set(name, existing);
    existing.places.push(at);
  });
  return [...groups.values()].flatMap(({ batch, places }) =>
    chunks(places, batch?.most ?? 1).map((some): BatchCall => {
      const writes = some.map((at) => plans[at]).filter((plan) => plan !== undefined);
      const [first] = writes;
      if (first === undefined) throw new TypeError("a call carries at least one write");
      if (batch === undefined || writes.length === 1)
        return { request: { endpoint: first.policy.endpoint, values: first.values }, batch: undefined, places: some };
      const values = batch.carrying(writes.map((plan) => plan.values));
      return { request: { endpoint: batch.endpoint, values }, batch, places: some };
    }),
  );
}

const chunks = (places: readonly number[], most: number): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(places.length / most) }, (_, at) => places.slice(at * most, (at + 1) * most));

/** The user of the account; while it is not known, its placeholder and the reason. */
export interface WriteOwner {
  readonly user: string;
  readonly unknown: Unreadable | undefined;
}

/** It is not known whether the key was used before. */
export class Unreadable {
  constructor(readonly why: unknown) {}
}

/** A running write, or the earlier one with the same key. */
export interface RunningWrite {
  readonly digest: string;
  readonly end: Promise<WriteEnd | WriteResult<never>>;
}

/** Outcome of a write that was sent. */
export interface WriteEnd {
  readonly ended: JournalEntry;
  /** Whether it was not sent by this request but earlier, or by another process. */
  readonly isReplay: boolean;
}

/** A running write that is being looked for or started, and the requesters that wait for it. */
export interface SharedWrite {
  readonly requester: SharedRequester;
  readonly running: Promise<RunningWrite>;
}

/** Whether nothing was sent because no client waited for it any more. */
export const isGivenUp = (error: unknown): boolean => error instanceof Fault && error.code === "CLIENT_GONE";

/** Settles when a running write has ended. */
export const outcomeOfRunning = (running: Promise<RunningWrite>): Promise<unknown> => running.then(({ end }) => end);

/** A write with its owner, its key and the digest of its values. */
export interface Identified {
  readonly request: WriteRequest<unknown>;
  readonly owner: WriteOwner;
  readonly key: string;
  readonly digest: string;
  readonly address: string;
  /** Why it is not known whether the key was used before. */
  readonly unreadable?: Unreadable | undefined;
}

/** The end of a write; `failed`: why it was not sent, if its client cannot fix the cause. */
export type WriteEndOrFailure = WriteEnd | WriteResult<never> | { readonly failed: unknown };

export function orThrow(end: WriteEndOrFailure): WriteEnd | WriteResult<never> {
  if ("failed" in end) throw end.failed;
  return end;
}

export function alone<T>(all: readonly T[]): T {
  const [only] = all;
  if (only === undefined) throw new TypeError("one write has one end");
  return only;
}
