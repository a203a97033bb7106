import type { Clock } from "@exchange-graph/contract/clock";
import { growingLru } from "../../errors/index.js";
import { type Appended, type EventLog, KEPT_EVENTS, KEPT_MS, type LogEntry } from "./eventLog.js";

/** Maximum number of topics without listeners that are remembered. */
const MAX_TOPICS = 1_000;
/** Interval at which a topic with listeners is renewed. */
const LOOK_MS = 60_000;

interface Kept {
  entries: { readonly entry: LogEntry; readonly at: number }[];
  touchedAt: number;
}

/** The log of a single process, which writes all topics. */
export class MemoryEventLog implements EventLog {
  readonly isShared = false;
  readonly lookEveryMs = LOOK_MS;
  readonly #topics = growingLru<Kept>(MAX_TOPICS);

  constructor(private readonly clock: Clock) {}

  read(topic: string): readonly LogEntry[] {
    return this.#kept(topic).entries.map(({ entry }) => entry);
  }

  async append(topic: string, after: string | undefined, entries: readonly LogEntry[]): Promise<Appended> {
    const at = this.clock.now();
    const kept = this.#kept(topic);
    const add = (entry: LogEntry) => kept.entries.push({ entry, at });
    const ids = kept.entries.map(({ entry }) => entry.id);
    const held = new Set(ids);
    if (after !== undefined && !held.has(after)) return { isAdded: false, isWriter: true };
    const own = new Set(entries.map(({ id }) => id));
    const from = after === undefined ? ids.findIndex((id) => own.has(id)) : ids.indexOf(after);
    const begin = after === undefined ? entries.findIndex(({ id }) => held.has(id)) : 0;
    const first = entries.find(({ id }) => !held.has(id));
    const isOthers = ({ entry: { id, kind } }: Kept["entries"][number]) =>
      !own.has(id) && (kind === "event" || id.startsWith("after "));
    let hasOthers = from !== -1 && kept.entries.slice(from + 1).some(isOthers);
    if (first !== undefined && from === -1 && ids.length > 0) add({ id: `before ${first.id}`, kind: "break", time: first.time });
    let last: LogEntry | undefined;
    for (const entry of entries.slice(Math.max(0, begin))) {
      if (held.has(entry.id)) hasOthers ||= last !== undefined;
      else {
        add(entry);
        last = entry;
        hasOthers &&= entry.kind === "event";
      }
    }
    if (last !== undefined && hasOthers) add({ id: `after ${last.id}`, kind: "break", time: last.time });
    kept.touchedAt = at;
    this.#topics.set(topic, kept);
    return { isAdded: true, isWriter: true };
  }

  async release(): Promise<void> {
    // No other replica could write it.
  }

  #kept(topic: string): Kept {
    const now = this.clock.now();
    const kept = this.#topics.get(topic);
    if (kept === undefined || now - kept.touchedAt > KEPT_MS) return { entries: [], touchedAt: now };
    const tooMany = kept.entries.length - KEPT_EVENTS;
    let later: Kept["entries"][number] | undefined;
    let behind: Kept["entries"][number] | undefined;
    const first = kept.entries.findLastIndex((one, place) => {
      if (behind !== undefined && behind.entry.time !== one.entry.time) later = behind;
      behind = one;
      return place < tooMany || (later !== undefined && now - later.at > KEPT_MS);
    });
    kept.entries.splice(0, first + 1);
    return kept;
  }
}
