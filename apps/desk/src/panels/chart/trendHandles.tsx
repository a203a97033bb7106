import { addDecimals, multiplyDecimals, subtractDecimals } from "@exchange-graph/client";
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from "react";
import { amount, stepOf } from "../../format/format.js";
import { t } from "../../text/text.js";
import type { CandleCanvas } from "./canvas.js";
import type { Drawing, Point } from "./drawings.js";
import { placeHandles } from "./handles.js";
import handles from "./handles.module.css";

interface Props {
  readonly canvas: CandleCanvas;
  readonly drawings: readonly Drawing[];
  readonly decimals: number;
  readonly onDrawn: (line: Drawing) => void;
  readonly onErased: (line: Drawing) => void;
}

/** A handle at both ends of each trend line, which is dragged, or moved by arrow keys. A line is the user's own: nothing is asked. */
export function TrendHandles({ canvas, drawings, decimals, onDrawn, onErased }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (place.current !== null) placeHandles(place.current, canvas);
  });

  function under(event: PointerEvent, end: Point): Point {
    const { left = 0, top = 0 } = place.current?.getBoundingClientRect() ?? {};
    return {
      time: canvas.timeAt(event.clientX - left) ?? end.time,
      price: canvas.priceAt(event.clientY - top) ?? end.price,
    };
  }

  function pressed({ key, shiftKey }: KeyboardEvent, { time, price }: Point): Point | undefined {
    const step = multiplyDecimals(stepOf(decimals), shiftKey ? "10" : "1");
    switch (key) {
      case "ArrowUp":
        return { time, price: addDecimals(price, step) };
      case "ArrowDown":
        return { time, price: subtractDecimals(price, step) };
      case "ArrowLeft":
        return { time: canvas.timeBeside(time, -1) ?? time, price };
      case "ArrowRight":
        return { time: canvas.timeBeside(time, 1) ?? time, price };
      default:
        return undefined;
    }
  }

  return (
    <div ref={place}>
      {drawings.map((line) =>
        line.kind !== "trend"
          ? null
          : (["from", "to"] as const).map((end) => (
              <button
                key={`${line.id} ${end}`}
                type="button"
                className={`${handles.handle} ${handles.end}`}
                data-price={line[end].price}
                data-time={line[end].time}
                aria-label={t("End of a trend line at {price}. Arrow keys move it, Delete erases the line", {
                  price: amount(line[end].price, decimals),
                })}
                onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
                onPointerMove={(event) => {
                  if (event.currentTarget.hasPointerCapture(event.pointerId))
                    onDrawn({ ...line, [end]: under(event, line[end]) });
                }}
                onKeyDown={(event) => {
                  const isErasing = event.key === "Delete" || event.key === "Backspace";
                  const moved = pressed(event, line[end]);
                  if (isErasing) onErased(line);
                  else if (moved !== undefined) onDrawn({ ...line, [end]: moved });
                  else return;
                  event.preventDefault();
                  event.stopPropagation();
                }}
              />
            )),
      )}
    </div>
  );
}
