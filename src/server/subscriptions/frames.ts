/**
 * WebSocket text frames, written by hand. A broadcast of one payload to thousands of sockets spends nearly all its
 * time in building frames that differ in one short id. Here the frames of one moment are built once, as a template
 * with a gap for the id, and copied; each socket gets one write, however many events the moment had.
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

/** The start of a `next` message up to its payload. */
export const prefixOf = (id: string): Buffer => Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);

/** The frames of `next` messages with these payloads, for ids whose prefix has this length. */
export class FrameTemplate {
  readonly #template: Buffer;
  readonly #gaps: readonly number[];

  constructor(
    payloads: readonly string[],
    readonly prefixLength: number,
  ) {
    const sizes = payloads.map((payload) => prefixLength + Buffer.byteLength(payload) + 1);
    this.#template = Buffer.alloc(sizes.reduce((sum, size) => sum + headerLength(size) + size, 0));
    const gaps: number[] = [];
    let at = 0;
    payloads.forEach((payload, index) => {
      const size = sizes[index] ?? 0;
      writeHeader(this.#template, at, size);
      at += headerLength(size);
      gaps.push(at);
      this.#template.write(payload, at + prefixLength);
      at += size;
      this.#template[at - 1] = "}".charCodeAt(0);
    });
    this.#gaps = gaps;
  }

  get byteLength(): number {
    return this.#template.byteLength;
  }

  /** The frames for one subscription. */
  after(prefix: Buffer): Buffer {
    const frames = Buffer.allocUnsafe(this.#template.byteLength);
    this.#template.copy(frames);
    for (const gap of this.#gaps) prefix.copy(frames, gap);
    return frames;
  }
}

/** The payloads of one moment as they leave: each form is made once, for the first that needs it. */
export class Frames {
  /** One per length of id: nearly all ids have one of a few lengths. */
  readonly #templates = new Map<number, FrameTemplate>();
  #eventStream: string | undefined;

  constructor(private readonly payloads: readonly string[]) {}

  /** WebSocket frames for the subscription of this prefix. */
  after(prefix: Buffer): Buffer {
    const known = this.#templates.get(prefix.length);
    if (known !== undefined) return known.after(prefix);
    const made = new FrameTemplate(this.payloads, prefix.length);
    this.#templates.set(prefix.length, made);
    return made.after(prefix);
  }

  /** Events of an event stream, the same for everybody. JSON text has no line breaks. */
  get eventStream(): string {
    this.#eventStream ??= this.payloads.map((payload) => `event: next\ndata: ${payload}\n\n`).join("");
    return this.#eventStream;
  }
}
