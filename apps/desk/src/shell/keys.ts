import { useEffect } from "react";
import { go, PAGES } from "../state/route.js";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea") !== null;

/** Maximum time between the two keys of a sequence, ms. */
const PAIR_MS = 1_000;

/** Keys of every page: `Ctrl K` and `/` open the palette, `g` and a letter open a page, `?` shows the keys. */
export function useKeys(openPalette: () => void, openSheet: () => void): void {
  useEffect(() => {
    let went = 0;
    function pressed(event: KeyboardEvent): void {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]"))
        return;
      if (event.key === "/" || event.key === "?") {
        event.preventDefault();
        if (event.key === "/") openPalette();
        else openSheet();
        return;
      }
      const page = PAGES.find(({ key }) => key === event.key);
      if (page !== undefined && event.timeStamp - went < PAIR_MS) {
        go(page.path);
        went = 0;
      } else went = event.key === "g" ? event.timeStamp : 0;
    }
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [openPalette, openSheet]);
}
