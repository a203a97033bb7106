import { describe, expect, it } from "vitest";
import { ClientPrincipal } from "../../../src/access/principal/clientPrincipal.js";
import { groupKey } from "../../../src/engine/subscriptions/fanOut.js";
import { type Grants, Rights } from "../../../src/resolvers/index.js";

const clientWith = (grants: Grants, name = "desk"): ClientPrincipal =>
  new ClientPrincipal({ id: `token:${name}`, name, rights: new Rights(grants), expiresAt: null });

const QUERY = "subscription { s }";
const groupOf = (principal: ClientPrincipal): string => groupKey(principal, { query: QUERY, operationName: undefined }, {});

describe("the listeners of a subscription", () => {
  it("share it if they have the same rights", () => {
    expect(groupOf(clientWith({ "read:market": "*" }, "one"))).toBe(groupOf(clientWith({ "read:market": "*" }, "other")));
  });

  it.each<[string, Grants]>([
    ["another account", { "read:market": "*", "read:account": ["classic"] }],
    ["all accounts", { "read:market": "*", "read:account": "*" }],
    ["another scope", { "read:market": "*", "read:account": ["main"], trade: ["main"] }],
  ])("do not share it with one who has %s", (_, grants) => {
    expect(groupOf(clientWith(grants))).not.toBe(groupOf(clientWith({ "read:market": "*", "read:account": ["main"] })));
  });

  it("are anonymous in the shared execution", () => {
    expect(clientWith({ trade: "*" }).asListener).toMatchObject({ id: "listener", name: null, expiresAt: null });
  });
});
