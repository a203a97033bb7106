/**
 * All that an answer may depend on besides the operation itself. A request's context is made of its caller and of
 * nothing else, and answers are shared under the whole caller, so whatever is added here is at once part of both.
 */
export interface Caller {
  /** Who is asking. */
  readonly principal: string;
}

/** Whoever can reach the port: no callers are configured. */
const ANYONE: Caller = { principal: "anyone" };

export const callerOf = (): Caller => ANYONE;
