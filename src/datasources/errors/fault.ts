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

/** A violated rule of an argument. */
export interface ArgumentViolation {
  readonly argument: string;
  readonly rule: string;
}

/** Details of a fault besides its code. */
export interface FaultDetails {
  /** Overrides the registry's `retryable` for this fault. */
  readonly retryable?: boolean;
  readonly endpoint?: string;
  readonly exchange?: ExchangeAnswer;
  readonly violations?: readonly ArgumentViolation[];
  readonly retryAfterMs?: number;
  /** The scope that the client lacks. */
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

/** An error for invalid input: one sentence per violated rule; nothing was sent. */
export const badInput = (violations: readonly ArgumentViolation[]): Fault =>
  new Fault("BAD_USER_INPUT", violations.map(({ argument, rule }) => `${argument} ${rule}`).join("; "), { violations });
