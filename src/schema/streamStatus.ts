import "reflect-metadata";
import { Field, Int } from "type-graphql";
import { closedEnum, type WordOf } from "./enums/exchangeEnum.js";
import { RecordType } from "./record.js";
import { DateTime } from "./scalars.js";

const StreamEventKind = closedEnum("StreamEventKind", ["snapshot", "update"], {
  description: "What the data of an event stands for",
  meanings: {
    snapshot: "All there is of what the event is about: it replaces what was there before",
    update: "What has changed",
  },
});
type StreamEventKind = WordOf<typeof StreamEventKind>;

/**
 * Stands for how many events one event has replaced, which is known for each listener only when it is sent: whoever sends it
 * fills it in. No other number of the graph is negative.
 */
export const MISSED_PLACE = -1_907_340_412;

@RecordType("What an event of a subscription says of itself. `extensions` of the event says the same")
export class StreamStatus {
  @Field(() => StreamEventKind, { description: "All there is, or what has changed" })
  readonly kind!: StreamEventKind;

  @Field(() => DateTime, { description: "When it was so at the exchange" })
  readonly time!: number;

  @Field(() => Boolean, { description: "Is the line to the exchange interrupted, so that the truth may have moved on?" })
  readonly isStale!: boolean;

  @Field(() => Int, { description: "How many events this one stands for besides itself: it has replaced them" })
  readonly missed!: number;
}

/** Declares it on an event. */
export const StatusField = (): PropertyDecorator =>
  Field(() => StreamStatus, { description: "How the event stands: kind, time, and whether something is missing" });
