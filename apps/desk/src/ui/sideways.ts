/** 1 where lines are written to the right, -1 where to the left. */
export const forwards = (element: Element): number => (getComputedStyle(element).direction === "rtl" ? -1 : 1);

/** What a key of a horizontal arrow means among elements in a line: 1 for the next one, -1 for the one before, 0 for other keys. */
export const sideways = (key: string, element: Element): number =>
  key === "ArrowRight" ? forwards(element) : key === "ArrowLeft" ? -forwards(element) : 0;
