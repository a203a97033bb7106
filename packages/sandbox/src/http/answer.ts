import { SUCCESS } from "@exchange-graph/contract/envelope";
import { Verbatim } from "../handlers/wire/amounts.js";
import type { Refused } from "../refused.js";

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

/** Wraps what a handler returned. */
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
