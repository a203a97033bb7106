import { useCallback, useState } from "react";

/** A reference to an element, and how many rows of this height, px, it has room for: one that is cut off counts. */
export function useRoom(rowPx: number): readonly [ref: (element: HTMLElement | null) => (() => void) | undefined, rows: number] {
  const [rows, setRows] = useState(0);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const observer = new ResizeObserver(([entry]) => setRows(Math.ceil((entry?.contentRect.height ?? 0) / rowPx)));
      observer.observe(element);
      return () => observer.disconnect();
    },
    [rowPx],
  );
  return [ref, rows];
}
