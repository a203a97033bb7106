import { type EnumValueOf, ownEnum } from "./enums/exchangeEnum.js";
import { integer, of } from "./fields.js";
import { fieldsOf, Input } from "./record.js";

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
