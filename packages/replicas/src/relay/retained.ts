import { channelFor } from "@exchange-graph/contract/channels";
import type { BookChannel } from "@exchange-graph/contract/channels/book";
import { classicCandleChannel, klineChannel } from "@exchange-graph/contract/channels/candle";
import { itemsOf, type Push } from "@exchange-graph/contract/channels/channel";
import { classicTradeChannel, publicTradeChannel } from "@exchange-graph/contract/channels/publicTrade";
import { isObject } from "@exchange-graph/contract/json";
import { OrderBook, type Topic } from "../../../../src/datasources/streams/index.js";
import type { Message } from "./message.js";

/** The combined state of a topic's pushes, in the exchange's format. */
export interface Retained {
  /** Applies a push. False if it shows that a message is missing: nothing is retained until the next snapshot. */
  take(push: Push): boolean;
  /** The push for joining replicas; undefined if there is none. */
  current(): Push | undefined;
}

const KEPT_CANDLES = 500;
const KEPT_TRADES = 100;

/** Whether a subscription begins with a pushed snapshot. The state of private topics is read over REST. */
export function opensWithState({ socket, argument }: Topic): boolean {
  const channel = channelFor(socket, argument);
  return socket.access === "public" && channel?.opens !== "nothing";
}

/**
 * The retained state of a topic: none for private topics, whose state each replica reads over REST, and for channels without a
 * snapshot.
 */
export function retainedOf(topic: Topic): Retained {
  const channel = channelFor(topic.socket, topic.argument);
  if (channel === undefined || !opensWithState(topic)) return nothing;
  if (channel.continues === "snapshot") return last();
  if (isBook(channel)) return book(channel);
  if (channel === klineChannel || channel === classicCandleChannel) return rows(latestCandles);
  if (channel === publicTradeChannel || channel === classicTradeChannel) return rows(latestTrades);
  return nothing;
}

/**
 * The messages that replace a whole log for a replica that begins to read it, because earlier events are not new to its listeners.
 * An entry that could not be decoded may have been anything.
 */
export function stateAfter(topic: Topic, log: readonly (Message | undefined)[]): readonly Message[] {
  let retained = retainedOf(topic);
  let isUp = false;
  let isStalled = false;
  for (const message of log) {
    if (message?.kind === "failed") return [message];
    if (message?.kind !== "push") isStalled = message?.kind === "stalled";
    if (message?.kind === "stalled" || message?.kind === "caughtUp") continue;
    isUp = message?.kind === "up" || message?.kind === "push";
    if (!isUp || (message?.kind === "push" && !retained.take(message.push))) retained = retainedOf(topic);
  }
  const push = isUp ? retained.current() : undefined;
  const state: Message = push === undefined ? { kind: isUp ? "up" : "down" } : { kind: "push", push };
  return isUp && isStalled ? [state, { kind: "stalled" }] : [state];
}

const isBook = (channel: object): channel is BookChannel => "tier" in channel;

const nothing: Retained = { take: () => true, current: () => undefined };

function last(): Retained {
  let kept: Push | undefined;
  return {
    take(push) {
      kept = push;
      return true;
    },
    current: () => kept,
  };
}

type Rows = readonly unknown[];

/** Rows that are combined; each push has some of them. */
function rows(together: (kept: Rows, pushed: Rows) => Rows): Retained {
  let kept: Push | undefined;
  return {
    take(push) {
      if (push.action === "snapshot") kept = push;
      else if (kept !== undefined) kept = { ...push, action: "snapshot", data: together(kept.data, push.data) };
      return true;
    },
    current: () => kept,
  };
}

/** Oldest first; a row with the same start replaces the other. */
function latestCandles(kept: Rows, pushed: Rows): Rows {
  const byStart = new Map(kept.map((row) => [startOf(row), row]));
  for (const row of pushed) byStart.set(startOf(row), row);
  return [...byStart.values()].slice(-KEPT_CANDLES);
}

const startOf = (row: unknown): unknown => (Array.isArray(row) ? row[0] : isObject(row) ? row.start : undefined);

/** Newest first. */
const latestTrades = (kept: Rows, pushed: Rows): Rows => [...pushed, ...kept].slice(0, KEPT_TRADES);

function book(channel: BookChannel): Retained {
  let shown: OrderBook | undefined;
  let origin: Push | undefined;
  return {
    take(push) {
      const parameters = channel.parameters(push.argument);
      const { items, found } = parameters === undefined ? { items: [], found: [] } : itemsOf(channel, parameters, push);
      const next = shown ?? new OrderBook({ isRpi: channel.isRpi });
      const isWhole =
        parameters !== undefined &&
        found.length === 0 &&
        items.every((item) => ["changed", "old"].includes(next.apply(item, push.action)));
      shown = isWhole ? next : undefined;
      origin = push;
      return isWhole;
    },
    current() {
      const state = shown?.snapshot();
      if (state === undefined || origin === undefined) return undefined;
      const { asks, bids, seq, time } = state;
      const item = { a: asks, b: bids, ...(seq === null ? {} : { seq: String(seq) }), ts: String(time) };
      return { ...origin, action: "snapshot", data: [item] };
    },
  };
}
