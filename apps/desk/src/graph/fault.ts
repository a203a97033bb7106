import type { GraphError } from "@exchange-graph/client";

/** Reason why a read or write failed, with its path in the result, for example `account.balances`. */
export interface Fault extends GraphError {
  readonly place: string;
}

/** Whether there was no answer: it says nothing about what was asked. */
export const isUnanswered = ({ code }: GraphError): boolean =>
  code === "UNREACHABLE" || code === "TIMED_OUT" || code === "BAD_ANSWER";

/** Whether all of them pass: what was read before is shown until then. */
export const arePassing = (faults: readonly GraphError[]): boolean =>
  faults.length > 0 && faults.every(({ retryable }) => retryable);

export const faultsOf = (errors: readonly GraphError[]): readonly Fault[] =>
  // Copied field by field: the members of a class instance are not its own properties.
  errors.map(({ code, codeRaw, message, retryable, path, scope, retryAfterMs, exchange }) => ({
    code,
    codeRaw,
    message,
    retryable,
    place: path?.join(".") ?? "",
    ...(scope !== undefined && { scope }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(exchange !== undefined && { exchange }),
  }));
