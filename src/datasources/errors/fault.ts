import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { inCapitals } from "@exchange-graph/contract/letterCase";

/**
 * The closed registry of errors, with the values of `extensions.code`. The error table of the documentation is generated from it.
 */
export const FAULTS = {
  BAD_USER_INPUT: {
    retryable: false,
    meaning: "An argument breaks a rule; nothing was sent. `violations` lists argument and rule.",
  },
  UNAUTHENTICATED: { retryable: false, meaning: "The client is unknown, or its token has expired." },
  FORBIDDEN: {
    retryable: false,
    meaning:
      "The client, or the exchange key behind the account, may not do this. `scope` names the scope that the client lacks.",
  },
  CLIENT_GONE: {
    retryable: true,
    meaning: "The client disconnected before its call was sent; nothing was sent.",
  },
  OVERLOADED: {
    retryable: true,
    meaning: "The gateway is overloaded; nothing was started. `retryAfterMs` says when to try again.",
  },
  UNAVAILABLE: {
    retryable: true,
    meaning: "The gateway is stopping, or none can be reached; nothing was started. Another one may answer.",
  },
  RATE_LIMITED: { retryable: true, meaning: "No rate budget before the deadline. `retryAfterMs` says when to try again." },
  EXCHANGE_REJECTED: { retryable: false, meaning: "The exchange refused; `exchange` has its own code and text." },
  INSUFFICIENT_BALANCE: { retryable: false, meaning: "The balance of the account is too low." },
  ORDER_NOT_FOUND: { retryable: false, meaning: "The exchange has no such order." },
  DUPLICATE_CLIENT_OID: { retryable: false, meaning: "Another order already has this clientOid." },
  ACCOUNT_MODE_MISMATCH: {
    retryable: false,
    meaning:
      "This is not available in the account's mode (Classic or unified). Retryable while the account changes its mode (`40115`).",
  },
  EXCHANGE_UNAVAILABLE: { retryable: true, meaning: "The exchange could not be reached, or says it is out of service." },
  EXCHANGE_TIMEOUT: { retryable: true, meaning: "The exchange did not answer before the deadline." },
  EXCHANGE_BAD_RESPONSE: {
    retryable: true,
    meaning:
      "The exchange's answer, or a row of it, breaks its interface; the text names the place. Not retryable if the same answer would come again.",
  },
  JOURNAL_UNAVAILABLE: {
    retryable: true,
    meaning: "The journal of writes is full, locked or cannot be reached; nothing was sent.",
  },
  HISTORY_UNAVAILABLE: {
    retryable: true,
    meaning: "The history of accounts cannot be read now; not retryable if this gateway records none.",
  },
  AUDIT_UNAVAILABLE: { retryable: true, meaning: "The audit is required and cannot be written; nothing was sent." },
  IDEMPOTENCY_KEY_REUSED: { retryable: false, meaning: "This idempotency key was used with another input." },
  LIMIT_EXCEEDED: {
    retryable: false,
    meaning: "A limit of the gateway would be exceeded; nothing was sent. The message names the limit and the figures.",
  },
  BATCH_REFUSED: {
    retryable: false,
    meaning: "Nothing of the batch was sent, because others of its orders were refused. The message names them.",
  },
  TRADING_HALTED: {
    retryable: false,
    meaning: "Trading is halted for this account: only writes that reduce risk are sent until an administrator resumes trading.",
  },
  QUERY_TOO_EXPENSIVE: { retryable: false, meaning: "The operation is larger than the limits allow; nothing was sent." },
  INTERNAL_SERVER_ERROR: { retryable: false, meaning: "An internal error. The log has the details." },
} as const satisfies Record<string, { retryable: boolean; meaning: string }>;

/** The name of a fault, the value of `extensions.code`. */
export type FaultCode = keyof typeof FAULTS;

/** The exchange's own code and text, and the endpoint. */
interface ExchangeAnswer {
  readonly code: string;
  readonly msg: string;
  readonly endpoint: string;
}

export interface ArgumentViolation {
  readonly argument: string;
  readonly rule: string;
}

interface FaultDetails {
  /** Overrides the registry's `retryable` for this fault. */
  readonly retryable?: boolean;
  readonly endpoint?: string;
  readonly exchange?: ExchangeAnswer;
  readonly violations?: readonly ArgumentViolation[];
  readonly retryAfterMs?: number;
  readonly scope?: string;
}

/** An error of the registry. GraphQL copies `extensions` into the answer, so it contains no secrets. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly extensions: FaultDetails & { readonly code: FaultCode; readonly retryable: boolean };

  constructor(code: FaultCode, message: string, details: FaultDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.extensions = { code, retryable: FAULTS[code].retryable, ...details };
  }

  get code(): FaultCode {
    return this.extensions.code;
  }
}

/** The error, if it is a fault. Throws any other. */
export function faultIn(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}

/** For faults that change nothing where they are caught. Throws any other error. */
export function ifFault(error: unknown): undefined {
  faultIn(error);
}

/** An error for invalid input: one sentence per violated rule; nothing was sent. */
export const badInput = (violations: readonly ArgumentViolation[]): Fault =>
  new Fault("BAD_USER_INPUT", violations.map(({ argument, rule }) => `${argument} ${rule}`).join("; "), { violations });

/** The same error for an argument of another name, such as the list that has the value. */
export function aboutArgument(fault: Fault, from: string, to: string): Fault {
  const { violations: own = [], ...details } = fault.extensions;
  if (!own.some(({ argument }) => argument === from)) return fault;
  const violations = own.map(({ argument, rule }) => ({ argument: argument === from ? to : argument, rule }));
  return new Fault(fault.code, badInput(violations).message, { ...details, violations }, { cause: fault });
}

/** The error for a range of time that ends before it starts. Without `to`, or with a later one, it ends now. */
export const reversedRange = (from: number, to: number | null | undefined): Fault =>
  typeof to === "number" && to < from
    ? badInput([{ argument: "to", rule: "must not be before from" }])
    : badInput([{ argument: "from", rule: "must not be in the future" }]);

/** Titles of calls whose names are words of the exchange, or less precise than the graph. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ["classicAccount", "account settings"],
  ["classicFuturesOrderDetail", "order"],
  ["classicSetMargin", "position margin"],
  ["classicSpotOrderInfo", "order"],
  ["convertTrade", "convert"],
  ["countdownCancelAll", "dead man's switch"],
  ["orderInfo", "order"],
  ["savingsRedeem", "redeem savings"],
  ["savingsRedeemResult", "redemption"],
]);

/**
 * The subject of an endpoint or a channel in words of the graph, for texts that clients see: "spot open orders" for
 * `classicSpotOpenOrders`. The endpoint's name is for operators, in `extensions.endpoint`, logs and metrics.
 */
export const titleOf = (name: string): string =>
  TITLES.get(name) ??
  name
    .replace(/^(?:classic|unified)(?=[A-Z])/, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trimStart()
    .replace("sub account", "sub-account");

/** An error of a call of an endpoint: the text begins with what the call is about. */
export const callFault = (
  code: FaultCode,
  endpoint: string,
  text: string,
  details: Omit<FaultDetails, "endpoint"> = {},
  options?: ErrorOptions,
): Fault => new Fault(code, `${titleOf(endpoint)}: ${text}`, { endpoint, ...details }, options);

/** The symbol of a call or a stream, by its parameters. */
interface NamedMarket {
  readonly category?: unknown;
  readonly productType?: unknown;
  readonly symbol?: unknown;
}

/** Codes that always mean an unknown symbol. */
const SYMBOL_CODES: ReadonlySet<string> = new Set([REFUSAL.unknownSpotSymbol.code, "25100"]);
/** Codes that can also mean other invalid values: their text decides. The last one is from the WebSocket interface. */
const VALUE_CODES: ReadonlySet<string> = new Set([REFUSAL.unknownSymbol.code, "30001"]);

/** The error for a symbol that the exchange does not list, the same for every query, stream and mutation. */
export function unknownSymbol(category: string, symbol: string, exchange?: Fault): Fault {
  const listed = category.replace("-", "_").toUpperCase();
  const rule = `must be a symbol of ${listed}${symbol === "" ? "" : `; there is no ${shortened(inCapitals(symbol))}`}`;
  const { message, extensions } = badInput([{ argument: "symbol", rule }]);
  const { exchange: answer, endpoint } = exchange?.extensions ?? {};
  const details = { ...extensions, ...(endpoint && { endpoint }), ...(answer && { exchange: answer }) };
  return new Fault("BAD_USER_INPUT", message, details, { cause: exchange });
}

/** The same fault, or the error for an unknown symbol if the exchange does not know it. */
export function inClientsWords<E>(error: E, { category, productType, symbol }: NamedMarket): E | Fault {
  if (!(error instanceof Fault) || typeof symbol !== "string") return error;
  const { exchange } = error.extensions;
  if (exchange === undefined) return error;
  const isNamed = /\bsymbol\b/i.test(exchange.msg) || inCapitals(exchange.msg).includes(inCapitals(symbol));
  if (!SYMBOL_CODES.has(exchange.code) && !(VALUE_CODES.has(exchange.code) && isNamed)) return error;
  const where = category ?? productType;
  return unknownSymbol(typeof where === "string" ? where : "SPOT", symbol, error);
}

const shortened = (text: string): string => (text.length <= 40 ? text : `${text.slice(0, 40)}…`);
