import { type GraphError, graphErrorsFrom, type NoAnswer } from "./errors.js";
import { isObject, type JsonObject } from "./json.js";

/** What a mutation's one field answers, by the type of the document's result. */
export type PayloadOf<Data> = NonNullable<Data[Exclude<keyof Data, "__typename">]>;

/** What became of a write. */
export type Outcome<Payload> =
  /** The exchange has taken it. */
  | { readonly outcome: "accepted"; readonly payload: Payload; readonly errors: readonly GraphError[] }
  /** It has had no effect and will have none. The payload is null where the gateway refused before it looked at the write. */
  | { readonly outcome: "rejected"; readonly payload: Payload | null; readonly errors: readonly GraphError[] }
  /** There may have been an effect. Ask again under the same key; never send it under another one. */
  | { readonly outcome: "unknown"; readonly payload: Payload | null; readonly errors: readonly GraphError[] };

/** Codes without a payload that do not say whether anything was sent. */
const UNCERTAIN: ReadonlySet<string> = new Set(["INTERNAL_SERVER_ERROR", "UNKNOWN"]);

/** An answer, as any library gives it. */
interface Answered {
  readonly data?: unknown;
  readonly errors?: readonly unknown[] | undefined;
}

/**
 * The outcome of a mutation from its answer. Errors without a payload are a rejection: the gateway sends nothing then. Not so
 * where the error stands inside of the payload, for then the write was made, or where its code does not say.
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
  // The document's types say what is asked for, and the gateway answers that.
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

/** The outcome of a write that nothing was heard of. */
export const unheard = (error: NoAnswer) => ({ outcome: "unknown", payload: null, errors: [error] }) as const;
