import type { EndedMutation, MutationObserver } from "../../resolvers/index.js";
import type { Operation } from "../answers/operation.js";
import type { Logger } from "./log.js";

/** Who asked, and how. */
export interface Origin {
  /** The caller's principal; null for somebody whom nobody knows. */
  readonly who: string | null;
  /** The address it came from, as the socket tells it. */
  readonly address: string | undefined;
  readonly over: "http" | "websocket" | "sse";
  readonly requestId: string;
}

/** Codes that say no to a caller: it is not known, may not do this, or has asked for too much. */
const REFUSALS: ReadonlySet<string> = new Set([
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "RATE_LIMITED",
  "OVERLOADED",
  "QUERY_TOO_EXPENSIVE",
]);

/** What a refusal says that never came as far as GraphQL. */
const REFUSING_STATUS: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "FORBIDDEN",
  413: "REQUEST_TOO_LARGE",
  421: "FORBIDDEN",
  429: "RATE_LIMITED",
};

/** What an answer has refused, in codes: one for each of its errors that is a refusal, or the one of its status. */
export function refusalsIn(operation: Pick<Operation, "errorCodes"> | undefined, status: number): readonly string[] {
  if (operation !== undefined && operation.errorCodes.length > 0)
    return operation.errorCodes.filter((code) => REFUSALS.has(code));
  const code = REFUSING_STATUS[status];
  return code === undefined ? NONE : [code];
}
const NONE: readonly string[] = [];

const MAX_NAME = 100;

/**
 * Who did what: one line for each mutation, whatever became of it, and one for each answer that refused something.
 * Arguments are reduced to what a mutation was about, so no line holds more of a secret than a caller puts there itself.
 */
export class Audit {
  constructor(private readonly log: Logger) {}

  /** An operation has come in: what listens to its mutations. */
  mutationsOf(origin: Origin): MutationObserver {
    return { who: origin.who, ended: (mutation: EndedMutation) => this.log.info({ ...origin, ...mutation }, "mutation") };
  }

  /** An answer refused something: `codes` has one for each refusal, `operation` is the name that its caller gave it. */
  refused(origin: Origin, operation: string | undefined, codes: readonly string[]): void {
    const line = { ...origin, operation: operation?.slice(0, MAX_NAME) ?? null, codes: [...new Set(codes)] };
    this.log.info({ ...line, refusals: codes.length }, "refused");
  }
}
