import { Store } from "./store.js";

/** Interruptions that panels show, with the number of panels. A screen reader hears each once, not once per panel. */
export const interruptions = new Store<ReadonlyMap<string, number>>(new Map());

/** Adds an interruption until the returned function is called. */
export function announceInterruption(reason: string): () => void {
  count(reason, 1);
  return () => count(reason, -1);
}

function count(reason: string, by: 1 | -1): void {
  interruptions.update((old) => {
    const panels = (old.get(reason) ?? 0) + by;
    const changed = new Map(old);
    if (panels > 0) changed.set(reason, panels);
    else changed.delete(reason);
    return changed;
  });
}
