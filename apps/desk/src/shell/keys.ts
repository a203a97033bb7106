import { useEffect, useEffectEvent } from "react";
import { keysOf, useHotkeys } from "../state/hotkeys.js";
import { go, PAGES } from "../state/route.js";

/** Maximum time between the two keys of a sequence, ms. */
const PAIR_MS = 1_000;

/** Keys of every page: `Ctrl K` and a key of the user open the palette, `g` and a letter open a page, another shows the keys. */
export function useKeys(openPalette: () => void, openSheet: () => void): void {
  useHotkeys({ palette: openPalette, sheet: openSheet });
  const open = useEffectEvent(openPalette);
  useEffect(() => {
    /** When `g` was pressed. An event's time starts with the page, so that 0 would be in its first second. */
    let went = Number.NEGATIVE_INFINITY;
    function pressed(event: KeyboardEvent): void {
      const keys = keysOf(event);
      const hasDialog = document.querySelector("dialog[open]") !== null;
      if (keys === "Ctrl+k") {
        event.preventDefault();
        // A dialog is about the account and the page that it was opened on.
        if (!hasDialog) open();
        return;
      }
      const isElsewhere = event.target instanceof HTMLElement && event.target.closest("input, select, textarea") !== null;
      if (keys.length > 1 || isElsewhere || hasDialog) return;
      const page = PAGES.find(({ key }) => key === event.key);
      if (page !== undefined && event.timeStamp - went < PAIR_MS) {
        // The second key of a pair means nothing else.
        event.stopImmediatePropagation();
        go(page.path);
        went = Number.NEGATIVE_INFINITY;
      } else went = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
    }
    addEventListener("keydown", pressed, { capture: true });
    return () => removeEventListener("keydown", pressed, { capture: true });
  }, []);
}
