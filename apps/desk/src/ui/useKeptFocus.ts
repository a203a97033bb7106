import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";

const isInDialog = (element: Element): boolean => element.closest("dialog") !== null;

/** Whether nothing has the focus, or a button that has just been disabled and loses it. */
const isFocusLost = (): boolean => document.activeElement?.matches("body, :disabled") ?? true;

/**
 * Keeps the focus in a panel when what has it goes, such as the row of an order that ends: it moves to the row that takes that place,
 * and without one to the panel. Not to a button of the row, on which a key that is pressed at this moment would act.
 */
export function useKeptFocus(panel: RefObject<HTMLElement | null>) {
  /** Index of the row that has it, -1 for what is in none; undefined while the focus is elsewhere. */
  const place = useRef<number>(undefined);
  useLayoutEffect(() => {
    const { current: at } = place;
    if (at === undefined || !isFocusLost()) return;
    const rows = [...(panel.current?.querySelectorAll<HTMLElement>("tr[data-index]") ?? [])];
    const row = rows.find(({ dataset }) => dataset.index === String(at)) ?? rows.at(-1);
    const next = at < 0 || row === undefined ? panel.current : row;
    if (next === null) return;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
  });
  return {
    onFocus({ target }: FocusEvent) {
      if (!isInDialog(target)) place.current = Number(target.closest<HTMLElement>("tr[data-index]")?.dataset.index ?? -1);
    },
    onBlur({ relatedTarget }: FocusEvent) {
      // A dialog returns it. Without the focus of the window, and with what has gone, the user has not moved it.
      const isLeft = document.hasFocus() && document.querySelector("dialog[open]") === null;
      if (isLeft && !panel.current?.contains(relatedTarget)) place.current = undefined;
    },
  };
}
