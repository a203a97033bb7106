import type { Endpoint } from "../../../contract/endpoint.js";
import type { ParameterSet, Values } from "../../../contract/parameter.js";
import { TIMESTAMP_WINDOW_MS } from "../../../contract/signing.js";
import type { FaultCode } from "../../fault.js";
import type { JournalEntry } from "../journal/entry.js";

/** Reads for one account that are neither shared nor cached: the truth as the exchange tells it now. */
export interface LookUp {
  read<P extends ParameterSet, D>(endpoint: Endpoint<P, D>, values: Values<P>): Promise<D>;
}

/** A write whose answer was lost. */
export interface LostWrite<P extends ParameterSet> {
  readonly values: Values<P>;
  readonly entry: JournalEntry;
  /** The exchange has refused it for a reason that it may be itself: its name is taken. */
  readonly refusal: boolean;
  /** Other writes of this account to the same endpoint around the same time: their traces may be alike. */
  others(): readonly JournalEntry[];
  /** Those of them, however much later, that may have taken effect after this one: they may have covered its traces. */
  since(): readonly JournalEntry[];
}

/**
 * What a look-up says about a lost write: it took effect, it can no longer take effect, there is no trace of it (which
 * counts once its request has expired), or there are traces that cannot be told from those of another write.
 */
export type Finding<R> =
  | { readonly accepted: R }
  | { readonly rejected: FaultCode; readonly why: string }
  | "no trace"
  | "undecidable";

/** How a lost write is found again. */
interface Proof<P extends ParameterSet, R> {
  /** The reads that tell, by their endpoints' names. */
  readonly reads: readonly string[];
  /** What shows that the write took effect, in words. */
  readonly shows: string;
  /** Asks once. Throws `Fault` when the exchange does not answer. */
  look(lookUp: LookUp, lost: LostWrite<P>): Promise<Finding<R>>;
}

/**
 * What the gateway knows about an endpoint that writes. `D` is what the exchange answers, `R` what the caller gets of it:
 * the journal keeps an `R`.
 */
export interface WritePolicy<P extends ParameterSet = ParameterSet, D = unknown, R = unknown> {
  readonly endpoint: Endpoint<P, D>;
  /** Taking risk away goes before everything else. */
  readonly urgency: "write" | "cancel";
  /** The parameter that carries our own name for what is written. */
  readonly clientOid: string | undefined;
  /** How long after it was signed a request may still be carried out, ms. */
  validForMs(values: Values<P>): number;
  reply(data: D, values: Values<P>): R;
  /** Some endpoints say no inside an answer that says success: why. */
  refusedIn?(data: D): string | undefined;
  /** Absent where no read can tell. */
  readonly proof?: Proof<P, R>;
}

/** Defines a policy. Signed requests are refused once their timestamp is too old, which bounds every one of them. */
export const policy = <P extends ParameterSet, D, R>(
  endpoint: Endpoint<P, D>,
  definition: Partial<Pick<WritePolicy<P, D, R>, "urgency" | "clientOid" | "validForMs">> &
    Pick<WritePolicy<P, D, R>, "reply"> &
    Partial<Pick<WritePolicy<P, D, R>, "refusedIn" | "proof">>,
): WritePolicy<P, D, R> => ({
  endpoint,
  urgency: "write",
  clientOid: "clientOid" in endpoint.parameters ? "clientOid" : undefined,
  validForMs: () => TIMESTAMP_WINDOW_MS,
  ...definition,
});

/** How much earlier than we believe to have sent a request its effect may be dated: two clocks never agree to the last. */
const CLOCK_TOLERANCE_MS = 1_000;

/** The stretch of time in which a write can have left a trace. What is older belongs to another one. */
export const lifetimeOf = ({ sentAt, validUntil }: JournalEntry) => ({
  startTime: sentAt - CLOCK_TOLERANCE_MS,
  endTime: validUntil,
});

/** Has this come about since the write was sent? */
export const isSince = ({ entry }: { readonly entry: JournalEntry }, createdTime: number): boolean =>
  createdTime >= lifetimeOf(entry).startTime;
