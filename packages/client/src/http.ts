import type { Clock } from "./clock.js";
import type { GraphRequest } from "./document.js";
import { NoAnswer } from "./errors.js";
import { isObject, type JsonObject, textOr } from "./json.js";

/** A place in a document, from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** An error of a GraphQL answer, as received. */
export interface WireError {
  readonly message: string;
  /** Places in the document. */
  readonly locations?: readonly Place[];
  readonly path?: readonly (string | number)[];
  readonly extensions?: JsonObject;
}

/** A GraphQL answer, as received. */
export interface GraphAnswer {
  readonly data?: JsonObject | null;
  readonly errors?: readonly WireError[];
  readonly extensions?: JsonObject;
}

/** A token, or a function that returns one. */
export type Token = string | (() => string | undefined | Promise<string | undefined>);

export const bearerOf = async (token: Token | undefined): Promise<string | undefined> => {
  const text = typeof token === "function" ? await token() : token;
  return text === undefined ? undefined : `Bearer ${text}`;
};

interface Posting {
  readonly url: string;
  readonly token: Token | undefined;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Parses a GraphQL answer; `undefined` if it is not one. */
export function answerFrom(value: unknown): GraphAnswer | undefined {
  if (!isObject(value)) return undefined;
  const { data, extensions } = value;
  const errors = Array.isArray(value.errors) ? value.errors.filter(isObject).map(wireErrorFrom) : [];
  if (!isObject(data) && errors.length === 0) return undefined;
  return {
    data: isObject(data) ? data : null,
    ...(errors.length > 0 && { errors }),
    ...(isObject(extensions) && { extensions }),
  };
}

const isPlace = (value: unknown): value is Place =>
  isObject(value) && typeof value.line === "number" && typeof value.column === "number";

const wireErrorFrom = ({ message, locations, path, extensions }: JsonObject): WireError => ({
  message: textOr(message, ""),
  ...(Array.isArray(locations) && { locations: locations.filter(isPlace) }),
  ...(Array.isArray(path) && { path: path.filter((step) => typeof step === "string" || typeof step === "number") }),
  ...(isObject(extensions) && { extensions }),
});

/** Sends a request. Throws `NoAnswer` if there is none, and the signal's reason if it aborts. */
export async function post(request: GraphRequest, posting: Posting, signal?: AbortSignal): Promise<GraphAnswer> {
  signal?.throwIfAborted();
  const { timeoutMs, clock } = posting;
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  const cancel = clock.after(timeoutMs, () => ending.abort(new NoAnswer("TIMED_OUT", `no answer within ${timeoutMs} ms`)));
  signal?.addEventListener("abort", end);
  // Waiting for a token counts towards the timeout.
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener("abort", () => reject(ending.signal.reason));
  });
  try {
    return await Promise.race([ended, answered(request, posting, ending.signal)]);
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason;
    throw error instanceof NoAnswer ? error : new NoAnswer("UNREACHABLE", String(error), { cause: error });
  } finally {
    cancel();
    signal?.removeEventListener("abort", end);
  }
}

async function answered(request: GraphRequest, { url, token, fetch }: Posting, signal: AbortSignal): Promise<GraphAnswer> {
  const authorization = await bearerOf(token);
  const response = await fetch(url, {
    method: "POST",
    headers: {
      accept: "application/graphql-response+json, application/json",
      "content-type": "application/json",
      ...(authorization !== undefined && { authorization }),
    },
    body: JSON.stringify(request),
    signal,
  });
  const answer = answerFrom(jsonFrom(await response.text()));
  if (answer === undefined) throw new NoAnswer("BAD_ANSWER", `status ${response.status}, and no GraphQL`);
  return answer;
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NoAnswer("BAD_ANSWER", "the answer is no JSON", { cause: error });
  }
}
