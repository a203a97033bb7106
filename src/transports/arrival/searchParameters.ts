import { jsonIn } from "@exchange-graph/contract/json";
import type { GraphQLError } from "graphql";
import { badRequest } from "../../engine/errors/coded.js";

/** The parameters of a GraphQL request in a query string. */
export function parametersIn(search: string): Readonly<Record<string, unknown>> | GraphQLError {
  const parameters = new URLSearchParams(search);
  if (parameters.getAll("documentId").length > 1) return SEVERAL_IDS;
  const json = (name: string) => (parameters.has(name) ? { [name]: jsonOf(parameters.get(name) ?? "") } : {});
  return { ...Object.fromEntries(parameters), ...json("variables"), ...json("extensions") };
}

const SEVERAL_IDS = badRequest("documentId must occur once.");

/** Invalid JSON is kept as text, which is refused later. */
function jsonOf(text: string): unknown {
  const value = jsonIn(text);
  return value === undefined ? text : value;
}
