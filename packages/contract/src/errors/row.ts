export type ErrorCategory =
  | "auth"
  | "clock"
  | "permission"
  | "accountState"
  | "environment"
  | "accountMode"
  | "validation"
  | "rateLimit"
  | "balance"
  | "orderNotFound"
  | "orderState"
  | "duplicate"
  | "symbol"
  | "bounds"
  | "priceBand"
  | "precision"
  | "positionMode"
  | "marginMode"
  | "leverage"
  | "position"
  | "tpsl"
  | "modify"
  | "convert"
  | "earn"
  | "loan"
  | "broker"
  | "withdrawal"
  | "unavailable"
  | "maintenance"
  | "retired";

/**
 * Whether the same call can succeed when it is repeated: `never`; after a while (`backoff`); once the client has changed it
 * (`fix`); or the call may have taken effect and must be looked up first (`look up`).
 */
export type Retry = "never" | "backoff" | "look up" | "fix";

/** One code of the exchange. `{0}` and `{1}` in a meaning are placeholders that the exchange fills in. */
export interface ErrorRow {
  readonly code: string;
  readonly meaning: string;
  readonly category: ErrorCategory;
  readonly retry: Retry;
}

/** Codes with the same category and retry rule, each with its meaning. */
export const group = (category: ErrorCategory, retry: Retry, meanings: Readonly<Record<string, string>>): readonly ErrorRow[] =>
  Object.entries(meanings).map(([code, meaning]) => ({ code, meaning, category, retry }));

/** The same meaning for every code from `first` to `last`. */
export const span = (first: number, last: number, meaning: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: last - first + 1 }, (_, at) => [String(first + at), meaning]));
