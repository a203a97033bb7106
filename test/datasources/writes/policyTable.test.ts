import { readFileSync } from "node:fs";
import { endpointNamed, endpoints } from "@exchange-graph/contract";
import { describe, expect, it } from "vitest";
import { FAULTS } from "../../../src/datasources/index.js";
import { WRITE_POLICIES } from "../../../src/datasources/writes/policies/index.js";

const page = readFileSync(new URL("../../../docs/writes.md", import.meta.url), "utf8");

const pathOf = (name: string): string => `\`${endpointNamed(name)?.path}\``;

/** The policy as the documentation prints it. */
const HEAD = ["| write | valid for | what shows that it took effect | where that is read |", "|---|---|---|---|"];
const table = [
  ...HEAD,
  ...WRITE_POLICIES.map(({ endpoint, proof, validForMs }) =>
    [
      "",
      `\`${endpoint.path}\``,
      `${validForMs({}) / 1_000} s`,
      proof?.shows ?? "nothing: it stays `UNKNOWN`",
      proof === undefined ? "" : proof.reads.map(pathOf).join(", "),
      "",
    ]
      .join(" | ")
      .trim(),
  ),
];

describe("the ambiguity policy", () => {
  it("is what the documentation prints", () => {
    const [, printed] = /<!-- ambiguity policy -->\n([\s\S]*)\n<!-- end of ambiguity policy -->/.exec(page) ?? [];
    expect(printed?.split("\n").toSorted()).toEqual(table.toSorted());
    expect(printed?.startsWith(`${HEAD.join("\n")}\n`)).toBe(true);
  });

  it("covers every endpoint that a mutation writes to, once", () => {
    const names = WRITE_POLICIES.map(({ endpoint }) => endpoint.name);
    expect(new Set(names).size).toBe(names.length);
    for (const { endpoint } of WRITE_POLICIES) expect([endpoint.name, endpoint.method]).toEqual([endpoint.name, "POST"]);
  });

  it("proves by reads alone", () => {
    const posts = new Set(endpoints.filter(({ method }) => method === "POST").map(({ name }) => name));
    const read = WRITE_POLICIES.flatMap(({ proof }) => proof?.reads ?? []);
    expect(read.filter((name) => posts.has(name) || endpointNamed(name) === undefined)).toEqual([]);
  });

  it("names only parameters that there are as the client's own identifier", () => {
    for (const { endpoint, clientOid } of WRITE_POLICIES)
      if (clientOid !== undefined) expect(Object.keys(endpoint.parameters)).toContain(clientOid);
  });
});

describe("the advice per error code", () => {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (yes|no) \|/gm)].map(([, code, retryable]) => [code, retryable]);

  it("has the codes of the registry, each retryable as the registry says", () => {
    const faults: Readonly<Record<string, { readonly retryable: boolean }>> = FAULTS;
    expect(rows).toEqual(rows.map(([code = ""]) => [code, faults[code]?.retryable === true ? "yes" : "no"]));
  });

  it("leaves out only what no write can meet", () => {
    const left = Object.keys(FAULTS).filter((code) => !rows.some(([listed]) => listed === code));
    expect(left.toSorted()).toEqual(["HISTORY_UNAVAILABLE", "QUERY_TOO_EXPENSIVE"]);
  });
});
