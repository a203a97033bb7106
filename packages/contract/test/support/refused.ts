import { type Endpoint, violations } from "../../src/endpoint.js";
import type { ParameterSet, Values } from "../../src/parameter.js";

/** The names of the parameters that an endpoint refuses, in order. `now` matters to calls with a time window. */
export const refused = <P extends ParameterSet>(call: Endpoint<P>, values: Values<P>, now = 0): string[] =>
  violations(call, values, now).map(({ parameter }) => parameter);
