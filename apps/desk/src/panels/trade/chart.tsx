import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type Time,
} from "lightweight-charts";
import { useEffect, useRef, useState } from "react";
import { amount, short, stepOf } from "../../format/format.js";
import { useSettings } from "../../state/settings.js";
import { useTheme } from "../../state/theme.js";
import { Attribution, colour, drawn, themed, timeOf } from "./charting.js";

/** One candle: prices and volume as decimal text. */
export interface Candle {
  readonly start: string;
  readonly open: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly close: string | null;
  readonly volume: string | null;
}

/** A line across the chart at a price. */
export interface Line {
  readonly id: string;
  readonly price: string;
  readonly title: string;
  readonly tone: "up" | "down" | "accent" | "warn";
}

/** An execution of the account in this market. */
export interface Executed {
  readonly id: string;
  readonly side: string | null;
  readonly qty: string | null;
  /** ISO 8601. */
  readonly time: string;
}

interface Props {
  readonly label: string;
  /** Oldest first. */
  readonly candles: readonly Candle[];
  readonly lines: readonly Line[];
  /** The account's executions, oldest first. */
  readonly fills: readonly Executed[];
  readonly decimals: number;
  /** Called when the oldest candle comes close to the visible range. */
  readonly onOldest: () => void;
}

/** Number of candles before the oldest one at which more are requested. */
const NEAR = 20;

interface Drawn {
  readonly chart: IChartApi;
  readonly prices: ISeriesApi<"Candlestick">;
  readonly volumes: ISeriesApi<"Histogram">;
  readonly lines: Map<string, IPriceLine>;
  readonly marks: ISeriesMarkersPluginApi<Time>;
}

/** Candles and volume on a canvas, and the latest candle as text for screen readers. */
export function Chart({ label, candles, lines, fills, decimals, onOldest }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<Drawn>(undefined);
  const shown = useRef<readonly Candle[]>([]);
  const oldest = useRef(onOldest);
  oldest.current = onOldest;
  const { zone } = useSettings();
  const theme = useTheme();
  /** Time of the candle under the crosshair, s. */
  const [hovered, setHovered] = useState<number>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme and the zone are applied below
  useEffect(() => {
    if (place.current === null) return undefined;
    const chart = createChart(place.current, { autoSize: true, ...themed(zone) });
    const prices = chart.addSeries(CandlestickSeries, {});
    const volumes = chart.addSeries(HistogramSeries, {
      priceScaleId: "volume",
      priceFormat: { type: "volume" },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    chart.subscribeCrosshairMove(({ time }) => setHovered(typeof time === "number" ? time : undefined));
    chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < NEAR) oldest.current();
    });
    made.current = { chart, prices, volumes, lines: new Map(), marks: createSeriesMarkers(prices, []) };
    shown.current = [];
    return () => {
      made.current = undefined;
      chart.remove();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are those of the theme
  useEffect(() => {
    const { chart, prices } = made.current ?? {};
    const [up, down] = [colour("up"), colour("down")];
    chart?.applyOptions(themed(zone));
    prices?.applyOptions({
      ...{ upColor: up, borderUpColor: up, wickUpColor: up, downColor: down, borderDownColor: down, wickDownColor: down },
      priceFormat: { type: "price", precision: decimals, minMove: Number(stepOf(decimals)) },
    });
  }, [theme, zone, decimals]);

  useEffect(() => {
    const { prices, volumes } = made.current ?? {};
    if (prices === undefined || volumes === undefined) return;
    const before = shown.current;
    const price = ({ start, open, high, low, close }: Candle) => ({
      time: timeOf(start),
      open: drawn(open),
      high: drawn(high),
      low: drawn(low),
      close: drawn(close),
    });
    const volume = ({ start, volume: size, open, close }: Candle) => ({
      time: timeOf(start),
      value: drawn(size),
      color: colour(drawn(close) < drawn(open) ? "down-soft" : "up-soft"),
    });
    const isSameStart = before.length > 0 && before[0]?.start === candles[0]?.start && candles.length >= before.length;
    if (isSameStart)
      for (const [index, candle] of candles.entries()) {
        if (index < before.length - 2) continue;
        // The candle before the last may still change, when it closes.
        const isPast = index < before.length - 1;
        prices.update(price(candle), isPast);
        volumes.update(volume(candle), isPast);
      }
    else {
      prices.setData(candles.map(price));
      volumes.setData(candles.map(volume));
    }
    shown.current = candles;
  }, [candles]);

  const words = JSON.stringify(lines);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal lines are the same lines
  useEffect(() => {
    const { prices, lines: known } = made.current ?? {};
    if (prices === undefined || known === undefined) return;
    for (const line of known.values()) prices.removePriceLine(line);
    known.clear();
    for (const { id, price, title, tone } of lines)
      known.set(
        id,
        prices.createPriceLine({
          price: drawn(price),
          title,
          color: colour(tone),
          lineWidth: 1,
          lineStyle: 2,
          axisLabelVisible: true,
        }),
      );
  }, [words, theme]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are those of the theme
  useEffect(() => {
    const starts = candles.map(({ start }) => timeOf(start));
    made.current?.marks.setMarkers(
      fills.flatMap(({ id, side, qty, time }) => {
        const at = starts.findLast((start) => start <= timeOf(time));
        if (at === undefined) return [];
        const isBuy = side === "BUY";
        return [
          {
            id,
            time: at,
            position: isBuy ? ("belowBar" as const) : ("aboveBar" as const),
            shape: isBuy ? ("arrowUp" as const) : ("arrowDown" as const),
            color: colour(isBuy ? "up" : "down"),
            text: qty ?? "",
          },
        ];
      }),
    );
  }, [fills, candles, theme]);

  const last = candles.at(-1);
  const shownCandle = candles.find(({ start }) => timeOf(start) === hovered) ?? last;
  return (
    <div className="chart">
      <p className="legend" aria-hidden="true">
        {(["open", "high", "low", "close"] as const).map((name) => (
          <span key={name}>
            <span className="muted">{name.charAt(0).toUpperCase()}</span> {amount(shownCandle?.[name], decimals)}
          </span>
        ))}
        <span>
          <span className="muted">V</span> {short(shownCandle?.volume)}
        </span>
      </p>
      <div ref={place} className="chart-place" aria-hidden="true" />
      <p className="hidden">
        {label}: last candle open {amount(last?.open, decimals)}, high {amount(last?.high, decimals)}, low{" "}
        {amount(last?.low, decimals)}, close {amount(last?.close, decimals)}
      </p>
      <Attribution />
    </div>
  );
}
