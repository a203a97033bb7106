import { isObject, type JsonObject, textOr } from "./json.js";

/** Codes of the gateway's error registry; `docs/graph.md` explains each. */
const GATEWAY_CODES = [
  "BATCH_REFUSED",
  "HISTORY_UNAVAILABLE",
  "BAD_USER_INPUT",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "CLIENT_GONE",
  "OVERLOADED",
  "UNAVAILABLE",
  "RATE_LIMITED",
  "EXCHANGE_REJECTED",
  "INSUFFICIENT_BALANCE",
  "ORDER_NOT_FOUND",
  "DUPLICATE_CLIENT_OID",
  "ACCOUNT_MODE_MISMATCH",
  "EXCHANGE_UNAVAILABLE",
  "EXCHANGE_TIMEOUT",
  "EXCHANGE_BAD_RESPONSE",
  "JOURNAL_UNAVAILABLE",
  "AUDIT_UNAVAILABLE",
  "IDEMPOTENCY_KEY_REUSED",
  "LIMIT_EXCEEDED",
  "TRADING_HALTED",
  "QUERY_TOO_EXPENSIVE",
  "INTERNAL_SERVER_ERROR",
] as const;

/** Codes of GraphQL itself, by Apollo's names. */
const GRAPHQL_CODES = [
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "PERSISTED_QUERY_NOT_FOUND",
  "PERSISTED_QUERY_NOT_SUPPORTED",
  "OPERATION_RESOLUTION_FAILURE",
  "BAD_REQUEST",
] as const;

/**
 * Codes of the client itself: the gateway is not reachable (`UNREACHABLE`), there was no answer in time (`TIMED_OUT`), or the
 * answer is not GraphQL (`BAD_ANSWER`), such as a proxy's page.
 */
const CLIENT_CODES = ["UNREACHABLE", "TIMED_OUT", "BAD_ANSWER"] as const;

/** All codes of errors. */
export const ERROR_CODES = [...GATEWAY_CODES, ...GRAPHQL_CODES, ...CLIENT_CODES] as const;

/** A code. `UNKNOWN` is a code that this version of the client does not know: `codeRaw` is its text. */
export type ErrorCode = (typeof ERROR_CODES)[number] | "UNKNOWN";

/** An error of an answer, of a write (`userErrors`), or of the transport. */
export interface GraphError {
  readonly code: ErrorCode;
  /** The code as received. */
  readonly codeRaw: string;
  readonly message: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Path in the data. */
  readonly path?: readonly (string | number)[];
  /** For a write: the path of the input field that it concerns, for example `["takeProfit", "triggerPrice"]`. */
  readonly field?: readonly string[];
  /** Time of the next try, in ms. */
  readonly retryAfterMs?: number;
  /** The scope that the token lacks. */
  readonly scope?: string;
  /** Violated rules of arguments. */
  readonly violations?: readonly { readonly argument: string; readonly rule: string }[];
  /** The exchange's own code and text. */
  readonly exchange?: { readonly code: string; readonly msg: string; readonly endpoint?: string };
}

const codes: ReadonlySet<string> = new Set(ERROR_CODES);
const isKnown = (code: string): code is ErrorCode => codes.has(code);

/** Reads an error of a GraphQL answer, or a `userError` of a payload, which have the same facts in different places. */
export function graphErrorFrom(value: unknown): GraphError {
  const error = isObject(value) ? value : {};
  const facts: JsonObject = isObject(error.extensions) ? error.extensions : error;
  const codeRaw = textOr(facts.code, "INTERNAL_SERVER_ERROR");
  const { path } = error;
  const { field, retryAfterMs, scope, violations, exchange } = facts;
  return {
    code: isKnown(codeRaw) ? codeRaw : "UNKNOWN",
    codeRaw,
    message: textOr(error.message, codeRaw),
    retryable: facts.retryable === true,
    ...(Array.isArray(path) && { path: path.filter((step) => typeof step === "string" || typeof step === "number") }),
    ...(Array.isArray(field) && { field: field.map(String) }),
    ...(typeof retryAfterMs === "number" && { retryAfterMs }),
    ...(typeof scope === "string" && { scope }),
    ...(Array.isArray(violations) && { violations: violations.filter(isObject).map(violationFrom) }),
    ...(isObject(exchange) && { exchange: exchangeFrom(exchange) }),
  };
}

const violationFrom = ({ argument, rule }: JsonObject) => ({ argument: textOr(argument, ""), rule: textOr(rule, "") });

const exchangeFrom = ({ code, msg, endpoint }: JsonObject) => ({
  code: textOr(code, ""),
  msg: textOr(msg, ""),
  ...(typeof endpoint === "string" && { endpoint }),
});

export const graphErrorsFrom = (errors: unknown): readonly GraphError[] =>
  Array.isArray(errors) ? errors.map(graphErrorFrom) : [];

/** The reason for a missing answer. The request may have taken effect nevertheless. */
export class NoAnswer extends Error implements GraphError {
  override readonly name = "NoAnswer";
  readonly codeRaw: string;
  readonly retryable = true;

  constructor(
    readonly code: (typeof CLIENT_CODES)[number],
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.codeRaw = code;
  }
}
