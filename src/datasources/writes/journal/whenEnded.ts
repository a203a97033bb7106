import type { Clock } from "@exchange-graph/contract/clock";
import { isUnsettled, type JournalEntry } from "./entry.js";

/** How often it is looked where nobody says that something has changed. */
const LOOK_MS = 50;

/**
 * Waits until a write has ended that somebody else settles, at most so long. Gives the entry as it then stands; `undefined` when
 * it is still open, or there is no such entry.
 *
 * `read` gives the entry as it stands; `changed`, called before that, resolves when it may have changed since.
 */
export async function whenEnded(
  clock: Clock,
  withinMs: number,
  read: () => Promise<JournalEntry | undefined>,
  { lookMs = LOOK_MS, changed }: { readonly lookMs?: number; readonly changed?: () => Promise<void> } = {},
): Promise<JournalEntry | undefined> {
  const until = clock.now() + withinMs;
  for (;;) {
    const change = changed?.();
    const entry = await read();
    if (entry === undefined || !isUnsettled(entry)) return entry;
    const leftMs = until - clock.now();
    if (leftMs <= 0) return undefined;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(Math.min(lookMs, leftMs), resolve);
      void change?.then(() => {
        cancel();
        resolve();
      });
    });
  }
}
