import { SECOND_MS } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import type { FaultCode } from "../../fault.js";
import type { JournalEntry } from "../journal/entry.js";

/** Reads for one account that are neither shared nor cached: the exchange's present state. */
export interface LookUp {
  read<P extends ParameterSet, D>(endpoint: Endpoint<P, D>, values: Values<P>): Promise<D>;
}

/** A write whose answer was lost. */
export interface LostWrite<P extends ParameterSet> {
  readonly values: Values<P>;
  readonly entry: JournalEntry;
  /** When the exchange has refused it for a reason that it may be itself: its name is taken. */
  readonly refusedAt: number | undefined;
  /** Other writes of this account to the same endpoint around the same time: their traces may be alike. */
  others(): Promise<readonly JournalEntry[]>;
  /** Those of them, however much later, that may have taken effect after this one: they may have covered its traces. */
  since(): Promise<readonly JournalEntry[]>;
}

/**
 * What a look-up says about a lost write: it took effect, it can no longer take effect, there is no trace of it (which
 * counts once its request has expired), what bears its name is another write's (which explains a refusal of the name), or
 * there are traces that cannot be distinguished from those of another write.
 */
export type Finding<R> =
  | { readonly accepted: R }
  | { readonly rejected: FaultCode; readonly why: string }
  | "no trace"
  | "another's"
  | "undecidable";

/** How a lost write is found again. */
interface Proof<P extends ParameterSet, R> {
  /** The reads that prove it, by their endpoints' names. */
  readonly reads: readonly string[];
  /** What shows that the write took effect, in words. */
  readonly shows: string;
  /** Asks once. Throws `Fault` when the exchange does not answer. */
  look(lookUp: LookUp, lost: LostWrite<P>): Promise<Finding<R>>;
}

/** A refusal inside an answer that says success. */
interface InnerRefusal {
  readonly code: FaultCode;
  readonly why: string;
}

/** What such a refusal is: it comes without a code, so its text decides. */
export const innerRefusal = (why: string): InnerRefusal => ({
  code: SAYS_NOT_FOUND.test(why) ? "ORDER_NOT_FOUND" : "EXCHANGE_REJECTED",
  why,
});
const SAYS_NOT_FOUND = /\border\b.*\b(?:not exist|not found|cannot be found)\b|\bno order\b/i;

/**
 * What the gateway knows about an endpoint that writes. `D` is what the exchange answers, `R` what the client gets of it:
 * the journal keeps an `R`.
 */
export interface WritePolicy<P extends ParameterSet = ParameterSet, D = unknown, R = unknown> {
  readonly endpoint: Endpoint<P, D>;
  /** Taking risk away goes before everything else. */
  readonly priority: "write" | "cancel";
  /** The parameter that carries our own name for what is written. */
  readonly clientOid: string | undefined;
  /** How long after it was signed a request may still be carried out, ms. */
  validForMs(values: Values<P>): number;
  reply(data: D, values: Values<P>): R;
  /** Is this the answer to that very request? Answers name what they are about, most of them. */
  isAnswerTo(data: D, values: Values<P>): boolean;
  /** Some endpoints say no inside an answer that says success: what it is, and why. */
  refusedIn?(data: D): InnerRefusal | undefined;
  /** Codes of refusals that a copy of the request may hear which somebody on the way has sent, besides that of a taken name. */
  readonly echoes: readonly string[];
  /** Reads of the account that wrote whose cached answers it makes stale. */
  readonly invalidates: readonly Endpoint[];
  /** What is remembered of an account and is another one after it. */
  readonly changes: "accountMode" | "positionMode" | undefined;
  /** Absent where no read can prove it. */
  readonly proof?: Proof<P, R>;
}

/** Defines a policy. Signed requests are refused once their timestamp is too old, which bounds every one of them. */
export const policy = <P extends ParameterSet, D, R>(
  endpoint: Endpoint<P, D>,
  definition: Partial<Pick<WritePolicy<P, D, R>, "priority" | "clientOid" | "validForMs" | "isAnswerTo" | "echoes" | "changes">> &
    Pick<WritePolicy<P, D, R>, "reply" | "invalidates"> &
    Partial<Pick<WritePolicy<P, D, R>, "refusedIn" | "proof">>,
): WritePolicy<P, D, R> => ({
  endpoint,
  priority: "write",
  clientOid: "clientOid" in endpoint.parameters ? "clientOid" : undefined,
  validForMs: () => TIMESTAMP_WINDOW_MS,
  isAnswerTo: () => true,
  echoes: [],
  changes: undefined,
  ...definition,
});

/** How much earlier than its signature a request's effect may be dated: two clocks never agree to the last. */
export const CLOCK_TOLERANCE_MS = 1_000;

/** The stretch of time in which a write can have left a trace: the exchange refuses what is signed for another time. */
export const lifetimeOf = ({ sentAt, validUntil }: JournalEntry) => ({
  startTime: sentAt - TIMESTAMP_WINDOW_MS,
  endTime: validUntil,
});

/** The last moment that a time may mean: the exchange gives some in whole seconds. */
const latest = (time: number): number => (time % SECOND_MS === 0 ? time + SECOND_MS - 1 : time);

/** Do two times of the exchange mean one moment, at the precision that they have? */
export const isSameMoment = (one: number, other: number): boolean => one <= latest(other) && other <= latest(one);

/**
 * Has this come about since the write was sent? Of what is a little older nobody can say: a request is carried out as well
 * when it was signed by a clock that was ahead, as long as the exchange does not refuse it.
 */
export function isSince({ entry }: { readonly entry: JournalEntry }, createdTime: number): "yes" | "perhaps" | "no" {
  if (createdTime > entry.validUntil) return "no";
  if (latest(createdTime) >= entry.sentAt - CLOCK_TOLERANCE_MS) return "yes";
  return latest(createdTime) >= lifetimeOf(entry).startTime ? "perhaps" : "no";
}

/** Did this happen after the write was sent, as far as clocks agree? */
export const isAfter = ({ entry }: { readonly entry: JournalEntry }, createdTime: number): boolean =>
  createdTime > entry.sentAt + CLOCK_TOLERANCE_MS;
