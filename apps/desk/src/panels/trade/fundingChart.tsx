import { createChart, HistogramSeries, type IChartApi, type ISeriesApi } from "lightweight-charts";
import { useEffect, useState } from "react";
import { percent } from "../../format/format.js";
import type { Zone } from "../../format/time.js";
import { useSettings } from "../../state/settings.js";
import { type Theme, useTheme } from "../../state/theme.js";
import chartStyles from "../chart/chart.module.css";
import { Attribution, colour, drawn, themed, timeOf } from "../chart/charting.js";
import { Turns } from "../chart/turns.js";
import styles from "./fundingChart.module.css";

/** A settlement of funding. */
export interface Settled {
  readonly time: string;
  /** As a fraction of the position, as decimal text. */
  readonly fundingRate: string;
}

const AS_PERCENT = { type: "custom", minMove: 0.000001, formatter: (rate: number) => percent(rate.toFixed(8), 4) } as const;

interface Drawn {
  readonly chart: IChartApi;
  readonly turns: Turns;
  readonly bars: ISeriesApi<"Histogram">;
}

/** Draws the rates in the colours of the theme that the page has now. */
function paint({ chart, bars }: Drawn, rows: readonly Settled[], zone: Zone, _theme: Theme): void {
  chart.applyOptions(themed(zone));
  bars.setData(
    rows.map(({ time, fundingRate }) => ({
      time: timeOf(time),
      value: drawn(fundingRate),
      color: colour(fundingRate.startsWith("-") ? "down" : "up"),
    })),
  );
  chart.timeScale().fitContent();
}

/** Funding rates as bars, oldest first: if positive, longs pay shorts. */
export function FundingChart({ rows, label }: { readonly rows: readonly Settled[]; readonly label: string }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [made, setMade] = useState<Drawn>();
  const { zone } = useSettings();
  const theme = useTheme();

  useEffect(() => {
    if (place === null) return undefined;
    let chart: IChartApi | undefined;
    const turns = new Turns();
    turns.pause();
    turns.next(() => {
      chart = createChart(place, { autoSize: true, layout: { attributionLogo: false } });
      setMade({ chart, turns, bars: chart.addSeries(HistogramSeries, { priceFormat: AS_PERCENT, priceLineVisible: false }) });
    });
    return () => {
      turns.end();
      setMade(undefined);
      chart?.remove();
    };
  }, [place]);
  useEffect(() => made?.turns.next(() => paint(made, rows, zone, theme)), [made, rows, zone, theme]);

  return (
    <div className={`${chartStyles.chart} ${styles.fundingChart}`}>
      <div ref={setPlace} className={chartStyles.place} aria-hidden="true" />
      <p className="hidden">{label}</p>
      <Attribution />
    </div>
  );
}
