import { type ASTNode, GraphQLError } from "graphql";
import type { FaultCode } from "../../datasources/errors/index.js";
import { withHead } from "./coded.js";

/** An exceeded limit: the setting or rule, its value, and the actual value. */
interface PassedLimit {
  readonly name: string;
  readonly allowed: number;
  /** A lower bound if counting stopped: a document is not read further once it is too large. */
  readonly actual: number;
  /** The costs of the operation's fields, by coordinate, the largest first. */
  readonly fields?: readonly { readonly field: string; readonly upstreamCalls: number; readonly nodes: number }[];
}

/** Refuses an operation before execution. The same operation will be refused again. */
export const tooExpensive = (message: string, limit: PassedLimit, node?: ASTNode): GraphQLError =>
  new GraphQLError(message, {
    ...(node === undefined ? {} : { nodes: node }),
    extensions: { code: "QUERY_TOO_EXPENSIVE", limit, http: { status: 400 } },
  });

/** A temporary refusal with the time of the next try. The header `retry-after` has it in whole seconds, rounded up. */
const forNow = (reason: string, code: FaultCode, retryAfterMs: number, status: number): GraphQLError => {
  const headers = new Map([["retry-after", String(Math.ceil(retryAfterMs / 1_000))]]);
  const more = { retryable: true, retryAfterMs };
  return withHead(`${reason}: retry in ${retryAfterMs} ms.`, code, { status, headers }, more);
};

/** Refuses an operation under overload, before execution. */
export const overloaded = (retryAfterMs: number): GraphQLError =>
  forNow("The gateway is overloaded", "OVERLOADED", retryAfterMs, 503);

/** Refuses an operation because a quota of its client is used up. `what` names the quota. */
export const rateLimited = (retryAfterMs: number, what: string): GraphQLError =>
  forNow(`This client's quota of ${what} is used up`, "RATE_LIMITED", retryAfterMs, 429);
