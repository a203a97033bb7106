import { LRUCache } from "lru-cache";
import { type GroupEvent, payloadOf } from "./pace.js";

/**
 * WebSocket text frames, written by hand. A broadcast of one payload to thousands of sockets spends nearly all its
 * time in building frames that differ in one short id. Here the frames of one moment are built once, with a gap for
 * the id, and each socket gets them in one write, however many events the moment had. As a rule the system takes the
 * bytes at once: then the same bytes are used again with the next id in the gaps, or as they are where it has the same id. Only what
 * a connection still owes is left to it, so that thousands of listeners do not leave thousands of buffers behind.
 *
 * Legal because the server negotiates no extension and never masks: a frame is a header of two to ten bytes and the
 * text (RFC 6455, section 5.2), and `ws` writes whole frames synchronously, so ours never land inside one of its.
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

/** Clients that count have the same few ids. */
const prefixes = new LRUCache<string, Buffer>({ max: 1_000 });

/** The start of a `next` message up to its payload. As a rule that of an id is the same object every time. */
export function prefixOf(id: string): Buffer {
  const known = prefixes.get(id);
  if (known !== undefined) return known;
  const prefix = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  prefixes.set(id, prefix);
  return prefix;
}

/** Where frames leave. Bytes that the system has not taken by the end of `write` are the connection's, and are in `writableLength`. */
export interface FrameConnection {
  write(bytes: Buffer): unknown;
  readonly writableLength: number;
}

/** The frames of `next` messages with these payloads, for ids whose prefix has this length. */
class FrameTemplate {
  #bytes: Buffer;
  #isKept = false;
  /** What is in the gaps. */
  #prefix: Buffer | undefined;
  readonly #gaps: readonly number[];

  constructor(payloads: readonly string[], prefixLength: number) {
    const sizes = payloads.map((payload) => prefixLength + Buffer.byteLength(payload) + 1);
    this.#bytes = Buffer.alloc(sizes.reduce((sum, size) => sum + headerLength(size) + size, 0));
    const gaps: number[] = [];
    let at = 0;
    payloads.forEach((payload, index) => {
      const size = sizes[index] ?? 0;
      writeHeader(this.#bytes, at, size);
      at += headerLength(size);
      gaps.push(at);
      this.#bytes.write(payload, at + prefixLength);
      at += size;
      this.#bytes[at - 1] = "}".charCodeAt(0);
    });
    this.#gaps = gaps;
  }

  write(prefix: Buffer, connection: FrameConnection): void {
    if (prefix !== this.#prefix) this.#fill(prefix);
    connection.write(this.#bytes);
    if (connection.writableLength > 0) this.#isKept = true;
  }

  #fill(prefix: Buffer): void {
    if (this.#isKept) this.#bytes = Buffer.from(this.#bytes);
    this.#isKept = false;
    for (const gap of this.#gaps) prefix.copy(this.#bytes, gap);
    this.#prefix = prefix;
  }
}

/** Frames of these events. */
export const framesOf = (events: readonly GroupEvent[]): Frames =>
  new Frames(
    events.map(payloadOf),
    events.map(({ position }) => position),
  );

/** The payloads of one moment as they leave: each form is made once, for the first that needs it. */
export class Frames {
  /** One per length of id: nearly all ids have one of a few lengths. */
  readonly #templates = new Map<number, FrameTemplate>();
  #eventStream: string | undefined;

  constructor(
    private readonly payloads: readonly string[],
    /** Where a listener is that has them, one by one. */
    private readonly positions: readonly (string | undefined)[] = [],
  ) {}

  /** Writes WebSocket frames for the subscription of this prefix. */
  write(prefix: Buffer, connection: FrameConnection): void {
    let template = this.#templates.get(prefix.length);
    if (template === undefined) {
      template = new FrameTemplate(this.payloads, prefix.length);
      this.#templates.set(prefix.length, template);
    }
    template.write(prefix, connection);
  }

  /** Events of an event stream, the same for everybody. JSON text has no line breaks. */
  get eventStream(): string {
    this.#eventStream ??= this.payloads
      .map((payload, at) => `event: next\n${idLine(this.positions[at])}data: ${payload}\n\n`)
      .join("");
    return this.#eventStream;
  }

  /** The same for one operation of several on a stream. */
  eventStreamOf(id: string): string {
    return this.payloads.map((payload) => `event: next\ndata: {"id":${JSON.stringify(id)},"payload":${payload}}\n\n`).join("");
  }
}

/** A browser's `EventSource` sends it back when it connects again. */
const idLine = (position: string | undefined): string => (position === undefined ? "" : `id: ${position}\n`);
