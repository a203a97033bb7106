import { MISSED_PLACE } from "../../schema/streamStatus.js";

/** Delivery of a subscription's events: all of them, or the newest one, at most once in `everyMs`. */
export type Conflation = { readonly mode: "ALL" } | { readonly mode: "LATEST"; readonly everyMs: number };

/** One event, executed and serialized once for all listeners. */
export interface GroupEvent {
  /** Number in the group's stream, from 1; of the last one for merged events; 0 for a snapshot. */
  readonly number: number;
  /** The execution result as JSON, without extensions. */
  readonly text: string;
  /** Members of the event's extensions as JSON, such as `"stream":{…}`; empty if there are none. */
  readonly notes: string;
  /** Position of a listener after this event, for resuming. */
  readonly position?: string | undefined;
  /** Number of earlier events merged into this one. */
  readonly missed: number;
  /** The topic of the event, if there are several: it replaces only events of the same topic. */
  readonly about?: string | undefined;
}

/** The result with its extensions. The number of missed events is known only now, so its placeholder in the data is replaced. */
export function payloadOf({ text, notes, missed }: GroupEvent): string {
  const data = text.includes(PLACE) ? text.replace(PLACES, `$1${missed}`) : text;
  const extensions = missed === 0 ? notes : `${notes}${notes === "" ? "" : ","}"missed":${missed}`;
  return extensions === "" ? data : `${data.slice(0, -1)},"extensions":{${extensions}}}`;
}

const PLACE = `:${MISSED_PLACE}`;
/** The placeholder after a key. Within JSON text every quote is escaped, so no text matches. */
const PLACES = new RegExp(`("[_A-Za-z0-9]+":)${MISSED_PLACE}(?![0-9])`, "g");

/** The newest event of each topic, in the order of their first events, with the others counted as missed. */
export function newestOf(events: readonly GroupEvent[]): readonly GroupEvent[] {
  if (events.length < 2) return events;
  const newest = new Map<string | undefined, GroupEvent>();
  for (const event of events) {
    const former = newest.get(event.about);
    newest.set(event.about, former === undefined ? event : { ...event, missed: former.missed + event.missed + 1 });
  }
  return [...newest.values()];
}
