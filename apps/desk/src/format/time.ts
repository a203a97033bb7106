import { LOCALE, t } from "../text/text.js";
import { NONE } from "./format.js";

export type Zone = "local" | "UTC";

/** A format of the user's language in a time zone. */
function formatOf(options: Intl.DateTimeFormatOptions): (time: number | string | null | undefined, zone: Zone) => string {
  const formats = {
    local: new Intl.DateTimeFormat(LOCALE, options),
    UTC: new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: "UTC" }),
  };
  return (time, zone) => (time === null || time === undefined ? NONE : formats[zone].format(new Date(time)));
}

const DAY = { month: "2-digit", day: "2-digit" } as const;

/** Month and day. */
export const dayOf = formatOf(DAY);
const dateOf = formatOf({ year: "numeric", ...DAY });

export const clockTime = formatOf({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** Date, hours, minutes, seconds. */
export const dateTime = (time: number | string | null | undefined, zone: Zone): string =>
  time === null || time === undefined ? NONE : `${dateOf(time, zone)} ${clockTime(time, zone)}`;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration in one unit, for example `3 s`. */
export function span(ms: number): string {
  if (ms < SECOND_MS) return t("now");
  if (ms < MINUTE_MS) return t("{count} s", { count: Math.floor(ms / SECOND_MS) });
  if (ms < HOUR_MS) return t("{count} min", { count: Math.floor(ms / MINUTE_MS) });
  if (ms < 2 * DAY_MS) return t("{count} h", { count: Math.floor(ms / HOUR_MS) });
  return t("{count} d", { count: Math.floor(ms / DAY_MS) });
}
