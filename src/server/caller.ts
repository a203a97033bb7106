import type { IncomingMessage } from "node:http";
import { asksForTrace } from "./exchangeExtension.js";

/**
 * All that an answer may depend on besides the operation itself. A request's context is made of its caller and of
 * nothing else, and answers are shared under the whole caller, so whatever is added here is at once part of both.
 */
export interface Caller {
  /** Who is asking. */
  readonly principal: string;
  /** Is the answer to show what was read for it? */
  readonly traced: boolean;
}

/** Whoever can reach the port: no callers are configured. */
const ANYONE = "anyone";

export const callerOf = (request: IncomingMessage): Caller => ({
  principal: ANYONE,
  traced: asksForTrace(request.headers, searchOf(request)),
});

/** The query of a request's address with its question mark, or nothing. */
export function searchOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}
