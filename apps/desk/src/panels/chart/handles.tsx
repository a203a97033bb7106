import { addDecimals, multiplyDecimals, roundToStep, subtractDecimals } from "@exchange-graph/client";
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from "react";
import { amount, stepOf } from "../../format/format.js";
import { t } from "../../text/text.js";
import type { CandleCanvas } from "./canvas.js";
import styles from "./handles.module.css";
import type { Level } from "./levels.js";
import { spread } from "./spread.js";

/** A level that is being moved, and the price at which it is now. */
export interface Dragged {
  readonly level: Level;
  readonly price: string;
}

interface Props {
  readonly canvas: CandleCanvas;
  readonly levels: readonly Level[];
  readonly decimals: number;
  readonly dragged: Dragged | undefined;
  readonly onDrag: (dragged: Dragged | undefined) => void;
  readonly onDrop: (dragged: Dragged) => void;
  readonly onRemove: (level: Level) => void;
}

/** Height of a handle, pixels. */
const HEIGHT = 18;

/**
 * Places the handles of levels at their prices: at once, because the chart draws anew many times a second. Those of levels that are
 * close to each other are beside their prices, so that each can be read and grasped.
 */
export function placeHandles(place: HTMLElement, canvas: CandleCanvas): void {
  // The chart's own sizes: the page's would have to be laid out first.
  const { height, width, hasAxes } = canvas;
  const levels: { readonly handle: HTMLElement; readonly y: number }[] = [];
  for (const handle of place.querySelectorAll<HTMLElement>("[data-price]")) {
    const { time, price = "", dragged } = handle.dataset;
    const at = canvas.yOf(price);
    const y = dragged === undefined || at === undefined ? at : Math.min(height, Math.max(0, at));
    const x = time === undefined ? 0 : canvas.xOf(time);
    const isIn = hasAxes && y !== undefined && y >= 0 && y <= height && x !== undefined && x >= 0 && x <= width;
    // What is hidden loses the focus: a level that keys move stays, at the edge of the shown prices if it is beyond them.
    handle.style.visibility = isIn || dragged !== undefined ? "visible" : "hidden";
    if (time === undefined) handle.style.right = `calc(100% - ${width - 4}px)`;
    if (!isIn) continue;
    if (time === undefined && dragged === undefined) levels.push({ handle, y });
    else
      handle.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(${time === undefined ? "0" : "-50%"}, -50%)`;
  }
  levels.sort((one, other) => one.y - other.y);
  const places = spread(
    levels.map(({ y }) => y),
    HEIGHT,
    height,
  );
  for (const [at, { handle }] of levels.entries())
    handle.style.transform = `translate(0, ${Math.round(places[at] ?? 0)}px) translate(0, -50%)`;
}

/** A handle at the end of each level, which is dragged, or moved by arrow keys and dropped by Enter. */
export function Handles({ canvas, levels, decimals, dragged, onDrag, onDrop, onRemove }: Props) {
  const place = useRef<HTMLDivElement>(null);
  /** Pixels from the level to the point where its handle is held. */
  const held = useRef(0);
  useLayoutEffect(() => {
    if (place.current !== null) placeHandles(place.current, canvas);
  });
  const priceOf = (level: Level) => (dragged?.level.id === level.id ? dragged.price : level.price);

  const yOf = (event: PointerEvent) => event.clientY - (place.current?.getBoundingClientRect().top ?? 0);

  function pressed(event: KeyboardEvent, level: Level): void {
    const { key, shiftKey } = event;
    const tick = stepOf(decimals);
    const step = multiplyDecimals(tick, shiftKey ? "10" : "1");
    const price = priceOf(level);
    // The average entry of a position may lie between two ticks.
    if (key === "ArrowUp") onDrag({ level, price: roundToStep(addDecimals(price, step), tick, "down") });
    else if (key === "ArrowDown") onDrag({ level, price: roundToStep(subtractDecimals(price, step), tick, "up") });
    else if (key === "Enter" && dragged !== undefined) onDrop(dragged);
    else if (key === "Escape") onDrag(undefined);
    else if ((key === "Delete" || key === "Backspace") && level.move?.kind === "drawing") onRemove(level);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div ref={place}>
      {levels.map((level) =>
        level.move === undefined ? (
          <span key={level.id} className={styles.handle} data-tone={level.tone} data-price={level.price}>
            {level.title}
          </span>
        ) : (
          <button
            key={level.id}
            type="button"
            className={`${styles.handle} ${styles.movable} ${dragged?.level.id === level.id ? styles.dragged : ""}`}
            data-tone={level.tone}
            data-price={priceOf(level)}
            data-dragged={dragged?.level.id === level.id ? "" : undefined}
            aria-label={t("{value} at {value2}. Arrow keys move it, Enter drops it", {
              value: level.title || t("Line"),
              value2: amount(priceOf(level), decimals),
            })}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              held.current = yOf(event) - (canvas.yOf(priceOf(level)) ?? yOf(event));
            }}
            onPointerMove={(event) => {
              if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
              const price = canvas.priceAt(yOf(event) - held.current);
              if (price !== undefined) onDrag({ level, price });
            }}
            onPointerUp={() => {
              if (dragged !== undefined) onDrop(dragged);
            }}
            onPointerCancel={() => onDrag(undefined)}
            onKeyDown={(event) => pressed(event, level)}
          >
            <span aria-hidden="true">⠿</span> {level.title}
          </button>
        ),
      )}
    </div>
  );
}
