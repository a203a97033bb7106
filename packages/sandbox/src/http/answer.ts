import { SUCCESS } from "@exchange-graph/contract/envelope";
import { Verbatim } from "../handlers/wire/fields.js";
import type { Refused } from "../refused.js";

/** One HTTP request as received: nothing is decoded, because the signature covers the bytes as sent. */
export interface Received {
  readonly method: string;
  /** The request target, path and query, exactly as sent. */
  readonly target: string;
  readonly path: string;
  /** The text after the first `?`, exactly as sent; empty if there is none. */
  readonly query: string;
  readonly body: string;
  readonly address: string;
  /** A header by its name, in any letter case. */
  header(name: string): string | undefined;
}

/** Splits a request target at its first `?`. */
export function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** An HTTP answer, ready to be written. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The envelope's code; the call log counts by it. */
  readonly code: string;
  /** Calls left in the endpoint's rate limit. */
  readonly remaining?: number;
}

/** The body of every answer of the exchange. */
export function envelope(code: string, msg: string, now: number, data: unknown): string {
  if (!(data instanceof Verbatim)) return JSON.stringify({ code, msg, requestTime: now, data });
  const head = JSON.stringify({ code, msg, requestTime: now });
  return `${head.slice(0, -1)},"data":${data.json}}`;
}

export const success = (data: unknown, now: number): Answer => ({
  status: 200,
  code: SUCCESS,
  body: envelope(SUCCESS, "success", now, data),
});

export const failure = ({ refusal: { status, code }, message }: Refused, now: number): Answer => ({
  status,
  code,
  body: envelope(code, message, now, null),
});
