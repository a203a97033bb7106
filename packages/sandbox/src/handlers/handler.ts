import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { Credential } from "../credentials.js";

/** A call of a public endpoint that passed every check of its parameters. */
interface PublicCall<P extends ParameterSet> {
  /** The parameters, with defaults. */
  readonly values: Values<P>;
}

/** A call of a private endpoint that also passed the gate. */
interface PrivateCall<P extends ParameterSet> extends PublicCall<P> {
  /** The user whose key signed the call. */
  readonly uid: string;
  readonly permissions: readonly string[];
}

/** An endpoint with its handler, which returns the wire form of `data`. A refusal is thrown. */
export interface Handler {
  readonly endpoint: Endpoint;
  /** `client` is the credential that signed the call, where one had to. */
  answer(values: Values<ParameterSet>, caller: Credential | undefined): unknown;
}

/** A parameter with a default is always defined in a handler, which its type cannot express. */
export function filledIn<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("a default was not filled in");
  return value;
}

/** A handler of a public endpoint. */
export const open = <P extends ParameterSet>(endpoint: Endpoint<P>, answer: (call: PublicCall<P>) => unknown): Handler => ({
  endpoint,
  answer: (values) => answer({ values: values as Values<P> }),
});

/** A handler of a private endpoint. */
export const signed = <P extends ParameterSet>(endpoint: Endpoint<P>, answer: (call: PrivateCall<P>) => unknown): Handler => ({
  endpoint,
  answer(values, caller) {
    if (caller === undefined) throw new TypeError(`${endpoint.name} was reached without a key`);
    return answer({ values: values as Values<P>, uid: caller.uid, permissions: caller.permissions });
  },
});
