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

function codingOf({ headers }: Pick<WireAnswer, "headers">): string {
  const coding = headers["content-encoding"];
  return (Array.isArray(coding) ? coding.join(", ") : (coding ?? "identity")).trim().toLowerCase();
}

/** The text of an answer in UTF-8: decompressed, without a byte order mark. Empty if it cannot be decompressed. */
export function textIn(answer: WireAnswer): Buffer {
  try {
    const body = DECOMPRESS.get(codingOf(answer))?.(answer.body, { maxOutputLength: MAX_BODY_BYTES }) ?? NOTHING;
    return body.subarray(0, MARK.length).equals(MARK) ? body.subarray(MARK.length) : body;
  } catch (error) {
    if (error instanceof Error && "code" in error) return NOTHING;
    throw error;
  }
}

const NOTHING = Buffer.alloc(0);
const MARK = Buffer.from("\uFEFF");

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
  if (!DECOMPRESS.has(coding))
    return bad(`the answer is compressed in a way that cannot be read, "${coding.slice(0, 40)}"`, false);
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

  /** Decodes the text of an answer that was decoded before, by this process or another one. All answers of the endpoint share it. */
  readonly decode = (text: string) => {
    const { data: value, found } = decoded(this.endpoint, readEnvelope(text)?.data);
    return { value, isWhole: errorsIn(this.endpoint.name, found).length === 0 };
  };
}

/** Decodes the data. A row that cannot be decoded affects itself only; its place has the error. */
export function decoded<D>({ data: codec }: Endpoint<ParameterSet, D>, wire: unknown): { data: D; found: readonly Finding[] } {
  const found: Finding[] = [];
  return { data: codec.decode(wire, found), found };
}
