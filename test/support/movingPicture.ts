import type { Page } from "playwright-core";
import { z } from "zod";

/** A part of a frame that differs from the previous frame: its position, and its colours and opacity as WebP pictures. */
const part = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int(), colours: z.base64(), alpha: z.base64() });

interface Frame extends z.infer<typeof part> {
  readonly ms: number;
}

const number = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};

/** A chunk of a RIFF file: name, length, content, and a padding byte if the length is odd. */
const chunk = (name: string, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(name, "latin1"), number(data.length, 4), data, Buffer.alloc(data.length % 2)]);
};

/** The chunk of a WebP file with this name, if any. */
function chunkOf(name: string, base64: string): Buffer {
  const webp = Buffer.from(base64, "base64");
  for (let at = 12; at < webp.length; ) {
    const length = webp.readUInt32LE(at + 4);
    if (webp.toString("latin1", at, at + 4) === name) return chunk(name, webp.subarray(at + 8, at + 8 + length));
    at += 8 + length + (length % 2);
  }
  return Buffer.alloc(0);
}

/** ANIM, and one ANMF for each frame (https://developers.google.com/speed/webp/docs/riff_container). */
function animationOf(frames: readonly Frame[], width: number, height: number): Buffer {
  const ANIMATED_WITH_ALPHA = 0b1_0010;
  const size = [number(width - 1, 3), number(height - 1, 3)];
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    chunk("VP8X", number(ANIMATED_WITH_ALPHA, 4), ...size),
    chunk("ANIM", number(0xff_ff_ff_ff, 4), number(0, 2)),
    ...frames.map((frame) =>
      chunk(
        "ANMF",
        ...[number(frame.x / 2, 3), number(frame.y / 2, 3), number(frame.width - 1, 3), number(frame.height - 1, 3)],
        ...[number(frame.ms, 3), number(0, 1), chunkOf("ALPH", frame.alpha), chunkOf("VP8 ", frame.colours)],
      ),
    ),
  ]);
  return Buffer.concat([Buffer.from("RIFF"), number(body.length, 4), body]);
}

/**
 * Runs in the browser: compares a screenshot with the previous one, which it keeps, and encodes the changed rectangle.
 * Chromium encodes WebP. Unchanged blocks of the codec are transparent; those next to
 * changes keep the page's colours, because the codec smooths block edges. Returns nothing if nothing has changed.
 */
async function changed(png: string) {
  const [BLOCK, QUALITY] = [16, 0.75];
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))]));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (context === null) throw new Error("the browser has no canvas");
  context.drawImage(bitmap, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
  const before: Uint32Array | undefined = Reflect.get(globalThis, "before");
  Reflect.set(globalThis, "before", pixels);
  let [left, top, right, bottom] = [bitmap.width, bitmap.height, 0, 0];
  const differing = [...pixels.keys()].filter((at) => before?.[at] !== pixels[at]);
  for (const at of differing) {
    const [x, y] = [at % bitmap.width, Math.floor(at / bitmap.width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  if (right === 0) return undefined;
  // The file stores half of each offset, so offsets must be even.
  [left, top] = [left - (left % 2), top - (top % 2)];
  const [width, height] = [right - left, bottom - top];
  const blockOf = (at: number) =>
    [at % bitmap.width, Math.floor(at / bitmap.width)].map((place, axis) =>
      Math.floor((place - (axis === 0 ? left : top)) / BLOCK),
    );
  const blocks = new Set(differing.map((at) => blockOf(at).join()));
  const [colours, alpha] = [new OffscreenCanvas(width, height), new OffscreenCanvas(width, height)];
  const [painted, opaque] = [colours.getContext("2d", { alpha: false }), alpha.getContext("2d")];
  for (const block of blocks) {
    const [x = 0, y = 0] = block.split(",").map((place) => Number.parseInt(place, 10) * BLOCK);
    opaque?.fillRect(x, y, BLOCK, BLOCK);
    const around = [x - BLOCK, y - BLOCK, 3 * BLOCK, 3 * BLOCK] as const;
    painted?.drawImage(canvas, left + around[0], top + around[1], around[2], around[3], ...around);
  }
  const encoded = async (picture: OffscreenCanvas): Promise<string> => {
    const blob = await picture.convertToBlob({ type: "image/webp", quality: QUALITY });
    return btoa(new Uint8Array(await blob.arrayBuffer()).reduce((text, byte) => text + String.fromCharCode(byte), ""));
  };
  return { x: left, y: top, width, height, colours: await encoded(colours), alpha: await encoded(alpha) };
}

/** Frames of a page as an animated WebP. Each holds the difference from the previous frame. */
export class MovingPicture {
  readonly #frames: Frame[] = [];

  /** `encoder`: another page of the same browser, which encodes the pictures. */
  constructor(
    private readonly page: Page,
    private readonly encoder: Page,
  ) {}

  /** Adds the page's current state, shown for the given time. */
  async add(ms: number): Promise<void> {
    const png = (await this.page.screenshot()).toString("base64");
    const found = await this.encoder.evaluate(changed, png);
    const last = this.#frames.at(-1);
    if (found !== undefined) this.#frames.push({ ...part.parse(found), ms });
    else if (last !== undefined) this.#frames.splice(-1, 1, { ...last, ms: last.ms + ms });
  }

  /** The file and its number of frames. */
  done(): { readonly file: Buffer; readonly frames: number } {
    const { width = 0, height = 0 } = this.page.viewportSize() ?? {};
    return { file: animationOf(this.#frames, width, height), frames: this.#frames.length };
  }
}
