import type { UTCTimestamp } from "lightweight-charts";
import type { Zone } from "../../format/time.js";

/** What the charts of a market have in common. */

const SECOND_MS = 1_000;

/** Pixels and not money: what is drawn may be a float. */
export const drawn = (text: string | null): number => Number(text ?? Number.NaN);
export const timeOf = (start: string): UTCTimestamp => (Date.parse(start) / SECOND_MS) as UTCTimestamp;

/** A colour of the theme. */
export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** The look of the theme, and times of the zone. */
export function themed(zone: Zone) {
  const line = colour("line");
  return {
    layout: { background: { color: colour("surface") }, textColor: colour("muted"), fontSize: 11, attributionLogo: false },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    rightPriceScale: { borderColor: line },
    timeScale: { borderColor: line, timeVisible: true, secondsVisible: false },
    localization: { timeFormatter: (time: number) => timeWords(time, zone) },
  } as const;
}

function timeWords(time: number, zone: Zone): string {
  const text = new Date(time * SECOND_MS).toLocaleString("en-GB", {
    ...(zone === "UTC" && { timeZone: "UTC" }),
    dateStyle: "short",
    timeStyle: "short",
  });
  return `${text}${zone === "UTC" ? " UTC" : ""}`;
}

/** What the licence of lightweight-charts asks for. */
export const Attribution = () => (
  <p className="attribution" title="TradingView Lightweight Charts™. © 2025 TradingView, Inc. https://www.tradingview.com/">
    Charts by{" "}
    <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
      TradingView
    </a>
  </p>
);
