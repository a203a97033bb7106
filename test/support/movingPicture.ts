import type { Page } from "playwright-core";
import { z } from "zod";

/** A part of a frame that differs from the frame before: its place, and itself as a WebP picture. */
const part = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int(), webp: z.base64() });

interface Frame extends z.infer<typeof part> {
  readonly ms: number;
}

const number = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};

/** A chunk of a RIFF file: its name, its length, itself, and a byte to make its length even. */
const chunk = (name: string, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(name, "latin1"), number(data.length, 4), data, Buffer.alloc(data.length % 2)]);
};

/** The chunks of a WebP file that have the picture itself. */
function pictureIn(webp: Buffer): Buffer {
  const found: Buffer[] = [];
  for (let at = 12; at < webp.length; ) {
    const length = webp.readUInt32LE(at + 4);
    const name = webp.toString("latin1", at, at + 4);
    if (["ALPH", "VP8 ", "VP8L"].includes(name)) found.push(chunk(name, webp.subarray(at + 8, at + 8 + length)));
    at += 8 + length + (length % 2);
  }
  return Buffer.concat(found);
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
        ...[number(frame.ms, 3), number(0, 1), pictureIn(Buffer.from(frame.webp, "base64"))],
      ),
    ),
  ]);
  return Buffer.concat([Buffer.from("RIFF"), number(body.length, 4), body]);
}

/**
 * In the browser: compares a screenshot with the one before, which it keeps, and encodes the rectangle that has changed.
 * Chromium encodes WebP itself. Nothing where nothing has changed.
 */
async function changed({ png, quality }: { readonly png: string; readonly quality: number }) {
  const BLOCK = 16;
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))]));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (context === null) throw new Error("the browser has no canvas");
  context.drawImage(bitmap, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
  const before: Uint32Array | undefined = Reflect.get(globalThis, "before");
  Reflect.set(globalThis, "before", pixels);
  let [left, top, right, bottom] = [bitmap.width, bitmap.height, 0, 0];
  pixels.forEach((pixel, at) => {
    if (before?.[at] === pixel) return;
    const [x, y] = [at % bitmap.width, Math.floor(at / bitmap.width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
  });
  if (right === 0) return undefined;
  // Places in the file are even. Blocks of the codec in which nothing has changed are left transparent.
  [left, top] = [left - (left % 2), top - (top % 2)];
  const [width, height] = [right - left, bottom - top];
  const cut = new OffscreenCanvas(width, height);
  const drawing = cut.getContext("2d");
  const hasChanged = (x: number, y: number): boolean => {
    for (let row = y; row < Math.min(y + BLOCK, bottom); row++)
      for (let column = x; column < Math.min(x + BLOCK, right); column++)
        if (before?.[row * bitmap.width + column] !== pixels[row * bitmap.width + column]) return true;
    return false;
  };
  for (let y = top; y < bottom; y += BLOCK)
    for (let x = left; x < right; x += BLOCK)
      if (hasChanged(x, y)) drawing?.drawImage(canvas, x, y, BLOCK, BLOCK, x - left, y - top, BLOCK, BLOCK);
  const bytes = new Uint8Array(await (await cut.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
  return { x: left, y: top, width, height, webp: btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), "")) };
}

/** Frames of a page as an animated WebP. Each holds what differs from the one before. */
export class MovingPicture {
  readonly #frames: Frame[] = [];

  /** `encoder` is another page of the same browser, which encodes the pictures. */
  constructor(
    private readonly page: Page,
    private readonly encoder: Page,
    private readonly quality: number,
  ) {}

  /** Adds the page as it is now, to be shown for so long. */
  async add(ms: number): Promise<void> {
    const png = (await this.page.screenshot()).toString("base64");
    const found = await this.encoder.evaluate(changed, { png, quality: this.quality });
    const last = this.#frames.at(-1);
    if (found !== undefined) this.#frames.push({ ...part.parse(found), ms });
    else if (last !== undefined) this.#frames.splice(-1, 1, { ...last, ms: last.ms + ms });
  }

  /** The file, and how many frames it has. */
  done(): { readonly file: Buffer; readonly frames: number } {
    const { width = 0, height = 0 } = this.page.viewportSize() ?? {};
    return { file: animationOf(this.#frames, width, height), frames: this.#frames.length };
  }
}
