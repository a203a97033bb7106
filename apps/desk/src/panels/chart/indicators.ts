import { bb, ema, macd, rsi, sma, vwap } from "indicatorts";
import { t } from "../../text/text.js";
import type { Candle } from "./candle.js";
import { drawn } from "./charting.js";
import type { Indicator } from "./indicatorNames.js";

/** A line of an indicator, with a value for each candle; not a number where too few candles are before it. */
export interface IndicatorLine {
  readonly id: string;
  readonly title: string;
  readonly tone: "accent" | "warn" | "up" | "down" | "muted";
  /** 0: over the candles. Others are panes below them. */
  readonly pane: number;
  readonly values: readonly number[];
}

/** Values before an indicator has all its candles are not shown: the library computes them from fewer. */
const from = (period: number, values: readonly number[]): readonly number[] =>
  values.map((value, at) => (at < period - 1 ? Number.NaN : value));

interface Series {
  readonly closes: number[];
  readonly volumes: number[];
}

type Line = Omit<IndicatorLine, "pane">;

function linesOf(indicator: Indicator, { closes, volumes }: Series): readonly Line[] {
  const line = (title: string, tone: Line["tone"], period: number, values: readonly number[]): Line => ({
    ...{ id: `${indicator} ${title}`, title, tone, values: from(period, values) },
  });
  switch (indicator) {
    case "SMA_20":
      return [line("SMA 20", "accent", 20, sma(closes, { period: 20 }))];
    case "EMA_50":
      return [line("EMA 50", "warn", 50, ema(closes, { period: 50 }))];
    case "BB_20": {
      const { upper, middle, lower } = bb(closes, { period: 20 });
      return [line(t("BB upper"), "muted", 20, upper), line("BB", "muted", 20, middle), line(t("BB lower"), "muted", 20, lower)];
    }
    case "VWAP_14":
      return [line("VWAP 14", "up", 14, vwap(closes, volumes, { period: 14 }))];
    case "RSI_14":
      return [line("RSI 14", "accent", 15, rsi(closes, { period: 14 }))];
    case "MACD": {
      const { macdLine, signalLine } = macd(closes, { fast: 12, slow: 26, signal: 9 });
      return [line("MACD", "accent", 26, macdLine), line("Signal", "warn", 34, signalLine)];
    }
  }
}

/** Indicators with a scale of their own. */
const BELOW: ReadonlySet<Indicator> = new Set(["RSI_14", "MACD"]);

/** The lines of the chosen indicators, oldest candle first. For drawing: nothing is computed with them. */
export function indicatorLines(chosen: readonly Indicator[], candles: readonly Candle[]): readonly IndicatorLine[] {
  const series = { closes: candles.map(({ close }) => drawn(close)), volumes: candles.map(({ volume }) => drawn(volume)) };
  const below = chosen.filter((indicator) => BELOW.has(indicator));
  return chosen.flatMap((indicator) =>
    linesOf(indicator, series).map((line) => ({ ...line, pane: below.indexOf(indicator) + 1 })),
  );
}
