import type { Codec } from "../codec.js";
import { isObject, type JsonObject } from "../json.js";
import { type Finding, placeWithin, WireError } from "../wireError.js";
import { isMissing } from "../wireValues.js";

/** The argument of a subscription on the wire: `{instType, topic, symbol}` on v3, `{instType, channel, instId}` on v2. */
export type Argument = Readonly<Record<string, string>>;

/** `snapshot`: the record or list is complete. `update`: it adds to earlier data, or changes it. */
export type Action = "snapshot" | "update";

export interface Push {
  readonly action: Action;
  readonly argument: Argument;
  readonly data: readonly unknown[];
  /** Time at which the exchange sent it, Unix ms; null if it does not say. */
  readonly time: number | null;
}

/** Minimum interval between pushes of the exchange, in ms; 0 means with every event. */
export interface Frequency {
  readonly spot: number;
  readonly futures: number;
}

/** One WebSocket channel of the exchange, as data. */
export interface Channel<P extends object = object, T = unknown> {
  /** Its name in this project, used in logs and metrics. */
  readonly name: string;
  readonly doc: string;
  /** The API versions have separate sockets, and each accepts only its own arguments. */
  readonly apiVersion: "v2" | "v3";
  /** Private channels need a login on the private socket. */
  readonly access: "public" | "private";
  /** The first push of a subscription: a snapshot, or nothing until something happens. */
  readonly opens: "snapshot" | "nothing";
  /** The kind of every later push. */
  readonly continues: Action;
  readonly frequency: Frequency;
  /** One element of a push's `data`. */
  readonly item: Codec<T>;
  /** Wire keys that are missing in an element and follow from the subscription or the envelope. */
  implied?(parameters: P, push: Pick<Push, "time">): Readonly<Record<string, unknown>>;
  argument(parameters: P): Argument;
  /** The parameters in an argument of this channel; undefined if it is malformed or belongs to another channel. */
  parameters(argument: Argument): P | undefined;
}

/** Sent with every event instead of at intervals. */
const AT_ONCE: Frequency = { spot: 0, futures: 0 };
/** Whole records: the state first, then at once whatever changes. */
export const STATE = { opens: "snapshot", continues: "snapshot", frequency: AT_ONCE } as const;
/** The state first, then at once what is new or changes in it. */
export const CHANGES = { opens: "snapshot", continues: "update", frequency: AT_ONCE } as const;
/** Whole records of what happens, and nothing before. */
export const EVENTS = { opens: "nothing", continues: "snapshot", frequency: AT_ONCE } as const;

/** The readable content of a push. */
export interface PushedItems<T> {
  readonly items: readonly T[];
  /** Values that could not be read, and fields and values that the contract does not have. */
  readonly found: readonly Finding[];
}

/** Decodes the push of a subscription. An unreadable element does not affect the others. */
export function itemsOf<P extends object, T>(channel: Channel<P, T>, parameters: P, push: Push): PushedItems<T> {
  const implied = channel.implied?.(parameters, push);
  const items: T[] = [];
  const found: Finding[] = [];
  for (let at = 0; at < push.data.length; at++) {
    const wire = push.data[at];
    const before = found.length;
    try {
      items.push(channel.item.decode(implied === undefined ? wire : withImplied(implied, wire), found));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      found.length = before;
      found.push(error);
    }
    placeWithin(found, before, at);
  }
  return { items, found };
}

/** Implied values also replace empty values of the element. */
function withImplied(implied: JsonObject, wire: unknown): unknown {
  if (!isObject(wire)) return wire;
  const missing = Object.keys(implied).filter((key) => isMissing(wire[key]));
  if (missing.length === 0) return wire;
  return { ...wire, ...Object.fromEntries(missing.map((key) => [key, implied[key]])) };
}

/**
 * The key of a subscription, independent of the order of its argument's fields. The letter case of the product type is ignored;
 * everything else, above all symbols and intervals, is used unchanged.
 */
export const keyOf = (argument: Argument): string =>
  Object.keys(argument)
    .sort()
    .map((name) => `${name}=${name === "instType" ? argument[name]?.toLowerCase() : argument[name]}`)
    .join("&");
