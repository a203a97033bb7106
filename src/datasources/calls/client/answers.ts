import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from "node:zlib";
import type { FieldSet } from "@exchange-graph/contract/codec";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { type Envelope, readEnvelope } from "@exchange-graph/contract/envelope";
import { type ErrorCategory, errorRow } from "@exchange-graph/contract/errors";
import { LikeRowsParser } from "@exchange-graph/contract/likeRows";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import { unknownFields } from "@exchange-graph/contract/unknownFields";
import { type Finding, UnknownValue, WireError } from "@exchange-graph/contract/wireError";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import { callFault, type Fault, type FaultCode, titleOf } from "../../errors/index.js";
import { MAX_BODY_BYTES, type WireAnswer } from "./transport.js";

type Decompress = (body: Buffer, options: ZlibOptions) => Buffer;

/** Compression is not requested, but a proxy may compress nevertheless. */
const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
  ["identity", (body: Buffer) => body],
]);

/** A body, and the headers with its content coding. */
type PackedBody = Pick<WireAnswer, "body" | "headers">;

function codingOf({ headers }: Pick<WireAnswer, "headers">): string {
  const coding = headers["content-encoding"];
  return (Array.isArray(coding) ? coding.join(", ") : (coding ?? "identity")).trim().toLowerCase();
}

/** Whether this content coding is supported. */
const isReadable = (coding: string): boolean => DECOMPRESS.has(coding);

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

/** Error codes of refusals by category. Other categories, and unlisted codes, are `EXCHANGE_REJECTED`. */
const BY_CATEGORY: Partial<Record<ErrorCategory, FaultCode>> = {
  permission: "FORBIDDEN",
  accountMode: "ACCOUNT_MODE_MISMATCH",
  rateLimit: "RATE_LIMITED",
  balance: "INSUFFICIENT_BALANCE",
  orderNotFound: "ORDER_NOT_FOUND",
  duplicate: "DUPLICATE_CLIENT_OID",
  unavailable: "EXCHANGE_UNAVAILABLE",
  maintenance: "EXCHANGE_UNAVAILABLE",
};

/** Cause of the `Fault` of a call that was answered. The HTTP status shows whether a proxy may have answered. */
export class ExchangeAnswered extends Error {
  override readonly name = "ExchangeAnswered";
  /** Whether the answer has the exchange's time, as its own answers have and those of proxies do not. */
  readonly isDated: boolean;

  constructor(
    readonly status: number,
    { isDated = false, ...options }: ErrorOptions & { readonly isDated?: boolean } = {},
  ) {
    super(`HTTP ${status}`, options);
    this.isDated = isDated;
  }
}

/**
 * Converts a refusal into a fault with the exchange's code and text; its meaning comes from the table of the API version. Only
 * for an unlisted code the HTTP status decides between a refusal and a failure of the exchange.
 */
export function refusal(endpoint: Endpoint, { code, msg, requestTime }: Envelope, status: number): Fault {
  const row = errorRow(endpoint.apiVersion, code);
  const unlisted: FaultCode = status >= 500 ? "EXCHANGE_UNAVAILABLE" : "EXCHANGE_REJECTED";
  const fault = row === undefined ? unlisted : (BY_CATEGORY[row.category] ?? "EXCHANGE_REJECTED");
  const text = msg === "" ? (row?.meaning ?? "no text") : msg;
  const details = {
    exchange: { code, msg: text, endpoint: endpoint.path },
    // The same call may succeed later, in any category.
    ...(row?.retry === "backoff" ? { retryable: true } : {}),
    ...(fault === "RATE_LIMITED" ? { retryAfterMs: endpoint.rate.windowMs } : {}),
  };
  const cause = new ExchangeAnswered(status, { isDated: requestTime !== undefined });
  return callFault(fault, endpoint.name, `the exchange refused with ${code}: ${text}`, details, { cause });
}

/** An answer that breaks the interface would do so again, so the call is not repeated. */
export const unreadable = (endpoint: string, { message }: WireError, cause?: Error): Fault =>
  callFault("EXCHANGE_BAD_RESPONSE", endpoint, message, { retryable: false }, { cause });

/** Statuses below 500 after which the same call may succeed: timeout, and "too early". */
const PASSING = new Set([408, 425]);

/** The fault for an answer without an envelope: a proxy answered, or the answer was damaged. */
export function withoutEnvelope({ name, rate }: Endpoint, answer: WireAnswer): Fault {
  const { status } = answer;
  const options = { cause: new ExchangeAnswered(status) };
  const bad = (problem: string, retryable: boolean) =>
    callFault("EXCHANGE_BAD_RESPONSE", name, `${problem} (HTTP ${status})`, { retryable }, options);
  const coding = codingOf(answer);
  if (status === 429) {
    return callFault("RATE_LIMITED", name, "the exchange says too many requests", { retryAfterMs: rate.windowMs }, options);
  }
  if (status >= 500) return callFault("EXCHANGE_UNAVAILABLE", name, `the exchange answered with HTTP ${status}`, {}, options);
  if (status >= 400) return bad("refused by something on the way to the exchange, such as a firewall", PASSING.has(status));
  if (status >= 300) return bad("the answer is a redirect, which is not followed", false);
  if (!isReadable(coding)) return bad(`the answer is compressed in a way that cannot be read, "${coding.slice(0, 40)}"`, false);
  return bad("the answer is empty or not JSON", true);
}

/** The errors among the findings of decoding; each names its source, an endpoint or a channel. */
export function errorsIn(source: string, found: readonly Finding[]): readonly WireError[] {
  const errors = found.filter((one) => one instanceof WireError);
  for (const error of errors) error.of(source, titleOf(source), unreadable(source, error).extensions);
  return errors;
}

/** Publishes the findings of decoding an answer or a push, unknown fields and values included. Returns the errors. */
export function reported(
  { unread, unknown }: Instrumentation,
  source: string,
  fields: FieldSet | undefined,
  wire: unknown,
  found: readonly Finding[],
): { readonly unread: readonly WireError[] } {
  const errors = errorsIn(source, found);
  for (const error of errors) unread.publish({ source, error });
  if (unknown.hasSubscribers) {
    for (const one of found)
      if (one instanceof UnknownValue) unknown.publish({ source, kind: "value", field: one.field, value: one.raw });
    for (const field of unknownFields(fields, wire)) unknown.publish({ source, kind: "field", field });
  }
  return { unread: errors };
}

export class AnswerReader {
  readonly #rows = new LikeRowsParser();

  constructor(private readonly endpoint: Endpoint) {}

  /** Like `parseJson`, and faster for answers of the same shape as earlier ones. */
  readonly parse = (text: string): unknown => this.#rows.parse(text);

  /**
   * Returns a function that decodes such a body again. The cache keeps it, so it refers to nothing of the answer but its content
   * coding; answers without one share it.
   */
  againOf({ headers }: WireAnswer): (body: Buffer) => unknown {
    const coding = headers["content-encoding"];
    return coding === undefined ? this.#plainAgain : (body) => this.#again({ body, headers: { "content-encoding": coding } });
  }

  readonly #plainAgain = (body: Buffer): unknown => this.#again({ body, headers: {} });

  #again(packed: PackedBody): unknown {
    const { data, found } = decoded(this.endpoint, envelopeIn(packed)?.data);
    errorsIn(this.endpoint.name, found);
    return data;
  }
}

/** Decodes the data. A row that cannot be decoded affects itself only; its place has the error. */
export function decoded<D>({ data: codec }: Endpoint<ParameterSet, D>, wire: unknown): { data: D; found: readonly Finding[] } {
  const found: Finding[] = [];
  return { data: codec.decode(wire, found), found };
}
