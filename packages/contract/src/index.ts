import * as areas from "./areas.js";
import type { Endpoint } from "./endpoint.js";

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "path" in value && "method" in value && "parameters" in value;

/** Every known REST endpoint of the exchange, by area. */
export const endpoints: readonly Endpoint[] = Object.values(areas).flatMap((area: object) =>
  Object.values(area).filter(isEndpoint),
);

export const endpointNamed = (name: string): Endpoint | undefined => byName.get(name);
const byName: ReadonlyMap<string, Endpoint> = new Map(endpoints.map((one) => [one.name, one]));
