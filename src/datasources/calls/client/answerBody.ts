import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from "node:zlib";
import { type Envelope, readEnvelope } from "@exchange-graph/contract/envelope";
import { MAX_BODY_BYTES, type WireAnswer } from "./transport.js";

type Decompress = (body: Buffer, options: ZlibOptions) => Buffer;

/** Compression is not requested, but a proxy may compress nevertheless, and says so. */
const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
  ["identity", (body: Buffer) => body],
]);

/** A body, and the headers with its content coding. */
export type PackedBody = Pick<WireAnswer, "body" | "headers">;

/** The content coding of an answer. */
export function codingOf({ headers }: Pick<WireAnswer, "headers">): string {
  const coding = headers["content-encoding"];
  return (Array.isArray(coding) ? coding.join(", ") : (coding ?? "identity")).trim().toLowerCase();
}

/** Whether this content coding is supported. */
export const isReadable = (coding: string): boolean => DECOMPRESS.has(coding);

/**
 * The envelope of an answer, compressed or not, with or without a byte order mark. `undefined` if there is none: an empty or
 * truncated body, HTML, or other JSON. `parse`: see `readEnvelope`.
 */
export function envelopeIn(answer: PackedBody, parse?: (text: string) => unknown): Envelope | undefined {
  const text = textIn(answer);
  return text === undefined ? undefined : readEnvelope(text, parse);
}

/** The text of an answer; undefined if it cannot be decompressed. */
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
