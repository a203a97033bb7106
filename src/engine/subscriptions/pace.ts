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
  /** How many events this one stands for besides itself: they were merged into it. */
  readonly missed: number;
}

/** The result with its extensions. */
export function payloadOf({ text, notes, missed }: GroupEvent): string {
  const parts = [notes, missed === 0 ? "" : `"missed":${missed}`].filter((part) => part !== "");
  return parts.length === 0 ? text : `${text.slice(0, -1)},"extensions":{${parts.join(",")}}}`;
}

/** The newest of several, counting the others as missed. */
export function newestOf(events: readonly GroupEvent[]): GroupEvent | undefined {
  const newest = events.at(-1);
  if (newest === undefined || events.length === 1) return newest;
  const missed = events.reduce((sum, event) => sum + event.missed, 0) + events.length - 1;
  return { ...newest, missed };
}
