import { type GraphError, graphErrorsFrom, type NoAnswer } from "./errors.js";
import { isObject, type JsonObject } from "./json.js";

/** The payload of a mutation's only field, by the type of the document's result. */
export type PayloadOf<Data> = NonNullable<Data[Exclude<keyof Data, "__typename">]>;

/** Outcome of a write. */
export type Outcome<Payload> =
  /** The exchange accepted it. */
  | { readonly outcome: "accepted"; readonly payload: Payload; readonly errors: readonly GraphError[] }
  /** It has no effect. The payload is null if the gateway refused the request before executing it. */
  | { readonly outcome: "rejected"; readonly payload: Payload | null; readonly errors: readonly GraphError[] }
  /** It may have taken effect. Repeat it with the same key; never send it with another one. */
  | { readonly outcome: "unknown"; readonly payload: Payload | null; readonly errors: readonly GraphError[] };

/** Codes without a payload that do not show whether the write was sent. */
const UNCERTAIN: ReadonlySet<string> = new Set(["INTERNAL_SERVER_ERROR", "UNKNOWN"]);

/** An answer, as any library returns it. */
interface Answered {
  readonly data?: unknown;
  readonly errors?: readonly unknown[] | undefined;
}

/**
 * The outcome of a mutation from its answer. Errors without a payload mean a rejection: the gateway sends nothing then. The
 * exceptions are errors inside the payload, because then the write was executed, and codes that leave it open.
 */
export function outcomeOf<Data>({ data, errors }: Answered): Outcome<PayloadOf<Data>> {
  const found = Object.values(isObject(data) ? data : {}).filter(isObject);
  if (found.length > 1) throw new TypeError("a write has one field: send several as documents of their own");
  const problems = graphErrorsFrom(errors);
  const [payload] = found;
  return payload === undefined ? withoutPayload<Data>(problems) : withPayload<Data>(payload, problems);
}

function withoutPayload<Data>(errors: readonly GraphError[]): Outcome<PayloadOf<Data>> {
  const isCertain = errors.length > 0 && errors.every(({ code, path = [] }) => path.length < 2 && !UNCERTAIN.has(code));
  return { outcome: isCertain ? "rejected" : "unknown", payload: null, errors };
}

function withPayload<Data>(found: JsonObject, problems: readonly GraphError[]): Outcome<PayloadOf<Data>> {
  const { outcome, userErrors } = found;
  // The document's types describe its selection, and the gateway returns that.
  const payload = found as PayloadOf<Data>;
  const errors = [...graphErrorsFrom(userErrors), ...problems];
  switch (outcome) {
    case "ACCEPTED":
      return { outcome: "accepted", payload, errors };
    case "REJECTED":
      return { outcome: "rejected", payload, errors };
    case "UNKNOWN":
      return { outcome: "unknown", payload, errors };
    default:
      throw new TypeError("the answer has no outcome: it is that of a dry run, or the document does not ask for it");
  }
}

/** The outcome of a write without an answer. */
export const withoutAnswer = (error: NoAnswer) => ({ outcome: "unknown", payload: null, errors: [error] }) as const;

/**
 * The outcome by the answer to a repetition: one that is refused before the gateway looks for its key, such as for a limit or a
 * token that has ended, does not show what has become of the first request.
 */
export const ofRepetition = <Payload>(found: Outcome<Payload>): Outcome<Payload> =>
  found.outcome === "rejected" && found.payload === null ? { ...found, outcome: "unknown" } : found;
