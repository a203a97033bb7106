import { TickMarkType, type Time, type UTCTimestamp } from "lightweight-charts";
import { clockTime, dateTime, dayOf, type Zone } from "../../format/time.js";
import { t } from "../../text/text.js";
import styles from "./attribution.module.css";

/** Functions that the charts of a market share. */

const SECOND_MS = 1_000;

/** Pixels are not money: values for drawing may be floats. */
export const drawn = (text: string | null): number => Number(text ?? Number.NaN);
export const timeOf = (start: string): UTCTimestamp => Math.floor(Date.parse(start) / SECOND_MS) as UTCTimestamp;

/** A colour of the theme. */
export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Colours of the theme, and times in the time zone. */
export function themed(zone: Zone) {
  const line = colour("line");
  const grid = colour("grid");
  return {
    layout: {
      background: { color: colour("surface") },
      textColor: colour("muted"),
      fontSize: 11,
      attributionLogo: false,
      panes: { separatorColor: line, separatorHoverColor: colour("edge") },
    },
    grid: { vertLines: { color: grid }, horzLines: { color: grid } },
    rightPriceScale: { borderColor: line },
    timeScale: {
      borderColor: line,
      timeVisible: true,
      secondsVisible: false,
      tickMarkFormatter: (time: Time, type: TickMarkType) =>
        typeof time === "number" ? timeMark(time, zone, type === TickMarkType.TimeWithSeconds) : null,
    },
    localization: { timeFormatter: (time: number) => timeWords(time, zone) },
  } as const;
}

/** The time at the crosshair. */
const timeWords = (time: number, zone: Zone): string =>
  `${dateTime(time * SECOND_MS, zone).slice(0, -3)}${zone === "UTC" ? " UTC" : ""}`;

/** The time of a mark of the axis: the date at midnight of the zone, the time at others. */
export function timeMark(time: number, zone: Zone, hasSeconds = false): string {
  const clock = clockTime(time * SECOND_MS, zone);
  if (hasSeconds) return clock;
  return clock.startsWith("00:00") ? dayOf(time * SECOND_MS, zone) : clock.slice(0, 5);
}

/** Attribution required by the licence of lightweight-charts. */
export const Attribution = () => (
  <p
    className={styles.attribution}
    title="TradingView Lightweight Charts™. © 2025 TradingView, Inc. https://www.tradingview.com/"
  >
    {t("Charts by")}{" "}
    <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
      TradingView
    </a>
  </p>
);
