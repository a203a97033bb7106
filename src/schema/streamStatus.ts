import { flag, integer, of, time } from "./fields.js";
import "reflect-metadata";
import { Account } from "./account.js";
import { type EnumValueOf, ownEnum } from "./enums/exchangeEnum.js";
import { extended, fieldsOf, Input, RecordType } from "./record.js";

const StreamEventKind = ownEnum("StreamEventKind", "Kind of an event's data", {
  snapshot: "The whole state: it replaces earlier data",
  update: "The changed part of the state",
});

/**
 * Placeholder for the number of replaced events, which is known per listener only when an event is sent; the sender fills it in.
 * No other number of the graph is negative.
 */
export const MISSED_PLACE = -1_907_340_412;

@RecordType("State of a subscription's event. The `extensions` of the event have the same")
export class StreamStatus extends fieldsOf({
  kind: of(StreamEventKind)("Whether the data is the whole state or the changes"),
  time: time("Time of the data at the exchange"),
  isStale: flag(
    "Whether the data may be out of date: the connection to the exchange is interrupted, or a change could not be read",
  ),
  missed: integer("Number of earlier events that this one has replaced"),
}) {}

export const MarketEvent = fieldsOf({
  stream: of(StreamStatus)("Kind and time of the event, and the number of missed events"),
});

/** Fields that events of one account share. */
export const AccountEvent = extended(MarketEvent, { account: of(Account)("The account that the event is about") });

/** Delivery of all events, or of the newest only. */
export const PaceMode = ownEnum(
  "PaceMode",
  "Handling of events that arrive faster than requested, or faster than the connection takes them",
  {
    ALL: "Every event, in order. A reader that falls too far behind is disconnected with code 4429",
    LATEST: "The newest event; those it replaces are counted in `missed`. The state of an account is sent whole each time",
  },
);
export type PaceMode = EnumValueOf<typeof PaceMode>;

/** Maximum of `everyMs`, the minimum time between two events. */
export const MAX_EVERY_MS = 60_000;

@Input("Delivery mode and rate of a subscription's events")
export class PaceInput extends fieldsOf({
  mode: of(PaceMode)("Every event, or the newest one"),
  everyMs: integer.optional(
    `With LATEST: minimum time between two events, in milliseconds, from 0 to ${MAX_EVERY_MS}. Default: 0`,
  ),
}) {}
