import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { VARIABLES } from "../../src/config/variables.js";

const address = new URL("../../docs/security.md", import.meta.url);
const page = readFileSync(address, "utf8");

describe("the page on security", () => {
  it("names a test for each promise, and each test is there", () => {
    const promises = page.split("| promise | tested in |\n|---|---|\n").slice(1);
    const rows = promises.flatMap((table) => table.split("\n\n", 1)[0]?.trimEnd().split("\n") ?? []);
    expect(rows.length).toBeGreaterThan(15);
    for (const row of rows) {
      const links = [...row.matchAll(/\]\((\.\.\/test\/[^)]+)\)/g)].map(([, link = ""]) => link);
      expect(links, row).not.toEqual([]);
      for (const link of links) expect(existsSync(new URL(link, address)), link).toBe(true);
    }
  });

  it("mentions only existing settings", () => {
    const named = page.match(/`(?:EXCHANGE|WITHDRAW|CLIENTS|JWT|AUDIT)_\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(VARIABLES).toContain(name.slice(1));
  });
});
