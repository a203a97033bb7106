import { readdirSync, readFileSync } from "node:fs";
import { isInterfaceType, isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { buildGraph } from "../../src/resolvers/index.js";
import { printGraph } from "../../src/schema/printGraph.js";

const graph = buildGraph();
const fields = Object.values(graph.getTypeMap()).flatMap((type) =>
  (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith("__") ? Object.values(type.getFields()) : [],
);

/** Resolvers of nullable fields, with whether their return type includes null. */
const RESOLVER =
  /@(?:FieldResolver|Query)\(.*?, \{\s*nullable: (?:true|"itemsAndList"),\s*description:\s*(?:"([^"]*)"|`[^`]*`|\w+),?\s*\}\)\s*(?:async )?(\w+)\((?:(?!\n {2,4}\}\n).)*?\): ([^{]*?) \{\n/gs;
const sources = readdirSync("src/resolvers", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const resolvers = sources.flatMap((file) =>
  [...readFileSync(`src/resolvers/${file}`, "utf8").matchAll(RESOLVER)].map(([, description, name, answer = ""]) => ({
    file,
    name,
    description,
    mayBeNull: /\bnull\b|ReturnType/.test(answer),
  })),
);

describe("@semanticNonNull", () => {
  it("is on a field with a call of its own exactly if its resolver never answers null", () => {
    expect(resolvers.length).toBeGreaterThan(100);
    const wrong = resolvers.flatMap(({ file, name, description, mayBeNull }) => {
      const found = fields.filter(
        (field) => field.name === name && (description === undefined || field.description?.startsWith(description)),
      );
      if (found.length === 0) return [`${file}: ${name} is no field`];
      const isRight = found.map(({ extensions }) => (extensions.semanticNonNull?.includes(0) === true) !== mayBeNull);
      // Without its description, a field of another type may have the name too.
      const isSettled = description === undefined ? isRight.includes(true) : !isRight.includes(false);
      return isSettled ? [] : [`${file}: ${name}`];
    });
    expect(wrong).toEqual([]);
  });

  it("is in the schema, with the levels of lists", () => {
    const sdl = printGraph(graph);
    expect(sdl).toContain("directive @semanticNonNull(");
    expect(sdl).toContain("mode: AccountMode @semanticNonNull\n");
    expect(sdl).toContain("): [Position] @semanticNonNull(levels: [0, 1])\n");
    expect(sdl).toMatch(/ nodes: \[Order\]! @semanticNonNull\(levels: \[1\]\)\n/);
    expect(sdl).toMatch(/ nodes\([^)]*\): \[Node\]!\n/);
  });
});
