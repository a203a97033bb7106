import { NONE } from "./format.js";

export type Zone = "local" | "UTC";

const two = (value: number): string => String(value).padStart(2, "0");

/** The parts of a time in a time zone. */
function partsOf(time: Date, zone: Zone): readonly string[] {
  const isUtc = zone === "UTC";
  const date = isUtc
    ? [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate()]
    : [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  const clock = isUtc
    ? [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()]
    : [time.getHours(), time.getMinutes(), time.getSeconds()];
  return [date.map(two).join("-"), clock.map(two).join(":")];
}

/** Hours, minutes, seconds. */
export const clockTime = (time: number | string | null | undefined, zone: Zone): string =>
  time === null || time === undefined ? NONE : (partsOf(new Date(time), zone)[1] ?? NONE);

/** Date, hours, minutes, seconds. */
export const dateTime = (time: number | string | null | undefined, zone: Zone): string =>
  time === null || time === undefined ? NONE : partsOf(new Date(time), zone).join(" ");

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration in one unit, for example `3 s`. */
export function span(ms: number): string {
  if (ms < SECOND_MS) return "now";
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} d`;
}
