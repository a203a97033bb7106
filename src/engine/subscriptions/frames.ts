import { LRUCache } from "lru-cache";
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
  /** Whether no event of this topic follows, because its stream has ended. */
  readonly isLast?: boolean | undefined;
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

/**
 * WebSocket text frames. A broadcast of one payload to thousands of sockets spends nearly all its time building frames that
 * differ in one short id. Here the frames of one delivery are built once, with gaps for the id, and each socket gets them in one
 * write. Usually the system takes the bytes synchronously; then the same buffer is reused with the next id in its gaps, or
 * unchanged for the same id. Only bytes that a connection could not take are copied for it, so that thousands of listeners do not
 * leave thousands of buffers.
 *
 * This is valid because the server negotiates no extension and never masks: a frame is a header of two to ten bytes and the text
 * (RFC 6455, section 5.2), and `ws` writes whole frames synchronously, so these never land inside one of its frames.
 */

const FINAL_TEXT = 0x81;

const headerLength = (payload: number): number => (payload < 126 ? 2 : payload < 65_536 ? 4 : 10);

function writeHeader(into: Buffer, at: number, payload: number): void {
  into[at] = FINAL_TEXT;
  if (payload < 126) into[at + 1] = payload;
  else if (payload < 65_536) {
    into[at + 1] = 126;
    into.writeUInt16BE(payload, at + 2);
  } else {
    into[at + 1] = 127;
    into.writeBigUInt64BE(BigInt(payload), at + 2);
  }
}

/** Clients that number their subscriptions use the same few ids. */
const prefixes = new LRUCache<string, Buffer>({ max: 1_000 });

/** The start of a `next` message up to its payload. Equal ids usually return the same object. */
export function prefixOf(id: string): Buffer {
  const cached = prefixes.get(id);
  if (cached !== undefined) return cached;
  const prefix = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  prefixes.set(id, prefix);
  return prefix;
}

/**
 * Destination of frames. Bytes that the system has not taken by the end of `write` are the connection's, and count in
 * `writableLength`.
 */
interface FrameConnection {
  write(bytes: Buffer): unknown;
  readonly writableLength: number;
}

/** The frames of `next` messages with these payloads, for ids whose prefix has the length of this one. */
class FrameTemplate {
  #bytes: Buffer;
  #isKept = false;
  /** Offsets of the gaps. */
  readonly #gaps: number[] = [];

  constructor(
    payloads: readonly string[],
    /** The prefix that is in the gaps. */
    private prefix: Buffer,
  ) {
    const sizes = payloads.map((payload) => prefix.length + Buffer.byteLength(payload) + 1);
    // Small ones come from the pool; every byte is written below.
    this.#bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + headerLength(size) + size, 0));
    let at = 0;
    for (const [index, payload] of payloads.entries()) {
      const size = sizes[index] ?? 0;
      writeHeader(this.#bytes, at, size);
      at += headerLength(size);
      this.#gaps.push(at);
      this.#bytes.set(prefix, at);
      this.#bytes.write(payload, at + prefix.length);
      at += size;
      this.#bytes[at - 1] = "}".charCodeAt(0);
    }
  }

  write(prefix: Buffer, connection: FrameConnection): void {
    if (prefix !== this.prefix) this.#fill(prefix);
    connection.write(this.#bytes);
    if (connection.writableLength > 0) this.#isKept = true;
  }

  #fill(prefix: Buffer): void {
    if (this.#isKept) this.#bytes = Buffer.from(this.#bytes);
    this.#isKept = false;
    for (const gap of this.#gaps) this.#bytes.set(prefix, gap);
    this.prefix = prefix;
  }
}

export const framesOf = (events: readonly GroupEvent[]): Frames =>
  new Frames(
    events.map(payloadOf),
    events.map(({ position }) => position),
  );

/** The payloads of one delivery. Each wire format is built once, when it is first needed. */
export class Frames {
  /** One template per length of prefix; nearly all ids have one of a few lengths. */
  readonly #templates = new Map<number, FrameTemplate>();
  #eventStream: string | undefined;

  constructor(
    private readonly payloads: readonly string[],
    /** Position of a listener after each event. */
    private readonly positions: readonly (string | undefined)[] = [],
  ) {}

  /** Writes WebSocket frames for the subscription with this prefix. */
  write(prefix: Buffer, connection: FrameConnection): void {
    let template = this.#templates.get(prefix.length);
    if (template === undefined) {
      template = new FrameTemplate(this.payloads, prefix);
      this.#templates.set(prefix.length, template);
    }
    template.write(prefix, connection);
  }

  /** Server-sent events, the same for all listeners. JSON text has no line breaks. */
  get eventStream(): string {
    this.#eventStream ??= this.payloads
      .map((payload, at) => `event: next\n${idLine(this.positions[at])}data: ${payload}\n\n`)
      .join("");
    return this.#eventStream;
  }

  /** Server-sent events for one of several operations on a stream. */
  eventStreamOf(id: string): string {
    return this.payloads.map((payload) => `event: next\ndata: {"id":${JSON.stringify(id)},"payload":${payload}}\n\n`).join("");
  }
}

/** A browser's `EventSource` sends it as `Last-Event-ID` when it reconnects. */
const idLine = (position: string | undefined): string => (position === undefined ? "" : `id: ${position}\n`);
