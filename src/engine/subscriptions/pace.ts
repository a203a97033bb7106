import { MISSED_PLACE } from "../../schema/streamStatus.js";

/** How fast a subscription is served: every event, the newest one of a moment, or the newest one every so often. */
export type Conflation = { readonly mode: "ALL" } | { readonly mode: "LATEST"; readonly everyMs: number };

/** One event, executed and serialised once for all who get it. */
export interface GroupEvent {
  /** Its place in the group's stream, from 1; that of the last one for several merged; 0 for a state that was looked up. */
  readonly number: number;
  /** The execution result as JSON, without extensions. */
  readonly text: string;
  /** What else the event says of itself, as JSON of an object's inside: `"stream":{…}`; empty when it says nothing. */
  readonly notes: string;
  /** Where a listener is that has it: with that it goes on later. */
  readonly position?: string | undefined;
  /** How many events this one stands for besides itself: they were merged into it. */
  readonly missed: number;
  /** Which of several things it is about: it replaces events about the same one alone. */
  readonly about?: string | undefined;
}

/** The result with its extensions. What it has missed is known only now: where the data says it too, its place is filled. */
export function payloadOf({ text, notes, missed }: GroupEvent): string {
  const parts = [notes, missed === 0 ? "" : `"missed":${missed}`].filter((part) => part !== "");
  const data = text.includes(PLACE) ? text.replace(PLACES, `$1${missed}`) : text;
  return parts.length === 0 ? data : `${data.slice(0, -1)},"extensions":{${parts.join(",")}}}`;
}

const PLACE = `:${MISSED_PLACE}`;
/** After a key: within a text every quote has a backslash before it. */
const PLACES = new RegExp(`("[_A-Za-z0-9]+":)${MISSED_PLACE}(?![0-9])`, "g");

/** The newest of several about each thing, in the order in which these came first, counting the others as missed. */
export function newestOf(events: readonly GroupEvent[]): readonly GroupEvent[] {
  if (events.length < 2) return events;
  const newest = new Map<string | undefined, GroupEvent>();
  for (const event of events) {
    const former = newest.get(event.about);
    newest.set(event.about, former === undefined ? event : { ...event, missed: former.missed + event.missed + 1 });
  }
  return [...newest.values()];
}
