import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { Credential } from "../credentials.js";

/** A call of a public endpoint that passed every check of its parameters. */
interface PublicCall<P extends ParameterSet> {
  /** The parameters, defaults filled in. */
  readonly values: Values<P>;
}

/** A call of a private endpoint that also passed the gate. */
interface PrivateCall<P extends ParameterSet> extends PublicCall<P> {
  /** The user whose key signed the call. */
  readonly uid: string;
  /** What that key may do. */
  readonly permissions: readonly string[];
}

/** An endpoint with what answers it: the wire form of `data`. A refusal is thrown. */
export interface Handler {
  readonly endpoint: Endpoint;
  /** `client` is the credential that signed the call, where one had to. */
  answer(values: Values<ParameterSet>, caller: Credential | undefined): unknown;
}

/** A parameter that has a default is always there when a handler runs, which its type cannot say. */
export function filledIn<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("a default was not filled in");
  return value;
}

/** Answers a public endpoint. */
export const open = <P extends ParameterSet>(endpoint: Endpoint<P>, answer: (call: PublicCall<P>) => unknown): Handler => ({
  endpoint,
  answer: (values) => answer({ values: values as Values<P> }),
});

/** Answers a private endpoint. */
export const signed = <P extends ParameterSet>(endpoint: Endpoint<P>, answer: (call: PrivateCall<P>) => unknown): Handler => ({
  endpoint,
  answer(values, caller) {
    if (caller === undefined) throw new TypeError(`${endpoint.name} was reached without a key`);
    return answer({ values: values as Values<P>, uid: caller.uid, permissions: caller.permissions });
  },
});
