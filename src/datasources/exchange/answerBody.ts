import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from "node:zlib";
import { type Envelope, readEnvelope } from "@exchange-graph/contract/envelope";
import { MAX_BODY_BYTES, type WireAnswer } from "./transport.js";

type Decompress = (body: Buffer, options: ZlibOptions) => Buffer;

/** Compression is not asked for, but something on the way may compress all the same, and says so. */
const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
  ["identity", (body: Buffer) => body],
]);

/** A body, and the headers that say how it is compressed. */
export type PackedBody = Pick<WireAnswer, "body" | "headers">;

/** How the answer's body is compressed, as its header says. */
export function codingOf({ headers }: Pick<WireAnswer, "headers">): string {
  const coding = headers["content-encoding"];
  return (Array.isArray(coding) ? coding.join(", ") : (coding ?? "identity")).trim().toLowerCase();
}

/** Can answers that are compressed so be read? */
export const isReadable = (coding: string): boolean => DECOMPRESS.has(coding);

/**
 * The envelope in an answer, whether it came compressed or with a byte order mark. `undefined` when there is none: an
 * empty or broken body, HTML, JSON of another shape. `parse`: as `readEnvelope` takes it.
 */
export function envelopeIn(answer: PackedBody, parse?: (text: string) => unknown): Envelope | undefined {
  const text = textIn(answer);
  return text === undefined ? undefined : readEnvelope(text, parse);
}

/** The text of an answer; nothing where it cannot be decompressed. */
export function textIn(answer: PackedBody): string | undefined {
  const body = decompressed(answer);
  return body === undefined ? undefined : withoutMark(body.toString("utf8"));
}

function decompressed(answer: PackedBody): Buffer | undefined {
  try {
    return DECOMPRESS.get(codingOf(answer))?.(answer.body, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

const withoutMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);
