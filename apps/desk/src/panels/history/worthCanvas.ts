import {
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  LineStyle,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import { amount, percent, short } from "../../format/format.js";
import { dayOf, type Zone } from "../../format/time.js";
import type { EquityInterval } from "../../graph/generated/graphql.js";
import type { Theme } from "../../state/theme.js";
import { colour, drawn, themed, timeMark } from "../chart/charting.js";
import { type Drawn, type Line, linesOf } from "./lines.js";
import { utcDay } from "./words.js";
import type { Slot } from "./worth.js";

const SECOND_MS = 1_000;
const NOTHING = "rgba(0, 0, 0, 0)";
const timeOf = ({ at }: Slot): UTCTimestamp => Math.floor(at / SECOND_MS) as UTCTimestamp;

const AS_AMOUNT = { type: "custom", minMove: 0.01, formatter: (value: number) => amount(value.toFixed(2), 2) } as const;
const AS_PERCENT = { type: "custom", minMove: 0.0001, formatter: (value: number) => percent(value.toFixed(6), 1) } as const;

/** Line style and colour of a source of points: a source that this version does not know has one of its own. */
const STYLES = {
  recorded: { lineStyle: LineStyle.Solid, tone: "accent" },
  reconstructed: { lineStyle: LineStyle.Dashed, tone: "muted" },
  other: { lineStyle: LineStyle.Dotted, tone: "warn" },
} as const;

/** Share of the height that the drawdown has, of 1. */
const DRAWDOWN_SHARE = 0.24;
/** Share of the height that the strip of a gap has. */
const STRIP_SHARE = 0.04;

const QUIET = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false } as const;

/**
 * Curves of equity with gaps, flows and drawdown, on a canvas of lightweight-charts. Values on it are floats, for drawing alone.
 * Colours are those of the page's style: what draws with them takes the theme, and is called again when it has changed.
 */
export class WorthCanvas {
  readonly #chart: IChartApi;
  /** Invisible: it has a value at every point, carries the marks of flows, and keeps gaps as wide as they were long. */
  readonly #frame: ISeriesApi<"Line">;
  readonly #gaps: ISeriesApi<"Histogram">;
  readonly #marks: ISeriesMarkersPluginApi<Time>;
  readonly #series: ISeriesApi<"Line" | "Histogram">[] = [];
  #slots: readonly Slot[] = [];
  #values: ReadonlyMap<Slot, string> = new Map();
  #fitted = "";

  /** `onHover` is called with the index of the slot under the pointer; undefined for none. */
  constructor(place: HTMLElement, onHover: (index: number | undefined) => void) {
    this.#chart = createChart(place, { autoSize: true, layout: { attributionLogo: false } });
    this.#gaps = this.#chart.addSeries(HistogramSeries, { ...QUIET, priceScaleId: "gaps", base: 0 });
    this.#frame = this.#chart.addSeries(LineSeries, { ...QUIET, color: NOTHING, priceFormat: AS_AMOUNT, lineWidth: 1 });
    this.#marks = createSeriesMarkers(this.#frame, []);
    this.#chart.subscribeCrosshairMove(({ time }) => onHover(this.#indexAt(time)));
  }

  remove(): void {
    this.#chart.remove();
  }

  /** Colours of the theme, and times in the zone; days are those of UTC. */
  paint(zone: Zone, interval: EquityInterval, _theme: Theme): void {
    const themedOptions = themed(zone);
    const mark = (time: Time, kind: TickMarkType): string | null => {
      if (typeof time !== "number") return null;
      if (interval === "DAY") return utcDay(time * SECOND_MS - 1);
      // Marks of days are at midnight of UTC, which is another time in the user's zone.
      return kind <= TickMarkType.DayOfMonth ? dayOf(time * SECOND_MS, zone) : timeMark(time, zone);
    };
    this.#chart.applyOptions({
      ...themedOptions,
      timeScale: { ...themedOptions.timeScale, timeVisible: interval !== "DAY", tickMarkFormatter: mark },
    });
  }

  /** Draws curves. `slots`: all times, oldest first; `values`: what the cursor points at. A new range (`of`) is shown whole. */
  show({ of, slots, lines, hasFlows }: Drawn, _theme: Theme): void {
    for (const series of this.#series.splice(0)) this.#chart.removeSeries(series);
    this.#slots = slots;
    const [first] = lines;
    this.#values = new Map(lines.flatMap(({ values }) => [...values]));
    const gap = colour("worth-gap");
    // Colours of the system have no tint: a gap is a strip at the bottom in place of a band.
    const top = matchMedia("(forced-colors: active)").matches ? 1 - STRIP_SHARE : 0;
    this.#chart.priceScale("gaps").applyOptions({ scaleMargins: { top, bottom: 0 } });
    this.#gaps.setData(slots.map((slot) => ({ time: timeOf(slot), ...(slot.point === undefined && { value: 1, color: gap }) })));
    this.#frame.setData(slots.map((slot) => withValue(slot, this.#values.get(slot))));
    for (const line of lines) this.#draw(line);
    for (const line of lines) this.#drawdown(line, lines.length === 1);
    this.#marks.setMarkers(hasFlows && first !== undefined ? this.#flowMarks(slots) : []);
    const [, below] = this.#chart.panes();
    below?.setStretchFactor(DRAWDOWN_SHARE);
    this.#chart.panes()[0]?.setStretchFactor(1 - DRAWDOWN_SHARE);
    if (this.#fitted !== of) this.#chart.timeScale().fitContent();
    this.#fitted = of;
  }

  /** Moves the crosshair to a slot. */
  point(index: number): void {
    const slot = this.#slots[index];
    if (slot === undefined) return;
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (range !== null && (index < range.from || index > range.to))
      this.#chart.timeScale().scrollToPosition(index - this.#slots.length + 1, false);
    // In a gap the crosshair keeps the height of the value before.
    const nearest = this.#slots.slice(0, index + 1).findLast((one) => this.#values.has(one));
    const value = nearest && this.#values.get(nearest);
    if (value !== undefined) this.#chart.setCrosshairPosition(drawn(value), timeOf(slot), this.#frame);
  }

  /** Lines of a curve, and points without a neighbour as dots. */
  #draw({ slots, values, title, tone: own }: Line, pane = 0): void {
    for (const { style, points, alone, isLast } of linesOf({ slots, values })) {
      const { lineStyle, tone } = STYLES[style];
      const color = colour(own ?? tone);
      const series = this.#chart.addSeries(
        LineSeries,
        {
          ...{ ...QUIET, color, lineStyle, priceFormat: pane === 0 ? AS_AMOUNT : AS_PERCENT },
          lineWidth: pane === 0 && (own === undefined || style === "recorded") ? 2 : 1,
          ...(pane === 0 && isLast && { title, lastValueVisible: true }),
        },
        pane,
      );
      const last = points.at(-1);
      series.setData(
        points.map((point) => ({
          ...{ time: timeOf(point.slot), value: drawn(values.get(point.slot) ?? null) },
          // The colour of the line to the next point; that of the last one is the colour of its label.
          color: point.isJoined || point === last ? color : NOTHING,
        })),
      );
      const dots = this.#chart.addSeries(LineSeries, { ...QUIET, color, lineVisible: false, pointMarkersVisible: true }, pane);
      dots.setData(alone.map((slot) => withValue(slot, values.get(slot))));
      this.#series.push(series, dots);
    }
  }

  #drawdown(line: Line, isOnly: boolean): void {
    const values = new Map(line.slots.flatMap((slot) => (slot.drawdown === null ? [] : [[slot, slot.drawdown] as const])));
    if (!isOnly) {
      this.#draw({ ...line, values }, 1);
      return;
    }
    const bars = this.#chart.addSeries(HistogramSeries, { ...QUIET, color: colour("down"), priceFormat: AS_PERCENT }, 1);
    bars.setData([...values].map(([slot, value]) => withValue(slot, value)));
    this.#series.push(bars);
  }

  #flowMarks(slots: readonly Slot[]) {
    return slots.flatMap((slot) => {
      const flows = slot.point?.change?.flows;
      if (flows === undefined || drawn(flows) === 0) return [];
      const isIn = !flows.startsWith("-");
      return [
        {
          ...{ time: timeOf(slot), text: short(flows), color: colour("ink") },
          position: isIn ? ("belowBar" as const) : ("aboveBar" as const),
          shape: isIn ? ("arrowUp" as const) : ("arrowDown" as const),
        },
      ];
    });
  }

  #indexAt(time: Time | undefined): number | undefined {
    const index = typeof time === "number" ? this.#slots.findIndex((slot) => timeOf(slot) === time) : -1;
    return index < 0 ? undefined : index;
  }
}

const withValue = (slot: Slot, value: string | undefined) => ({
  time: timeOf(slot),
  ...(value !== undefined && { value: drawn(value) }),
});
