import { type KeyboardEvent, useEffect, useEffectEvent, useState } from "react";
import type { EquityInterval } from "../../graph/generated/graphql.js";
import { useSettings } from "../../state/settings.js";
import { useTheme } from "../../state/theme.js";
import { t } from "../../text/text.js";
import chartStyles from "../chart/chart.module.css";
import { Attribution } from "../chart/charting.js";
import type { Drawn } from "./lines.js";
import { WorthCanvas } from "./worthCanvas.js";
import styles from "./worthChart.module.css";

interface Props {
  readonly label: string;
  readonly drawn: Drawn;
  readonly interval: EquityInterval;
  /** The figures of a time, by its index, in words. */
  readonly wordsAt: (index: number) => string;
  /** The same for the legend. */
  readonly legendAt: (index: number) => React.ReactNode;
}

/** Curves on a canvas, with a cursor for the keyboard that is read aloud. */
export function WorthChart({ label, drawn, interval, wordsAt, legendAt }: Props) {
  const { zone } = useSettings();
  const theme = useTheme();
  const [canvas, setCanvas] = useState<WorthCanvas>();
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [hovered, setHovered] = useState<number>();
  /** Time of the slot that the keyboard has chosen: slots are added while it stays. */
  const [chosen, choose] = useState<number>();
  const hover = useEffectEvent(setHovered);
  useEffect(() => {
    if (element === null) return undefined;
    const made = new WorthCanvas(element, (index) => hover(index));
    setCanvas(made);
    return () => {
      setCanvas(undefined);
      made.remove();
    };
  }, [element]);
  // Each of these is drawn in the colours of the theme.
  useEffect(() => canvas?.paint(zone, interval, theme), [canvas, zone, interval, theme]);
  useEffect(() => canvas?.show(drawn, theme), [canvas, drawn, theme]);

  const { slots } = drawn;
  const last = slots.length - 1;
  const found = slots.findIndex(({ at }) => at === chosen);
  const cursor = found < 0 ? undefined : found;
  function pressed({ key }: KeyboardEvent): boolean {
    const at = cursor ?? last;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last, PageUp: at - 10, PageDown: at + 10 }[key];
    if (to === undefined) return false;
    const next = Math.max(0, Math.min(last, to));
    choose(slots[next]?.at);
    canvas?.point(next);
    return true;
  }
  const shown = Math.min(hovered ?? cursor ?? last, last);
  return (
    <div className={`${chartStyles.chart} ${styles.worth}`}>
      <p className={`${chartStyles.legend} ${styles.legend}`} aria-hidden="true">
        {legendAt(shown)}
      </p>
      <div
        role="application"
        className={`${chartStyles.frame} ${styles.frame}`}
        aria-label={t("{label}. Arrow keys move the cursor", { label })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the keys
        tabIndex={0}
        onKeyDown={(event) => {
          if (pressed(event)) event.preventDefault();
        }}
      >
        <div ref={setElement} className={chartStyles.place} aria-hidden="true" />
      </div>
      <p className="hidden" aria-live="polite">
        {cursor !== undefined && wordsAt(cursor)}
      </p>
      <p className="hidden">{wordsAt(last)}</p>
      <Attribution />
    </div>
  );
}
