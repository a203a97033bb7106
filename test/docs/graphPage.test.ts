import { readFileSync } from "node:fs";
import { ApolloServerErrorCode } from "@apollo/server/errors";
import {
  MARKET_DATA,
  PRIVATE_HISTORY,
  PRIVATE_STATE,
  REFERENCE_DATA,
  UNSTREAMED_STATE,
  WATCHED_STATE,
} from "@exchange-graph/contract/endpoint";
import { isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { FAULTS } from "../../src/datasources/errors/fault.js";
import { graph } from "../support/graph.js";

const page = readFileSync(new URL("../../docs/graph.md", import.meta.url), "utf8");

describe("the page on the graph", () => {
  it("has the table of errors as the registry has it", () => {
    const [, table] = /<!-- errors:[^>]*-->\n([\s\S]*?)<!-- \/errors -->/.exec(page) ?? [];
    const rows = Object.entries(FAULTS).map(
      ([code, { retryable, meaning }]) => `| \`${code}\` | ${retryable ? "yes" : "no"} | ${meaning} |\n`,
    );
    expect(table).toBe(["| code | retryable | meaning |\n", "|---|---|---|\n", ...rows].join(""));
  });

  it("names every code of GraphQL's own", () => {
    for (const code of Object.values(ApolloServerErrorCode)) expect(page).toContain(`\`${code}\``);
  });

  it("states the same lifetimes as the contract", () => {
    const seconds = (ms: number) => `${ms / 1000} s |`;
    expect(page).toContain(`open orders | ${PRIVATE_STATE.freshMs / 1000} s;`);
    for (const [what, { freshMs, staleMs }] of [
      ["funding account", WATCHED_STATE],
      ["savings and shark-fin", UNSTREAMED_STATE],
    ] as const)
      expect(page).toContain(`${what} | ${freshMs / 1000} s; up to ${(freshMs + staleMs) / 1000} s while`);
    expect(page).toContain(`market data | ${MARKET_DATA.freshMs / 1000} s;`);
    expect(page).toContain(`private history | ${seconds(PRIVATE_HISTORY.freshMs)}`);
    expect(page).toContain(`instruments, tiers | ${REFERENCE_DATA.freshMs / 60_000} min`);
    expect(REFERENCE_DATA.staleMs).toBe(3_600_000);
  });

  it.each(["Query", "Mutation", "Subscription", "Account", "Loans", "Earn", "Savings", "SharkFin", "Broker"])(
    "names every field of %s",
    (name) => {
      const type = graph.getType(name);
      if (!isObjectType(type)) throw new Error(`the graph has no ${name}`);
      const fields = Object.values(type.getFields()).flatMap((one) => (one.deprecationReason === undefined ? [one.name] : []));
      const named = new Set(page.match(/(?<=`)\w+(?=[`(])/g));
      expect(fields.filter((field) => !named.has(field))).toEqual([]);
    },
  );
});
