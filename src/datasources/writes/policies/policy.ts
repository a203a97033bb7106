import type { BulkResult } from "@exchange-graph/contract/bulkWrites";
import { SECOND_MS } from "@exchange-graph/contract/clock";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { FaultCode } from "../../errors/index.js";
import type { JournalEntry } from "../journal/journalEntry.js";
import type { OrderIds } from "./replies.js";

type CallValues = Values<ParameterSet>;

/** A call of the exchange that carries several writes of one kind, each with its own result. */
export interface Batch {
  readonly endpoint: Endpoint<ParameterSet, readonly BulkResult[]>;
  /** Maximum number of writes in one call. */
  readonly most: number;
  /**
   * Writes with equal texts can be sent with one call. Undefined for a write with a parameter that the call does not take, or
   * without one that it requires.
   */
  groupOf(values: CallValues): string | undefined;
  carrying(writes: readonly CallValues[]): CallValues;
  /** The order that the write is about, as the results name it. */
  orderOf(values: CallValues): OrderIds;
  /** A result as the answer to the call of that write alone. */
  answerOf(result: BulkResult): unknown;
}

/** A batch of orders, each of which the single call names by `orderId` or `clientOid`, and acknowledges with both. */
const NAMED_ORDERS: Pick<Batch, "orderOf" | "answerOf"> = {
  orderOf: ({ orderId, clientOid }) => ({ orderId: textOf(orderId), clientOid: textOf(clientOid) }),
  answerOf: ({ orderId, clientOid }) => ({ orderId, clientOid }),
};
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Describes a batch by the parameters of the single call, which it takes in its list or for all of its orders. */
export function batchOf<P extends ParameterSet>(
  endpoint: Endpoint<P, readonly BulkResult[]>,
  {
    list,
    alike,
    more = {},
    most,
  }: {
    /** The parameter with the writes. */
    readonly list: keyof P & string;
    /** Parameters in which all writes of a call are equal. */
    readonly alike: readonly string[];
    readonly more?: Partial<Values<P>>;
    /** A lower bound than the interface's, where its sources differ. */
    readonly most?: number;
  },
): Batch {
  const { items = {}, max = 1 } = endpoint.parameters[list] ?? {};
  const common = alike.filter((name) => Object.hasOwn(endpoint.parameters, name));
  const isTaken = (name: string): boolean => Object.hasOwn(items, name) || common.includes(name);
  const picked = (values: CallValues, names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
  const itemNames = Object.keys(items);
  const requiredNames = itemNames.filter((name) => items[name]?.required === true);
  return {
    ...NAMED_ORDERS,
    endpoint: endpoint as unknown as Batch["endpoint"],
    most: most ?? max,
    groupOf: (values) =>
      Object.keys(values).every((name) => values[name] === undefined || isTaken(name)) &&
      requiredNames.every((name) => values[name] !== undefined)
        ? // Orders named by the exchange's identifier and by the client's do not mix.
          JSON.stringify([...alike.map((name) => values[name]), values.orderId === undefined])
        : undefined,
    carrying: (writes) => ({
      ...picked(writes[0] ?? {}, common),
      ...more,
      [list]: writes.map((values) => picked(values, itemNames)),
    }),
  };
}

/** The result of one of the writes in the answer; undefined if the answer does not name it. */
export const resultFor = (results: readonly BulkResult[], { orderId, clientOid }: OrderIds): BulkResult | undefined =>
  results.find((one) => (orderId === undefined ? one.clientOid === clientOid : one.orderId === orderId));

/** Reads for one account that are neither shared nor cached: the exchange's current state. */
export interface LookUp {
  read<P extends ParameterSet, D>(endpoint: Endpoint<P, D>, values: Values<P>): Promise<D>;
}

/** A write whose answer was lost. */
export interface LostWrite<P extends ParameterSet> {
  readonly values: Values<P>;
  readonly entry: JournalEntry;
  /** Time of a refusal that the write itself may have caused, because its identifier is taken. */
  readonly refusedAt: number | undefined;
  /** Other writes of this account to the same endpoint around the same time, with possibly equal traces. */
  others(): Promise<readonly JournalEntry[]>;
  /** Those of them, at any later time, that may have taken effect after this one and replaced its traces. */
  since(): Promise<readonly JournalEntry[]>;
}

/**
 * Result of a look-up for a lost write: it took effect; it can no longer take effect; there is no trace of it, which counts once
 * its request has expired; its identifier belongs to another write, which explains a refusal; or its traces cannot be
 * distinguished from those of another write.
 */
export type LookUpResult<R> =
  | { readonly accepted: R }
  | { readonly rejected: FaultCode; readonly why: string }
  | "no trace"
  | "another's"
  | "undecidable";

/** How the outcome of a lost write is proven. */
interface Proof<P extends ParameterSet, R> {
  /** Names of the endpoints that are read. */
  readonly reads: readonly string[];
  /** The evidence that the write took effect, in words. */
  readonly shows: string;
  /** Looks once. Throws `Fault` if the exchange does not answer. */
  look(lookUp: LookUp, lost: LostWrite<P>): Promise<LookUpResult<R>>;
}

/** The terms of an order that a trigger places at a limit price. */
export interface TriggeredOrder {
  readonly symbol: string;
  readonly side: string;
  readonly qty: DecimalText;
  readonly price: DecimalText;
}

/** A refusal inside a successful answer. */
interface InnerRefusal {
  readonly code: FaultCode;
  readonly why: string;
}

/** Such a refusal has no code, so its text decides. */
export const innerRefusal = (why: string): InnerRefusal => ({
  code: SAYS_NOT_FOUND.test(why) ? "ORDER_NOT_FOUND" : "EXCHANGE_REJECTED",
  why,
});
const SAYS_NOT_FOUND = /\border\b.*\b(?:not exist|not found|cannot be found)\b|\bno order\b/i;

/**
 * The rules of an endpoint that writes. `D` is the exchange's answer, `R` the part that the client gets and the journal stores.
 */
export interface WritePolicy<P extends ParameterSet = ParameterSet, D = unknown, R = unknown> {
  readonly endpoint: Endpoint<P, D>;
  /** Writes that reduce risk have the priority `cancel`. */
  readonly priority: "write" | "cancel";
  /** The parameter of the client's own identifier. */
  readonly clientOid: string | undefined;
  /** Time after its signature during which a request may be executed, in ms. */
  validForMs(values: Values<P>): number;
  reply(data: D, values: Values<P>): R;
  /** Whether this is the answer to that request. Most answers name their subject. */
  isAnswerTo(data: D, values: Values<P>): boolean;
  /** The refusal inside a successful answer, for endpoints that have such. */
  refusedIn?(data: D): InnerRefusal | undefined;
  /** The order that an accepted write replaces by a new one; undefined if there is none. */
  replaces?(values: Values<P>): OrderIds | undefined;
  /** Whether it places or changes a trigger order. */
  readonly waits?: boolean;
  /** The terms of the order that an accepted write places once its trigger is reached; undefined if it waits for none. */
  triggers?(values: Values<P>): TriggeredOrder | undefined;
  /** Codes with which a copy of the request, sent by a proxy, may be refused, besides that of a taken identifier. */
  readonly echoes: readonly string[];
  /** Reads of the account whose cached answers the write makes stale. */
  readonly invalidates: readonly Endpoint[];
  /** The ones among them that a write with these values does not change. */
  unchanged?(values: Values<P>): readonly Endpoint[];
  /** The product category that the write is about, if its parameters name none. */
  readonly category: ProductCategory | undefined;
  /** Cached property of the account that the write changes. */
  readonly changes: "accountMode" | "positionMode" | "marginMode" | undefined;
  /** Undefined if no read can prove it. */
  readonly proof?: Proof<P, R>;
  /** The call that carries several such writes; undefined if each needs its own. */
  readonly batch?: Batch;
}

/** Defines a policy. The exchange refuses requests with an old timestamp, which bounds the validity of each. */
export const policy = <P extends ParameterSet, D, R>(
  endpoint: Endpoint<P, D>,
  definition: Pick<WritePolicy<P, D, R>, "reply" | "invalidates"> & Partial<Omit<WritePolicy<P, D, R>, "endpoint">>,
): WritePolicy<P, D, R> => ({
  endpoint,
  priority: "write",
  clientOid: "clientOid" in endpoint.parameters ? "clientOid" : undefined,
  validForMs: () => TIMESTAMP_WINDOW_MS,
  isAnswerTo: () => true,
  echoes: [],
  category: undefined,
  changes: undefined,
  ...definition,
});

/** Maximum delay until executed writes show in the exchange's reads. */
export const SHOWS_WITHIN_MS = 5_000;

/** Tolerance for the time of a request's effect before its signature: clocks differ slightly. */
export const CLOCK_TOLERANCE_MS = 1_000;

/** The period in which a write can have left a trace: the exchange refuses requests signed for another time. */
export const lifetimeOf = ({ sentAt, validUntil }: JournalEntry) => ({
  startTime: sentAt - TIMESTAMP_WINDOW_MS,
  endTime: validUntil,
});

/** The latest time that a timestamp can mean: some have whole seconds. */
const latest = (time: number): number => (time % SECOND_MS === 0 ? time + SECOND_MS - 1 : time);

/** Whether two of the exchange's times can mean the same time, at their precision. */
export const isSameMoment = (one: number, other: number): boolean => one <= latest(other) && other <= latest(one);

/**
 * Whether something was created after the write was sent. If it is slightly older, that is unknown: a request signed by a clock
 * that is ahead is executed too, unless the exchange refuses it.
 */
export function isSince({ entry }: { readonly entry: JournalEntry }, createdTime: number): "yes" | "perhaps" | "no" {
  if (createdTime > entry.validUntil) return "no";
  if (latest(createdTime) >= entry.sentAt - CLOCK_TOLERANCE_MS) return "yes";
  return latest(createdTime) >= lifetimeOf(entry).startTime ? "perhaps" : "no";
}

/** Whether this happened after the write was sent, within the tolerance of clocks. */
export const isAfter = ({ entry }: { readonly entry: JournalEntry }, createdTime: number): boolean =>
  createdTime > entry.sentAt + CLOCK_TOLERANCE_MS;
