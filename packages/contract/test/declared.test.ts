import { expect, it } from "vitest";
import type { Endpoint } from "../src/endpoint.js";
import { endpoints } from "../src/index.js";
import { samplesIn } from "./samples/changed.js";

/** Each parameter: its rule in words, whether it must be given (`!`), and what the exchange assumes without it. */
const parametersOf = (set: Endpoint["parameters"]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(set).map(([name, { required, allowed, fallback, parts, items }]) => {
      const inner = parts ?? items;
      const rule = fallback === undefined ? allowed : `${allowed}; ${fallback}`;
      return [required ? `${name}!` : name, inner === undefined ? rule : [rule, parametersOf(inner)]];
    }),
  );

/** Everything that an endpoint declares but its documentation, its data, and how its rules between parameters are checked. */
const declared = ({ doc: _, data: _data, rules, parameters, ...terms }: Endpoint): unknown =>
  JSON.parse(JSON.stringify({ ...terms, parameters: parametersOf(parameters), rules: rules?.map(({ rule }) => rule) }));

/** As the interface says: a line for each endpoint. */
const EXPECTED = samplesIn<{ readonly name: string }>("declared.ndjson");

it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  "declares %s as the interface has it",
  (name, endpoint) => {
    expect(declared(endpoint)).toEqual(EXPECTED.find((one) => one.name === name));
  },
);
