import { AreaSeries, createChart, type IChartApi, type ISeriesApi, LineType } from "lightweight-charts";
import { useEffect, useState } from "react";
import { amount } from "../../format/format.js";
import type { Zone } from "../../format/time.js";
import type { Point } from "../../live/samples.js";
import { useSettings } from "../../state/settings.js";
import { type Theme, useTheme } from "../../state/theme.js";
import chartStyles from "./chart.module.css";
import { Attribution, colour, drawn, themed, timeOf } from "./charting.js";
import styles from "./curve.module.css";

interface CurveProps {
  /** Oldest first. */
  readonly rows: readonly Point[];
  readonly label: string;
  /** Draws steps, for values that are valid until the next one. Default: false. */
  readonly isStepped?: boolean;
}

interface Made {
  readonly chart: IChartApi;
  readonly area: ISeriesApi<"Area">;
}

const IN_USDT = { type: "custom", minMove: 0.01, formatter: (value: number) => amount(value.toFixed(2), 2) } as const;

/** Draws a curve in the colours of the theme that the page has now. Of several values in one second the last one is drawn. */
function paint({ chart, area }: Made, rows: readonly Point[], isStepped: boolean, zone: Zone, _theme: Theme): void {
  chart.applyOptions(themed(zone));
  // A tab that was just opened has seconds to show.
  chart.timeScale().applyOptions({ secondsVisible: true });
  area.applyOptions({
    ...{ lineColor: colour("accent"), topColor: colour("accent-soft"), bottomColor: colour("accent-soft"), lineWidth: 2 },
    lineType: isStepped ? LineType.WithSteps : LineType.Simple,
  });
  const bySecond = new Map(rows.map(({ time, value }) => [timeOf(new Date(time).toISOString()), drawn(value)]));
  area.setData([...bySecond].map(([time, value]) => ({ time, value })).sort((a, b) => a.time - b.time));
  chart.timeScale().fitContent();
}

/** A chart of a value over time. Pixels are not money: values for drawing may be floats. */
export function Curve({ rows, label, isStepped = false }: CurveProps) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [made, setMade] = useState<Made>();
  const { zone } = useSettings();
  const theme = useTheme();

  useEffect(() => {
    if (place === null) return undefined;
    const chart = createChart(place, { autoSize: true, layout: { attributionLogo: false } });
    setMade({ chart, area: chart.addSeries(AreaSeries, { priceFormat: IN_USDT, priceLineVisible: false }) });
    return () => {
      setMade(undefined);
      chart.remove();
    };
  }, [place]);
  useEffect(() => made && paint(made, rows, isStepped, zone, theme), [made, rows, isStepped, zone, theme]);

  return (
    <div className={`${chartStyles.chart} ${styles.curve}`}>
      <div ref={setPlace} className={chartStyles.place} role="img" aria-label={label} />
      <Attribution />
    </div>
  );
}
