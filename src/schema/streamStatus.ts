import "reflect-metadata";
import { Field, Int } from "type-graphql";
import { Account } from "./account.js";
import { closedEnum, type WordOf } from "./enums/exchangeEnum.js";
import { RecordType, sharing } from "./record.js";
import { DateTime } from "./scalars.js";

const StreamEventKind = closedEnum("StreamEventKind", ["snapshot", "update"], {
  description: "What the data of an event is",
  meanings: {
    snapshot: "The whole state: it replaces what was known before",
    update: "What has changed",
  },
});
type StreamEventKind = WordOf<typeof StreamEventKind>;

/**
 * Stands for how many events one event has replaced, which is known for each listener only when it is sent: whoever sends it
 * fills it in. No other number of the graph is negative.
 */
export const MISSED_PLACE = -1_907_340_412;

@RecordType("State of a subscription's event. The `extensions` of the event have the same")
export class StreamStatus {
  @Field(() => StreamEventKind, { description: "Whether the data is the whole state, or what has changed" })
  readonly kind!: StreamEventKind;

  @Field(() => DateTime, { description: "Time of the data at the exchange" })
  readonly time!: number;

  @Field(() => Boolean, { description: "Is the connection to the exchange interrupted? Then the data may be out of date" })
  readonly isStale!: boolean;

  @Field(() => Int, { description: "Number of earlier events that this one has replaced" })
  readonly missed!: number;
}

const streamField = Field(() => StreamStatus, { description: "Kind and time of the event, and whether something is missing" });

/** What events have that are about the market. */
export const MarketEvent = sharing<{ readonly stream: StreamStatus }>(new Map([["stream", streamField]]));

/** What events have that are about one account. */
export const AccountEvent = sharing<{ readonly stream: StreamStatus; readonly account: Account }>(
  new Map([
    ["stream", streamField],
    ["account", Field(() => Account, { description: "The account that the event is about" })],
  ]),
);
