import type { Operation } from "../../instrumentation/events.js";

/** A whole HTTP answer, ready to be written, to as many requests as share it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, and no bytes: Node then writes it together with the headers, in one piece. */
  readonly body: string;
  /** What it answers, if that came as far as GraphQL. */
  readonly operation?: Operation;
}

/** A refusal in the shape of a GraphQL answer, for requests that never become an operation. */
export const refusal = (status: number, message: string): Answer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify({ errors: [{ message, extensions: { code: "BAD_REQUEST", retryable: false } }] }),
});

/** The refusal of a body that is not read to its end. */
export const bodyTooLong = (maxBytes: number): Answer => refusal(413, `The request body is longer than ${maxBytes} bytes.`);
