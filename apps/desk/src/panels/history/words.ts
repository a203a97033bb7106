import { words } from "../../format/format.js";
import { dateTime, dayOf, type Zone } from "../../format/time.js";
import type { EquityGapReason, EquityInterval, EquitySource, UnknownFigureReason } from "../../graph/generated/graphql.js";
import { LOCALE, t } from "../../text/text.js";
import type { Slot } from "./worth.js";

/** Words for values of the graph. A value that this version does not know is shown as the gateway names it. */
const wordsIn =
  (texts: Readonly<Record<string, string>>) =>
  (value: string | undefined): string =>
    (value !== undefined && Object.hasOwn(texts, value) ? texts[value] : undefined) ?? words(value);

const GAPS: Readonly<Record<EquityGapReason, string>> = {
  INTERRUPTED: t("the account's streams were interrupted"),
  BEING_READ: t("the account's lists were still being read"),
  NOT_REPRODUCED: t("the exchange's figures had not been reproduced yet"),
  NOT_COMPUTABLE: t("something was not known that the figures depend on"),
  NO_PRICE: t("the price of a coin was not known"),
  NOT_RECORDED: t("the gateway was not running, or could not store it"),
  NOT_KEPT: t("the exchange keeps nothing of it any more"),
};
export const gapWords = wordsIn(GAPS);

const SOURCES: Readonly<Record<EquitySource, string>> = {
  STREAM: t("recorded"),
  RECONSTRUCTED: t("reconstructed from records and past prices"),
};
export const sourceWords = wordsIn(SOURCES);

const REASONS: Readonly<Record<UnknownFigureReason, string>> = {
  CHANGES_NOT_KNOWN: t("changes of balances in a part of the range are not known"),
  NOT_BY_PRODUCT: t("equity belongs to an account as a whole"),
  NO_CLOSED_TRADES: t("no position was closed or reduced"),
  NO_EQUITY: t("the account was worth nothing, or less, at the start of an interval"),
  NO_LOSS: t("there was no loss to divide by"),
  NO_SPREAD: t("all daily returns are equal"),
  TOO_FEW_DAYS: t("the range has less than five days"),
  TOO_FEW_POINTS: t("there are less than two samples in the range"),
};
export const reasonWords = wordsIn(REASONS);

const monthFormat = new Intl.DateTimeFormat(LOCALE === "en-CA" ? "en-GB" : LOCALE, {
  year: "numeric",
  month: "long",
  timeZone: "UTC",
});
/** A month of UTC with its year. */
export const monthOf = (ms: number): string => monthFormat.format(new Date(ms));

/** A day of UTC, month and day, by a time in it. */
export const utcDay = (ms: number): string => dayOf(ms, "UTC");

/** The time of a slot: its day, in UTC; or when its interval ended, of an unfinished one when it was sampled last. */
export function slotTime({ at, point }: Slot, interval: EquityInterval, zone: Zone, now: number): string {
  const shown = point !== undefined && at > now ? Date.parse(point.sampledTime) : at;
  return interval === "DAY" ? (dateTime(at - 1, "UTC").split(" ")[0] ?? "") : dateTime(shown, zone).slice(0, -3);
}
