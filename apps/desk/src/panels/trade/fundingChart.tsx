import { createChart, HistogramSeries, type IChartApi, type ISeriesApi } from "lightweight-charts";
import { useEffect, useRef } from "react";
import { percent } from "../../format/format.js";
import { useSettings } from "../../state/settings.js";
import { useTheme } from "../../state/theme.js";
import { Attribution, colour, drawn, themed, timeOf } from "../chart/charting.js";

/** A settlement of funding. */
export interface Settled {
  readonly time: string;
  /** As a fraction of the position, as decimal text. */
  readonly fundingRate: string;
}

const AS_PERCENT = { type: "custom", minMove: 0.000001, formatter: (rate: number) => percent(rate.toFixed(8), 4) } as const;

/** Funding rates as bars, oldest first: if positive, longs pay shorts. */
export function FundingChart({ rows, label }: { readonly rows: readonly Settled[]; readonly label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<{ readonly chart: IChartApi; readonly bars: ISeriesApi<"Histogram"> }>(undefined);
  const { zone } = useSettings();
  const theme = useTheme();

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are those of the theme
  useEffect(() => {
    if (place.current === null) return undefined;
    const chart = createChart(place.current, { autoSize: true, ...themed(zone) });
    const bars = chart.addSeries(HistogramSeries, { priceFormat: AS_PERCENT, priceLineVisible: false });
    made.current = { chart, bars };
    return () => {
      made.current = undefined;
      chart.remove();
    };
  }, [theme, zone]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart that was made anew is empty
  useEffect(() => {
    made.current?.bars.setData(
      rows.map(({ time, fundingRate }) => ({
        time: timeOf(time),
        value: drawn(fundingRate),
        color: colour(fundingRate.startsWith("-") ? "down" : "up"),
      })),
    );
    made.current?.chart.timeScale().fitContent();
  }, [rows, theme, zone]);

  return (
    <div className="chart funding-chart">
      <div ref={place} className="chart-place" aria-hidden="true" />
      <p className="hidden">{label}</p>
      <Attribution />
    </div>
  );
}
