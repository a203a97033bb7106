import type { Codec } from "../codec.js";
import { isObject, type JsonObject } from "../json.js";
import { WireError } from "../wireError.js";
import { isMissing } from "../wireValues.js";

/** What a subscription names, as it travels: `{instType, topic, symbol}` on v3, `{instType, channel, instId}` on v2. */
export type Argument = Readonly<Record<string, string>>;

/** `snapshot`: the record or list stands for itself. `update`: it adds to, or changes, what came before. */
export type Action = "snapshot" | "update";

/** One pushed message. */
export interface Push {
  readonly action: Action;
  readonly argument: Argument;
  readonly data: readonly unknown[];
  /** When the exchange sent it, Unix ms; null where it does not say. */
  readonly time: number | null;
}

/** How often the exchange pushes at most, in ms; 0 is "with every event". */
export interface Frequency {
  readonly spot: number;
  readonly futures: number;
}

/** One WebSocket channel of the exchange, as data. */
export interface Channel<P extends object = object, T = unknown> {
  /** Our name for it: in logs and metrics. */
  readonly name: string;
  readonly doc: string;
  /** The API versions have sockets of their own and do not understand each other's arguments. */
  readonly apiVersion: "v2" | "v3";
  /** Private channels need a login on the private socket. */
  readonly access: "public" | "private";
  /** What comes in answer to the subscription: the state so far, or nothing until something happens. */
  readonly opens: "snapshot" | "nothing";
  /** What every later push is. */
  readonly continues: Action;
  readonly frequency: Frequency;
  /** One element of a push's `data`. */
  readonly item: Codec<T>;
  /** What an element leaves to the subscription or the envelope: wire keys that stand in where it has none. */
  implied?(parameters: P, push: Pick<Push, "time">): Readonly<Record<string, unknown>>;
  /** The argument that subscribes. */
  argument(parameters: P): Argument;
  /** What an argument asks of this channel; nothing when it is another channel's, or nonsense. */
  parameters(argument: Argument): P | undefined;
}

/** Sent with every event, not by the clock. */
export const AT_ONCE: Frequency = { spot: 0, futures: 0 };

/** What a push says, as far as it can be read. */
export interface PushedItems<T> {
  readonly items: readonly T[];
  /** What could not be read: elements of the push, or rows within one. */
  readonly unread: readonly WireError[];
}

/** Reads what was pushed to a subscription. An element that cannot be read costs itself alone. */
export function itemsOf<P extends object, T>(channel: Channel<P, T>, parameters: P, push: Push): PushedItems<T> {
  const implied = channel.implied?.(parameters, push);
  const items: T[] = [];
  const unread: WireError[] = [];
  for (let at = 0; at < push.data.length; at++) {
    const wire = push.data[at];
    const known = unread.length;
    try {
      items.push(channel.item.decode(implied === undefined ? wire : withImplied(implied, wire), unread));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      unread.length = known;
      unread.push(error);
    }
    for (let found = known; found < unread.length; found++) unread[found]?.within(at);
  }
  return { items, unread };
}

/** What is implied stands in for what the element leaves empty, too. */
function withImplied(implied: JsonObject, wire: unknown): unknown {
  if (!isObject(wire)) return wire;
  return { ...wire, ...Object.fromEntries(Object.entries(implied).filter(([key]) => isMissing(wire[key]))) };
}

/**
 * One text for one subscription, whatever the order of an argument's fields. The product type counts without letter
 * case; everything else, symbols and intervals above all, as it stands.
 */
export const keyOf = (argument: Argument): string =>
  Object.keys(argument)
    .sort()
    .map((name) => `${name}=${name === "instType" ? argument[name]?.toLowerCase() : argument[name]}`)
    .join("&");
