import { useCallback, useState } from "react";

/** How many rows of this height, px, an element has room for, where one that is cut off counts; and its width, px. */
interface Room {
  readonly rows: number;
  readonly widthPx: number;
}

/** A reference to an element, and its room. */
export function useRoom(rowPx: number): readonly [ref: (element: HTMLElement | null) => (() => void) | undefined, room: Room] {
  const [rows, setRows] = useState(0);
  const [widthPx, setWidthPx] = useState(0);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const observer = new ResizeObserver(([entry]) => {
        setRows(Math.ceil((entry?.contentRect.height ?? 0) / rowPx));
        setWidthPx(entry?.contentRect.width ?? 0);
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [rowPx],
  );
  return [ref, { rows, widthPx }];
}
