import type { Clock } from "@exchange-graph/contract/clock";
import { growingLru } from "../../cache/lru.js";
import { type EventLog, KEPT_EVENTS, KEPT_MS, type LogEntry } from "../../ports/eventLog.js";

/** Topics that are remembered after nobody listens to them any more. */
const MAX_TOPICS = 1_000;

interface Kept {
  entries: { readonly entry: LogEntry; readonly at: number }[];
  touchedAt: number;
}

/** The log of one process alone. */
export class MemoryEventLog implements EventLog {
  readonly #topics = growingLru<Kept>(MAX_TOPICS);

  constructor(private readonly clock: Clock) {}

  read(topic: string): readonly LogEntry[] {
    return this.#kept(topic).entries.map(({ entry }) => entry);
  }

  async append(topic: string, after: string | undefined, entries: readonly LogEntry[]): Promise<boolean> {
    const at = this.clock.now();
    const kept = this.#kept(topic);
    const add = (entry: LogEntry) => kept.entries.push({ entry, at });
    const ids = kept.entries.map(({ entry }) => entry.id);
    const known = new Set(ids);
    if (after !== undefined && !known.has(after)) return false;
    const own = new Set(entries.map(({ id }) => id));
    const from = after === undefined ? ids.findIndex((id) => own.has(id)) : ids.indexOf(after);
    const news = entries.filter(({ id }) => !known.has(id));
    const isLate = entries.slice(entries.findIndex(({ id }) => !known.has(id))).some(({ id }) => known.has(id));
    const hasOthers = isLate || (from !== -1 && ids.slice(from + 1).some((id) => !own.has(id)));
    const [first, last] = [news[0], news.at(-1)];
    if (first !== undefined && from === -1 && ids.length > 0) add({ id: `before ${first.id}`, kind: "break", time: first.time });
    for (const entry of news) add(entry);
    if (last !== undefined && hasOthers) add({ id: `after ${last.id}`, kind: "break", time: last.time });
    kept.touchedAt = at;
    this.#topics.set(topic, kept);
    return true;
  }

  #kept(topic: string): Kept {
    const now = this.clock.now();
    const kept = this.#topics.get(topic);
    if (kept === undefined || now - kept.touchedAt > KEPT_MS) return { entries: [], touchedAt: now };
    const tooMany = kept.entries.length - KEPT_EVENTS;
    kept.entries = kept.entries.filter((_, place, all) => {
      const next = all[place + 1];
      return place >= tooMany && (next === undefined || now - next.at <= KEPT_MS);
    });
    return kept;
  }
}
