import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { dateTime, type Zone } from "../format/time.js";
import { useSettings } from "../state/settings.js";
import { useTheme } from "../state/theme.js";

/** A value at a time. */
export interface Point {
  /** Unix ms. */
  readonly time: number;
  /** Decimal text. */
  readonly value: string;
}

interface CurveProps {
  readonly rows: readonly Point[];
  readonly label: string;
  /** Draws steps, for values that are valid until the next one. Default: false. */
  readonly isStepped?: boolean;
}

const SECOND_MS = 1_000;
const HEIGHT = 236;

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const stepped = uPlot.paths.stepped?.({ align: 1 });
const FONT = "11px ui-sans-serif, system-ui, sans-serif";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Possible distances between two marks of the time axis, s. */
const STEPS = [
  1,
  5,
  15,
  30,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  28 * DAY,
];

/** Label of a time mark, for marks with this distance in seconds. */
function timeMark(time: number, step: number, zone: Zone): string {
  const text = dateTime(time, zone);
  return step >= DAY ? text.slice(5, 10) : step >= MINUTE ? text.slice(11, 16) : text.slice(11);
}

const plain = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 2 });

/** A chart of a value over time. Pixels are not money: values for drawing may be floats. */
export function Curve({ rows, label, isStepped = false }: CurveProps) {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<uPlot>(undefined);
  const { zone } = useSettings();
  const theme = useTheme();

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are those of the theme
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const marks = (_plot: uPlot, times: number[], _axis: number, _space: number, step: number) =>
      times.map((time) => timeMark(time * SECOND_MS, step, zone));
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
          { ...axis, incrs: STEPS, values: marks },
          {
            ...axis,
            size: 74,
            values: (_plot, values) => values.map(plain),
          },
        ],
        series: [
          {},
          {
            stroke: colour("accent"),
            width: 1.5,
            fill: colour("accent-soft"),
            points: { show: false },
            ...(isStepped && stepped && { paths: stepped }),
          },
        ],
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
  }, [zone, theme, isStepped]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a plot that was made anew is empty
  useEffect(() => {
    made.current?.setData([rows.map(({ time }) => time / SECOND_MS), rows.map(({ value }) => Number(value))]);
  }, [rows, theme, zone, isStepped]);

  return <div ref={place} className="curve" role="img" aria-label={label} />;
}
