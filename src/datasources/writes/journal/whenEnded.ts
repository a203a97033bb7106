import type { Clock } from "@exchange-graph/contract/clock";
import { inTime } from "../../errors/index.js";
import { isUnsettled, type JournalEntry } from "./journalEntry.js";

/** Interval of checks without a notification. */
const LOOK_MS = 50;

/**
 * Waits until another process has settled a write, at most this long. Returns the entry; `undefined` if it is still open or does
 * not exist.
 *
 * `read` returns the entry; `changed`, called before that, resolves when it may have changed since.
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
    await inTime(clock, change ?? new Promise<void>(() => undefined), Math.min(lookMs, leftMs));
  }
}
