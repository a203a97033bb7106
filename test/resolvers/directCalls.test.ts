import { isObjectType } from "graphql";
import { expect, it } from "vitest";
import { ANYONE, buildGraph } from "../../src/resolvers/index.js";

it("calls a method at once, with the arguments that its class declares and with what else it asks for", async () => {
  const type = buildGraph().getType("Loans");
  const field = isObjectType(type) ? type.getFields().ongoing : undefined;
  const account = { name: "main" };
  const read: unknown[] = [];
  const within = (maxAgeMs: unknown) => ({
    read: (endpoint: { readonly name: string }, values: unknown, of: unknown) => {
      read.push({ endpoint: endpoint.name, values, of, maxAgeMs });
      return Promise.resolve([]);
    },
  });
  const context = { principal: ANYONE, reads: { within, trace: {} } };
  const rows = Reflect.apply(field?.resolve ?? (() => undefined), undefined, [
    { account },
    { orderId: "7", maxAgeMs: 2_000 },
    context,
    undefined,
  ]);
  expect(read).toEqual([{ endpoint: "loanOngoing", values: { orderId: "7" }, of: { account }, maxAgeMs: 2_000 }]);
  expect([...(await rows)]).toEqual([]);
});
