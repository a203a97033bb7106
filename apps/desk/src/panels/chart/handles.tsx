import { addDecimals, multiplyDecimals, subtractDecimals } from "@exchange-graph/client";
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from "react";
import { amount, stepOf } from "../../format/format.js";
import { t } from "../../text/text.js";
import type { CandleCanvas } from "./canvas.js";
import styles from "./handles.module.css";
import type { Level } from "./levels.js";

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

/** Places the handles of levels at their prices: at once, because the chart draws anew many times a second. */
export function placeHandles(place: HTMLElement, canvas: CandleCanvas): void {
  // The chart's own sizes: the page's would have to be laid out first.
  const { height, width, hasAxes } = canvas;
  for (const handle of place.querySelectorAll<HTMLElement>("[data-price]")) {
    const y = canvas.yOf(handle.dataset.price ?? "");
    const { time } = handle.dataset;
    const x = time === undefined ? 0 : canvas.xOf(time);
    const isIn = hasAxes && y !== undefined && y >= 0 && y <= height && x !== undefined && x >= 0 && x <= width;
    handle.style.visibility = isIn ? "visible" : "hidden";
    if (isIn)
      handle.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(${time === undefined ? "0" : "-50%"}, -50%)`;
    if (time === undefined) handle.style.right = `calc(100% - ${width - 4}px)`;
  }
}

/** A handle at the end of each level, which is dragged, or moved by arrow keys and dropped by Enter. */
export function Handles({ canvas, levels, decimals, dragged, onDrag, onDrop, onRemove }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (place.current !== null) placeHandles(place.current, canvas);
  });
  const priceOf = (level: Level) => (dragged?.level.id === level.id ? dragged.price : level.price);

  function priceUnder(event: PointerEvent): string | undefined {
    const top = place.current?.getBoundingClientRect().top ?? 0;
    return canvas.priceAt(event.clientY - top);
  }

  function pressed(event: KeyboardEvent, level: Level): void {
    const { key, shiftKey } = event;
    const step = multiplyDecimals(stepOf(decimals), shiftKey ? "10" : "1");
    const price = priceOf(level);
    if (key === "ArrowUp") onDrag({ level, price: addDecimals(price, step) });
    else if (key === "ArrowDown") onDrag({ level, price: subtractDecimals(price, step) });
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
            aria-label={t("{value} at {value2}. Arrow keys move it, Enter drops it", {
              value: level.title || t("Line"),
              value2: amount(priceOf(level), decimals),
            })}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={(event) => {
              if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
              const price = priceUnder(event);
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
