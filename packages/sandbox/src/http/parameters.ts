import { type Endpoint, type Violation, violations } from "@exchange-graph/contract/endpoint";
import { REFUSAL, refusalOf } from "@exchange-graph/contract/errors/refusal";
import { isObject, parseJson } from "@exchange-graph/contract/json";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { Refused } from "../refused.js";
import type { Received } from "./request.js";

/**
 * An endpoint as the exchange itself takes it, which is wider than what a careful client sends: listed values in any
 * letter case, values that are served without being listed, and a required parameter that has a default may be absent.
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

/** What was given, by name, as it came. */
export type Given = Readonly<Record<string, unknown>>;

/**
 * The parameters of a call, defaults filled in. Throws `Refused` with the exchange's code for the first one that is
 * missing, malformed or against a rule.
 */
export const readParameters = <P extends ParameterSet>(served: Endpoint<P>, request: Received, now: number): Values<P> =>
  parametersFrom(served, request.method === "GET" ? readQuery(request.query) : readBody(request), now);

/** The same, of parameters that have been separated already. */
export function parametersFrom<P extends ParameterSet>(served: Endpoint<P>, given: Given, now: number): Values<P> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(served.parameters)) {
    const wire = given[name];
    if (wire === undefined || wire === null || wire === "") {
      if (parameter.fallback !== undefined) values[name] = parameter.fallback;
      continue;
    }
    const value = parameter.read(wire);
    if (value === undefined) throw refused(served, { parameter: name, problem: unreadable(parameter), rule: "" });
    values[name] = value;
  }
  const [first] = violations(served, values as Values<P>, now);
  if (first !== undefined) throw refused(served, first);
  return values as Values<P>;
}

/** What is in no list is not allowed; what cannot be read at all has the wrong form. */
const unreadable = ({ tokens }: ParameterSet[string]): Violation["problem"] =>
  tokens === undefined ? "malformed" : "not allowed";

function refused<P extends ParameterSet>(endpoint: Endpoint<P>, violation: Violation): Refused {
  const { refusal, values } = refusalOf(endpoint, violation);
  return new Refused(refusal, ...values);
}

function readQuery(query: string): Given {
  return query === "" ? {} : Object.fromEntries(new URLSearchParams(query));
}

function readBody(request: Received): Given {
  if (request.body === "") return {};
  if (!request.header("content-type")?.toLowerCase().startsWith("application/json")) throw new Refused(REFUSAL.wrongContentType);
  let body: unknown;
  try {
    body = parseJson(request.body);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refused(REFUSAL.brokenCombination, "body");
    throw error;
  }
  if (!isObject(body)) throw new Refused(REFUSAL.brokenCombination, "body");
  return body;
}
