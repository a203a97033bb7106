import { describe, expect, it } from "vitest";
import { endpoints } from "../src/index.js";

describe("the exchange's interface as data", () => {
  it("gives every endpoint a unique name and path", () => {
    expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length);
    const routes = endpoints.flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((each) => `${method} ${each}`));
    expect(new Set(routes).size).toBe(routes.length);
  });

  it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))("describes %s and its parameters", (_, endpoint) => {
    expect(endpoint.doc.length).toBeGreaterThan(10);
    for (const parameter of Object.values(endpoint.parameters)) {
      expect(parameter.doc.length).toBeGreaterThan(2);
      expect(parameter.allowed.length).toBeGreaterThan(3);
    }
  });
});
