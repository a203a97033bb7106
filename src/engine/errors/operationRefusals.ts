import { type ASTNode, GraphQLError } from "graphql";
import type { FaultCode } from "../../datasources/errors/index.js";

/** An exceeded limit: the setting or rule, its value, and the actual value. */
interface PassedLimit {
  readonly name: string;
  readonly allowed: number;
  /** A lower bound if counting stopped: a document is not read further once it is too large. */
  readonly actual: number;
  /** The costs of the operation's fields, by coordinate, the largest first. */
  readonly fields?: readonly { readonly field: string; readonly upstreamCalls: number; readonly nodes: number }[];
}

const BAD_REQUEST = 400;
const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;

/** Refuses an operation before execution. The same operation will be refused again. */
export const tooExpensive = (message: string, limit: PassedLimit, node?: ASTNode): GraphQLError =>
  new GraphQLError(message, {
    ...(node === undefined ? {} : { nodes: node }),
    extensions: { code: "QUERY_TOO_EXPENSIVE", limit, http: { status: BAD_REQUEST } },
  });

/** The header `retry-after`, in whole seconds, rounded up. */
const retryAfter = (retryAfterMs: number) => new Map([["retry-after", String(Math.ceil(retryAfterMs / 1_000))]]);

/** Extensions of a temporary refusal: code, time of the next try, and HTTP status. */
const forNow = (code: FaultCode, retryAfterMs: number, status: number): Readonly<Record<string, unknown>> => ({
  code,
  retryable: true,
  retryAfterMs,
  http: { status, headers: retryAfter(retryAfterMs) },
});

/** Refuses an operation under overload, before execution. */
export const overloaded = (retryAfterMs: number): GraphQLError =>
  new GraphQLError(`The gateway is overloaded: retry in ${retryAfterMs} ms.`, {
    extensions: forNow("OVERLOADED", retryAfterMs, SERVICE_UNAVAILABLE),
  });

/** Refuses an operation because a quota of its client is used up. `what` names the quota. */
export const rateLimited = (retryAfterMs: number, what: string): GraphQLError =>
  new GraphQLError(`This client's quota of ${what} is used up: retry in ${retryAfterMs} ms.`, {
    extensions: forNow("RATE_LIMITED", retryAfterMs, TOO_MANY_REQUESTS),
  });
