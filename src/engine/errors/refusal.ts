import { HeaderMap } from "@apollo/server";
import { type ASTNode, GraphQLError } from "graphql";
import type { FaultCode } from "../../datasources/fault.js";

/** A limit that an operation has passed: the setting or rule, what it allows, and what was asked for. */
interface PassedLimit {
  readonly name: string;
  readonly allowed: number;
  /** As far as it was counted: a document is not read on once it is too large. */
  readonly actual: number;
}

const BAD_REQUEST = 400;
const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;

/** Refuses an operation before anything runs: nothing was sent, and the same operation will be refused again. */
export const tooExpensive = (message: string, limit: PassedLimit, node?: ASTNode): GraphQLError =>
  new GraphQLError(message, {
    ...(node === undefined ? {} : { nodes: node }),
    extensions: { code: "QUERY_TOO_EXPENSIVE", limit, http: { status: BAD_REQUEST } },
  });

/** The header that says when to come again: in whole seconds, never too early. */
const retryAfter = (retryAfterMs: number) => ({ "retry-after": String(Math.ceil(retryAfterMs / 1_000)) });

/** What a refusal for now carries: its code, when to come again, and what Apollo answers with over HTTP. */
const forNow = (code: FaultCode, retryAfterMs: number, status: number): Readonly<Record<string, unknown>> => ({
  code,
  retryable: true,
  retryAfterMs,
  http: { status, headers: new HeaderMap(Object.entries(retryAfter(retryAfterMs))) },
});

/** Refuses an operation because there is more to do than can be done: nothing was begun. */
export const overloaded = (retryAfterMs: number): GraphQLError =>
  new GraphQLError(`The gateway is overloaded: retry in ${retryAfterMs} ms.`, {
    extensions: forNow("OVERLOADED", retryAfterMs, SERVICE_UNAVAILABLE),
  });

/** Refuses an operation for now. `what` is what its client's budget was of. */
export const rateLimited = (retryAfterMs: number, what: string): GraphQLError =>
  new GraphQLError(`This client's budget of ${what} is spent: retry in ${retryAfterMs} ms.`, {
    extensions: forNow("RATE_LIMITED", retryAfterMs, TOO_MANY_REQUESTS),
  });
