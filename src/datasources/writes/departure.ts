import type { ExchangeAccount, Requester } from "../calls/index.js";
import type { Trace } from "../reads/index.js";
import type { JournalEntry } from "./journal/entry.js";
import type { Batch } from "./policies/batch.js";
import type { Loss } from "./reconciler.js";
import type { Plan, UpstreamRequest, WriteAuthor } from "./write.js";

/** A write to be sent. */
export interface Dispatch {
  readonly mutation: string;
  readonly requester: Requester;
  readonly plan: Plan<unknown>;
  readonly key: string;
  readonly digest: string;
}

/** Writes of one account that are sent together: all of them leave, or none. Most are one. */
export interface Departure {
  readonly account: ExchangeAccount;
  readonly user: string;
  readonly author: WriteAuthor | undefined;
  readonly trace: Trace;
  readonly writes: readonly Dispatch[];
  readonly limits: {
    /** Version of the limits that they have passed. */
    readonly passed: number;
    /** Checks them against the limits in force, and counts their use. Throws `Refusals`. */
    passLimits(): Promise<void>;
  };
  /** Local clock, Unix ms: no client waits for an answer after it. */
  readonly deadlineAt: number;
}

/**
 * The end of a write that was to be sent: the journal's entry if the outcome is known, otherwise the loss. `unsent`: why it was
 * certainly not sent.
 */
export type Sent = { readonly ended: JournalEntry } | { readonly lost: Loss } | { readonly unsent: unknown };

/** A call to the exchange, and the writes that it carries, by their places. */
export interface Call {
  readonly request: UpstreamRequest;
  /** Undefined for the call of a single write. */
  readonly batch: Batch | undefined;
  readonly places: readonly number[];
}

/** The fewest calls for these writes: one for all that a call of the exchange takes together, and one for every other write. */
export function callsFor(plans: readonly Plan<unknown>[]): readonly Call[] {
  const groups = new Map<string, { readonly batch: Batch | undefined; readonly places: number[] }>();
  plans.forEach(({ policy: { batch }, values }, at) => {
    const group = batch?.groupOf(values);
    const name = batch === undefined || group === undefined ? `${at}` : `${batch.endpoint.name} ${group}`;
    const existing = groups.get(name) ?? { batch: group === undefined ? undefined : batch, places: [] };
    groups.set(name, existing);
    existing.places.push(at);
  });
  return [...groups.values()].flatMap(({ batch, places }) =>
    chunks(places, batch?.most ?? 1).map((some): Call => {
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
