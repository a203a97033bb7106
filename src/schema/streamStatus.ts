import { flag, integer, of, time } from "./fields.js";
import "reflect-metadata";
import { Account } from "./account.js";
import { ownEnum } from "./enums/exchangeEnum.js";
import { extended, fieldsOf, RecordType } from "./record.js";

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
  isStale: flag("Whether the connection to the exchange is interrupted; then the data may be out of date"),
  missed: integer("Number of earlier events that this one has replaced"),
}) {}

export const MarketEvent = fieldsOf({
  stream: of(StreamStatus)("Kind and time of the event, and the number of missed events"),
});

/** Fields that events of one account share. */
export const AccountEvent = extended(MarketEvent, { account: of(Account)("The account that the event is about") });
