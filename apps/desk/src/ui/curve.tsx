import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Sample } from "../../live/samples.js";
import { useSettings } from "../../state/settings.js";

const SECOND_MS = 1_000;
const HEIGHT = 236;

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const FONT = "11px ui-sans-serif, system-ui, sans-serif";

/** Equity over time. Pixels and not money: what is drawn may be a float. */
export function Curve({ rows, label }: { readonly rows: readonly Sample[]; readonly label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<uPlot>(undefined);
  const { theme, zone } = useSettings();

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const axis = { stroke: colour("muted"), font: FONT, grid: { stroke: colour("line"), width: 1 }, ticks: { show: false } };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false },
        ...(zone === "UTC" && { tzDate: (time: number) => uPlot.tzDate(new Date(time * SECOND_MS), "Etc/UTC") }),
        scales: {
          y: {
            range: (_plot, low, high) =>
              low === high ? [low - 1, high + 1] : [low - (high - low) / 10, high + (high - low) / 10],
          },
        },
        axes: [
          axis,
          {
            ...axis,
            size: 74,
            values: (_plot, values) => values.map((value) => value.toLocaleString("en", { maximumFractionDigits: 2 })),
          },
        ],
        series: [{}, { stroke: colour("accent"), width: 1.5, fill: colour("accent-soft"), points: { show: false } }],
      },
      [[], []],
      element,
    );
    made.current = plot;
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.current = undefined;
      plot.destroy();
    };
  }, [zone]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a plot that was made anew is empty
  useEffect(() => {
    made.current?.setData([rows.map(({ time }) => time / SECOND_MS), rows.map(({ equity }) => Number(equity))]);
  }, [rows, theme, zone]);

  return <div ref={place} className="curve" role="img" aria-label={label} />;
}
