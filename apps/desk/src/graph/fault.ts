import type { GraphError } from "@exchange-graph/client";

/** Why something could not be read or done, with its place in the result, for example `account.balances`. */
export interface Fault extends GraphError {
  readonly place: string;
}

export const faultsOf = (errors: readonly GraphError[]): readonly Fault[] =>
  // The members of an error that is an object of a class are not its own.
  errors.map(({ code, codeRaw, message, retryable, path, scope, retryAfterMs }) => ({
    code,
    codeRaw,
    message,
    retryable,
    place: path?.join(".") ?? "",
    ...(scope !== undefined && { scope }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }));
