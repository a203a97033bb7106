import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  LineStyle,
  type Time,
} from "lightweight-charts";
import { amount, stepOf } from "../../format/format.js";
import type { Zone } from "../../format/time.js";
import type { Theme } from "../../state/theme.js";
import type { Candle, Executed } from "./candle.js";
import { colour, drawn, themed, timeOf } from "./charting.js";
import type { Drawing } from "./drawings.js";
import type { IndicatorLine } from "./indicators.js";
import type { Level } from "./levels.js";
import { marksOf } from "./marks.js";
import { Turns } from "./turns.js";

/** Number of candles before the oldest one at which more are requested. */
const NEAR = 20;
/** Maximum number of levels whose prices are on the scale. */
const MOST_LABELS = 10;
/** Empty bars behind the newest candle. */
const MARGIN_BARS = 4;

/** What happens on the canvas. */
export interface CanvasEvents {
  /** The oldest candle comes close to the visible range. */
  onOldest(): void;
  /** The candle under the pointer, by its index; undefined for none. */
  onHover(index: number | undefined): void;
  /** Prices may have moved on the screen. */
  onLayout(): void;
}

/**
 * Candles, volume and lines on a canvas of lightweight-charts. Values on it are floats, for drawing alone. Colours are those of the
 * page's style: each method that draws with them takes the theme, and is called again when it has changed.
 */
export class CandleCanvas {
  readonly #chart: IChartApi;
  readonly #prices: ISeriesApi<"Candlestick">;
  readonly #volumes: ISeriesApi<"Histogram">;
  readonly #marks: ISeriesMarkersPluginApi<Time>;
  readonly #levels: IPriceLine[] = [];
  readonly #indicators = new Map<string, ISeriesApi<"Line">>();
  readonly #trends: ISeriesApi<"Line">[] = [];
  #candles: readonly Candle[] = [];
  #decimals = 2;
  #hasAxes = false;
  readonly #turns = new Turns();
  /** Colours of volumes: reading one from the page's style for each candle would cost more than to draw it. */
  #rise = "";
  #fall = "";

  constructor(place: HTMLElement, zone: Zone, events: CanvasEvents) {
    this.#chart = createChart(place, { ...themed(zone), autoSize: true });
    // Room for the words at the mark of the newest candle.
    this.#chart.timeScale().applyOptions({ rightOffset: MARGIN_BARS });
    // Each of them has its turn, after the candles.
    this.#chart.applyOptions({ rightPriceScale: { visible: false }, timeScale: { visible: false } });
    this.#prices = this.#chart.addSeries(CandlestickSeries, {});
    this.#volumes = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: "volume",
      priceFormat: { type: "volume" },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.#chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    this.#marks = createSeriesMarkers(this.#prices, []);
    this.#chart.subscribeCrosshairMove(({ time }) => events.onHover(this.#indexAt(time)));
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < NEAR) events.onOldest();
    });
    // The library notifies its primitives whenever it draws anew, and has no event for a changed price scale.
    this.#prices.attachPrimitive({
      updateAllViews: () => {
        this.#labelLevels();
        events.onLayout();
      },
    });
    this.#turns.pause();
  }

  remove(): void {
    this.#turns.end();
    this.#chart.remove();
  }

  /** Colours of the theme, times in the zone, and prices with these decimals. */
  paint(look: { readonly theme: Theme; readonly zone: Zone; readonly decimals: number }): void {
    this.#turns.next(() => this.#paint(look));
  }

  #paint({ zone, decimals }: { readonly zone: Zone; readonly decimals: number }): void {
    this.#decimals = decimals;
    [this.#rise, this.#fall] = [colour("volume-up"), colour("volume-down")];
    this.#showVolumes();
    const [up, down] = [colour("up"), colour("down")];
    this.#chart.applyOptions(themed(zone));
    this.#prices.applyOptions({
      ...{ upColor: up, borderUpColor: up, wickUpColor: up, downColor: down, borderDownColor: down, wickDownColor: down },
      priceFormat: {
        type: "custom",
        minMove: drawn(stepOf(decimals)),
        formatter: (price: number) => amount(price.toFixed(decimals), decimals),
      },
    });
  }

  /** The candles, oldest first. */
  show(candles: readonly Candle[]): void {
    this.#turns.next(() => this.#show(candles));
  }

  #show(candles: readonly Candle[]): void {
    const before = this.#candles;
    const isSameStart = before.length > 0 && before[0]?.startTime === candles[0]?.startTime && candles.length >= before.length;
    this.#candles = candles;
    if (!isSameStart) {
      this.#prices.setData(candles.map(bar));
      this.#turns.pause();
      if (before.length === 0) {
        this.#turns.next(() => this.#chart.applyOptions({ rightPriceScale: { visible: true } }));
        this.#turns.next(() => {
          this.#chart.applyOptions({ timeScale: { visible: true } });
          this.#hasAxes = true;
        });
      }
      this.#turns.next(() => this.#showVolumes());
      return;
    }
    for (const [index, candle] of candles.entries()) {
      if (index < before.length - 2 || candle === before[index]) continue;
      // The candle before the last may still change, when it closes.
      const isPast = index < before.length - 1;
      this.#prices.update(bar(candle), isPast);
      this.#volumes.update(this.#volumeBar(candle), isPast);
    }
  }

  /** The account's executions, oldest first, at their candles. */
  mark(fills: readonly Executed[], _theme: Theme, _candles: number): void {
    this.#turns.next(() => this.#mark(fills));
  }

  #mark(fills: readonly Executed[]): void {
    const starts = this.#candles.map(({ startTime }) => startTime);
    this.#marks.setMarkers(
      marksOf(fills, starts).map(({ start, side, text }) => {
        const isBuy = side === "BUY";
        return {
          ...{ id: `${start} ${side}`, time: timeOf(start), text, color: colour(isBuy ? "up" : "down") },
          position: isBuy ? ("belowBar" as const) : ("aboveBar" as const),
          shape: isBuy ? ("arrowUp" as const) : ("arrowDown" as const),
        };
      }),
    );
  }

  /** Lines across the chart. */
  showLevels(levels: readonly Pick<Level, "price" | "tone">[], _theme: Theme): void {
    this.#turns.next(() => this.#showLevels(levels));
  }

  #showLevels(levels: readonly Pick<Level, "price" | "tone">[]): void {
    for (const line of this.#levels.splice(0)) this.#prices.removePriceLine(line);
    for (const { price, tone } of levels)
      this.#levels.push(
        this.#prices.createPriceLine({
          price: drawn(price),
          // Its title is on its handle, which a screen reader finds too.
          title: "",
          color: colour(tone),
          lineWidth: 1,
          lineStyle: tone === "muted" ? LineStyle.Solid : LineStyle.Dashed,
          axisLabelVisible: false,
        }),
      );
  }

  /**
   * Shows the prices of levels on the scale, of those in sight. The library would move the others there, and as many as lie over one
   * another away from their places: the scale would have prices where they are not.
   */
  #labelLevels(): void {
    const { height } = this;
    const inSight = new Set(
      this.#levels.filter((line) => {
        const y = this.#prices.priceToCoordinate(line.options().price);
        return y !== null && y >= 0 && y <= height;
      }),
    );
    for (const line of this.#levels) {
      const axisLabelVisible = inSight.size <= MOST_LABELS && inSight.has(line);
      if (line.options().axisLabelVisible !== axisLabelVisible) line.applyOptions({ axisLabelVisible });
    }
  }

  /** Lines of indicators, by their identifiers, with a value for each candle. */
  showIndicators(lines: readonly IndicatorLine[], _theme: Theme): void {
    this.#turns.next(() => this.#showIndicators(lines));
  }

  #showIndicators(lines: readonly IndicatorLine[]): void {
    const wanted = new Set(lines.map(({ id }) => id));
    for (const [id, series] of this.#indicators)
      if (!wanted.has(id)) {
        this.#chart.removeSeries(series);
        this.#indicators.delete(id);
      }
    for (const { id, tone, pane, values } of lines) {
      const series = this.#indicators.get(id) ?? this.#line(pane);
      this.#indicators.set(id, series);
      series.applyOptions({ color: colour(tone) });
      if (series.getPane().paneIndex() !== pane) series.moveToPane(pane);
      const points = this.#candles.map(({ startTime }, at) => ({ time: timeOf(startTime), value: values[at] ?? Number.NaN }));
      series.setData(points.map((point) => (Number.isNaN(point.value) ? { time: point.time } : point)));
    }
  }

  /** Trend lines between candles of this interval; none for those before the oldest candle. */
  showTrends(drawings: readonly Drawing[], _theme: Theme, _candles: number): void {
    this.#turns.next(() => this.#showTrends(drawings));
  }

  #showTrends(drawings: readonly Drawing[]): void {
    for (const series of this.#trends.splice(0)) this.#chart.removeSeries(series);
    for (const drawing of drawings) {
      if (drawing.kind !== "trend") continue;
      const ends = [drawing.from, drawing.to]
        .flatMap(({ time, price }) => {
          const candle = this.#candles.findLast(({ startTime }) => startTime <= time);
          return candle === undefined ? [] : [{ time: timeOf(candle.startTime), value: drawn(price) }];
        })
        .sort((a, b) => a.time - b.time);
      const [first, last] = ends;
      if (first === undefined || last === undefined || first.time === last.time) continue;
      const series = this.#line(0);
      series.applyOptions({ color: colour("accent"), autoscaleInfoProvider: () => null });
      series.setData(ends);
      this.#trends.push(series);
    }
  }

  /** Position of a price from the top, px; undefined while nothing is drawn. */
  yOf(price: string): number | undefined {
    return this.#prices.priceToCoordinate(drawn(price)) ?? undefined;
  }

  /** Position of the candle of a time from the left, px; undefined before the oldest one. */
  xOf(time: string): number | undefined {
    const candle = this.#candles.findLast(({ startTime }) => startTime <= time);
    return candle && (this.#chart.timeScale().timeToCoordinate(timeOf(candle.startTime)) ?? undefined);
  }

  /** Start of the candle at a position from the left, px. */
  timeAt(x: number): string | undefined {
    return this.#candles[this.indexAt(x) ?? -1]?.startTime;
  }

  /** Start of the candle that is this many candles after that of a time. */
  timeBeside(time: string, by: number): string | undefined {
    return this.#candles[this.#candles.findLastIndex(({ startTime }) => startTime <= time) + by]?.startTime;
  }

  /** The price at a position from the top, with the market's decimals. */
  priceAt(y: number): string | undefined {
    return this.#prices.coordinateToPrice(y)?.toFixed(this.#decimals);
  }

  /** Index of the candle at a position from the left, px. */
  indexAt(x: number): number | undefined {
    const index = this.#chart.timeScale().coordinateToLogical(x);
    return index === null || this.#candles[index] === undefined ? undefined : index;
  }

  /** Whether the axes are drawn, which make the pane of the candles smaller. */
  get hasAxes(): boolean {
    return this.#hasAxes;
  }

  /** Height of the pane of the candles, px. */
  get height(): number {
    return this.#chart.panes()[0]?.getHeight() ?? 0;
  }

  /** Width of the pane of the candles, left of the price axis, px; 0 while nothing is drawn. */
  get width(): number {
    return this.#chart.paneSize().width;
  }

  /** Moves the crosshair to a candle, and shows it. */
  point(index: number): void {
    const candle = this.#candles[index];
    if (candle === undefined) return;
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (range !== null && (index < range.from || index > range.to))
      this.#chart.timeScale().scrollToPosition(index - this.#candles.length + 1, false);
    this.#chart.setCrosshairPosition(drawn(candle.close), timeOf(candle.startTime), this.#prices);
  }

  #showVolumes(): void {
    this.#volumes.setData(this.#candles.map((candle) => this.#volumeBar(candle)));
  }

  #volumeBar({ startTime, volume, open, close }: Candle) {
    const isFall = drawn(close) < drawn(open);
    return { time: timeOf(startTime), value: drawn(volume), color: isFall ? this.#fall : this.#rise };
  }

  #line(pane: number): ISeriesApi<"Line"> {
    const options = { lineWidth: 1 as const, priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false };
    return this.#chart.addSeries(LineSeries, options, pane);
  }

  #indexAt(time: Time | undefined): number | undefined {
    const index = typeof time === "number" ? this.#candles.findIndex(({ startTime }) => timeOf(startTime) === time) : -1;
    return index < 0 ? undefined : index;
  }
}

const bar = ({ startTime, open, high, low, close }: Candle) => ({
  ...{ time: timeOf(startTime), open: drawn(open), high: drawn(high), low: drawn(low), close: drawn(close) },
});
