import { type KeyboardEvent, type MouseEvent, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { amount, short, words } from "../../format/format.js";
import { dateTime } from "../../format/time.js";
import { settings, useSettings } from "../../state/settings.js";
import { inOwnTask } from "../../state/task.js";
import { useTheme } from "../../state/theme.js";
import { t } from "../../text/text.js";
import { atRest, lazily } from "../../ui/parts.js";
import type { Candle, Executed } from "./candle.js";
import { CandleCanvas } from "./canvas.js";
import styles from "./chart.module.css";
import { Attribution } from "./charting.js";
import type { Drawing } from "./drawings.js";
import { type Dragged, Handles, placeHandles } from "./handles.js";
import type { IndicatorLine } from "./indicators.js";
import type { Level } from "./levels.js";

const TrendHandles = lazily(
  () => import("./trendHandles.js"),
  ({ TrendHandles }) => TrendHandles,
);
const Dragging = lazily(
  atRest(() => import("./dragging.js")),
  ({ Dragging }) => Dragging,
);

interface Props {
  readonly label: string;
  readonly account: string;
  /** Oldest first. */
  readonly candles: readonly Candle[];
  readonly levels: readonly Level[];
  /** The account's executions, oldest first. */
  readonly fills: readonly Executed[];
  readonly indicators: readonly IndicatorLine[];
  readonly drawings: readonly Drawing[];
  readonly decimals: number;
  /** Whether a click chooses a point. */
  readonly isPointing: boolean;
  /** Called when the oldest candle comes close to the visible range. */
  readonly onOldest: () => void;
  /** Called with the price and the start of the candle of a point. */
  readonly onPoint: (price: string, time: string | undefined) => void;
  readonly onDrawn: (line: Drawing) => void;
  readonly onErased: (line: Drawing) => void;
}

/** Candles on a canvas with levels that can be dragged, and a cursor for the keyboard that is read aloud. */
export function Chart(props: Props) {
  const { label, account, candles, levels, fills, indicators, drawings, decimals, isPointing } = props;
  const { zone } = useSettings();
  const theme = useTheme();
  const [canvas, setCanvas] = useState<CandleCanvas>();
  const place = useRef<HTMLDivElement>(null);
  /** Index of the candle under the pointer, and of the one that the keyboard has chosen. */
  const [hovered, setHovered] = useState<number>();
  const [cursor, setCursor] = useState<number>();
  const [dragged, drag] = useState<Dragged>();
  const [dropped, setDropped] = useState<Dragged>();

  const older = useEffectEvent(props.onOldest);
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (element === null) return undefined;
    let made: CandleCanvas | undefined;
    let isThere = true;
    const make = () => {
      if (!isThere) return;
      const canvas = new CandleCanvas(element, settings.value.zone, {
        onOldest: () => older(),
        onHover: setHovered,
        onLayout() {
          if (place.current !== null) placeHandles(place.current, canvas);
        },
      });
      made = canvas;
      setCanvas(canvas);
    };
    inOwnTask(make);
    return () => {
      isThere = false;
      setCanvas(undefined);
      made?.remove();
    };
  }, [element]);

  // Each of these is drawn in the colours of the theme.
  useEffect(() => canvas?.paint({ theme, zone, decimals }), [canvas, theme, zone, decimals]);
  useEffect(() => canvas?.show(candles), [canvas, candles]);
  useEffect(() => canvas?.mark(fills, theme, candles.length), [canvas, fills, theme, candles.length]);
  useEffect(() => canvas?.showIndicators(indicators, theme), [canvas, indicators, theme]);
  useEffect(() => canvas?.showTrends(drawings, theme, candles.length), [canvas, drawings, theme, candles.length]);
  const moved = levels.map((level) => (level.id === dragged?.level.id ? { ...level, price: dragged.price } : level));
  const shownLevels = JSON.stringify(moved.map(({ price, tone }) => ({ price, tone })));
  useEffect(() => canvas?.showLevels(JSON.parse(shownLevels), theme), [canvas, shownLevels, theme]);

  function drop({ level, price }: Dragged): void {
    drag(undefined);
    if (level.move?.kind === "drawing") props.onDrawn({ ...level.move.drawing, kind: "level", price });
    else if (price !== level.price) setDropped({ level, price });
  }

  // The handle of what has ended is gone, and with it the end of the drag: the question then says what has become of it.
  const lost = dragged !== undefined && !levels.some(({ id }) => id === dragged.level.id) ? dragged : undefined;
  const release = useEffectEvent(drop);
  useEffect(() => {
    if (lost !== undefined) release(lost);
  }, [lost]);

  /** A point of the pane of the candles. */
  function pointed(event: MouseEvent<HTMLElement>): void {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const index = canvas?.indexAt(x);
    const price = canvas !== undefined && y <= canvas.height ? canvas.priceAt(y) : undefined;
    if (price === undefined || (event.target instanceof Element && event.target.closest("[data-price]") !== null)) return;
    event.preventDefault();
    props.onPoint(price, index === undefined ? undefined : candles[index]?.startTime);
  }

  function pressed({ key, currentTarget, target }: KeyboardEvent): boolean {
    if (target !== currentTarget) return false;
    const at = cursor ?? candles.length - 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: candles.length - 1, PageUp: at - 10, PageDown: at + 10 }[
      key
    ];
    const candle = candles[at];
    if (to !== undefined) {
      const next = Math.max(0, Math.min(candles.length - 1, to));
      setCursor(next);
      canvas?.point(next);
    } else if (key === "Enter" && candle?.close) props.onPoint(candle.close, candle.startTime);
    else return false;
    return true;
  }

  const shown = candles[hovered ?? cursor ?? candles.length - 1];
  const read = cursor === undefined ? undefined : candles[cursor];
  return (
    <div className={styles.chart}>
      <Legend candle={shown} decimals={decimals} indicators={indicators} at={hovered ?? cursor ?? candles.length - 1} />
      <div
        ref={place}
        role="application"
        className={`${styles.frame} ${isPointing ? styles.pointing : ""}`}
        aria-label={t("Chart of {label}. Arrow keys move the cursor, Enter chooses its price", { label })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the keys
        tabIndex={0}
        onKeyDown={(event) => {
          if (pressed(event)) event.preventDefault();
        }}
        onClick={(event) => isPointing && pointed(event)}
        onContextMenu={pointed}
      >
        <div ref={setElement} className={styles.place} aria-hidden="true" />
        {canvas !== undefined && (
          <Handles
            canvas={canvas}
            levels={levels}
            decimals={decimals}
            dragged={dragged}
            onDrag={drag}
            onDrop={drop}
            onRemove={({ move: removed }) => removed?.kind === "drawing" && props.onErased(removed.drawing)}
          />
        )}
        {canvas !== undefined && drawings.some(({ kind }) => kind === "trend") && (
          <Suspense>
            <TrendHandles
              canvas={canvas}
              drawings={drawings}
              decimals={decimals}
              onDrawn={props.onDrawn}
              onErased={props.onErased}
            />
          </Suspense>
        )}
      </div>
      {(dragged ?? dropped) !== undefined && (
        <Suspense>
          <Dragging account={account} dragged={dragged} dropped={dropped} onClose={() => setDropped(undefined)} />
        </Suspense>
      )}
      <p className="hidden" aria-live="polite">
        {read !== undefined && `${dateTime(read.startTime, zone)}: ${wordsOf(read, decimals)}`}
      </p>
      <p className="hidden">
        {label}
        {t(": last candle")} {wordsOf(candles.at(-1), decimals)}
      </p>
      <Attribution />
    </div>
  );
}

const wordsOf = (candle: Candle | undefined, decimals: number): string =>
  (["open", "high", "low", "close"] as const).map((part) => `${words(part)} ${amount(candle?.[part], decimals)}`).join(", ");

interface LegendProps {
  readonly candle: Candle | undefined;
  readonly decimals: number;
  readonly indicators: readonly IndicatorLine[];
  /** Index of the candle. */
  readonly at: number;
}

/** The figures of one candle, and of the indicators at it. */
const Legend = ({ candle, decimals, indicators, at }: LegendProps) => (
  <p className={styles.legend} aria-hidden="true">
    {(["open", "high", "low", "close"] as const).map((name) => (
      <span key={name}>
        <span className="muted">{name.charAt(0).toUpperCase()}</span> {amount(candle?.[name], decimals)}
      </span>
    ))}
    <span>
      <span className="muted">V</span> {short(candle?.volume)}
    </span>
    {indicators.map(({ id, title, tone, pane, values }) => (
      <span key={id} className={tone}>
        {title} {textAt(values[at], pane === 0 ? decimals : 2)}
      </span>
    ))}
  </p>
);

const textAt = (value: number | undefined, decimals: number): string =>
  value === undefined || Number.isNaN(value) ? amount(null) : amount(value.toFixed(decimals), decimals);
