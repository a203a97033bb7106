import { type Endpoint, type Violation, violations } from "@exchange-graph/contract/endpoint";
import { REFUSAL, refusalOf } from "@exchange-graph/contract/errors/refusal";
import { isObject, parseJson } from "@exchange-graph/contract/json";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { Refused } from "../refused.js";
import type { Received } from "./answer.js";

/**
 * An endpoint as the exchange accepts it, which is more than its documentation lists: listed values in any letter case, values
 * that are not listed, and required parameters with a default may be absent.
 */
export function asServed<E extends Endpoint>(endpoint: E): E {
  const parameters = Object.entries(endpoint.parameters).map(([name, parameter]) => [
    name,
    {
      ...parameter,
      required: parameter.required && parameter.fallback === undefined,
      ...(parameter.tokens === undefined ? {} : { accepts: () => true }),
    },
  ]);
  return { ...endpoint, parameters: Object.fromEntries(parameters) };
}

/** The received parameters by name, unparsed. */
export type UncheckedParameters = Readonly<Record<string, unknown>>;

/**
 * The parameters of a call, with defaults. Throws `Refused` with the exchange's code for the first one that is missing, malformed
 * or violates a rule.
 */
export const readParameters = <P extends ParameterSet>(served: Endpoint<P>, request: Received, now: number): Values<P> =>
  parametersFrom(served, request.method === "GET" ? readQuery(request.query) : readBody(request, served.body), now);

/** The same, for parameters that are already separated. */
export function parametersFrom<P extends ParameterSet>(
  served: Endpoint<P>,
  received: UncheckedParameters,
  now: number,
): Values<P> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(served.parameters)) {
    const wire = received[name];
    if (wire === undefined || wire === null || wire === "") {
      if (parameter.fallback !== undefined) values[name] = parameter.fallback;
      continue;
    }
    const value = parameter.read(wire);
    if (value === undefined) throw refused(served, { parameter: name, problem: unreadable(parameter), rule: "" });
    values[name] = value;
  }
  checkParameters(served, values as Values<P>, now);
  return values as Values<P>;
}

/** Throws `Refused` for the first parameter that is missing or violates a rule. */
export function checkParameters<P extends ParameterSet>(served: Endpoint<P>, values: Values<P>, now: number): void {
  const [first] = violations(served, values, now);
  if (first !== undefined) throw refused(served, first);
}

/** A value outside a list is not allowed; a value that cannot be parsed is malformed. */
const unreadable = ({ tokens }: ParameterSet[string]): Violation["problem"] =>
  tokens === undefined ? "malformed" : "not allowed";

function refused<P extends ParameterSet>(endpoint: Endpoint<P>, violation: Violation): Refused {
  const { refusal, values } = refusalOf(endpoint, violation);
  return new Refused(refusal, ...values);
}

function readQuery(query: string): UncheckedParameters {
  return query === "" ? {} : Object.fromEntries(new URLSearchParams(query));
}

/** `list`: the parameter that the whole body is. */
function readBody(request: Received, list: string | undefined): UncheckedParameters {
  if (request.body === "") return {};
  if (!request.header("content-type")?.toLowerCase().startsWith("application/json")) throw new Refused(REFUSAL.wrongContentType);
  let body: unknown;
  try {
    body = parseJson(request.body);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refused(REFUSAL.brokenCombination, "body");
    throw error;
  }
  if (list !== undefined) return { [list]: body };
  if (!isObject(body)) throw new Refused(REFUSAL.brokenCombination, "body");
  return body;
}
