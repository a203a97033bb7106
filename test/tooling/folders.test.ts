import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";

/** An import, with the paths of both files below `src`. */
interface Import {
  readonly from: string;
  readonly to: string;
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)\.js"/g;

const imports: readonly Import[] = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((from) =>
    [...readFileSync(`src/${from}`, "utf8").matchAll(IMPORT)].map(([, path = ""]) => ({
      from,
      to: `${posix.join(posix.dirname(from), path)}.ts`,
    })),
  )
  .filter(({ to }) => !to.startsWith("../packages/replicas/"));

/** Folders of `src`, lowest layer first: each imports only those before it. The files beside the folders compose them. */
const LAYERS = [
  ...["instrumentation", "files", "datasources", "schema", "resolvers", "config"],
  ...["access", "engine", "transports", "telemetry", "commands", "(composition)"],
];

const folderOf = (path: string): string => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "(composition)");

/** Imports that form cycles between folders: the imported folder depends on the importing one. */
function circles(between: readonly Import[], placeOf: (path: string) => string): readonly string[] {
  const next = new Map<string, Set<string>>();
  const edges = between.map((edge) => ({ ...edge, a: placeOf(edge.from), b: placeOf(edge.to) })).filter(({ a, b }) => a !== b);
  for (const { a, b } of edges) next.set(a, (next.get(a) ?? new Set()).add(b));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(next.get(from) ?? [])].some((place) => reaches(place, to, seen));
  };
  return edges.filter(({ a, b }) => reaches(b, a)).map(({ from, to }) => `${from} imports ${to}`);
}

describe("folders", () => {
  it("of the gateway import only lower ones", () => {
    expect([...new Set(imports.flatMap(({ from, to }) => [folderOf(from), folderOf(to)]))].sort()).toEqual([...LAYERS].sort());
    const upward = imports.filter(({ from, to }) => LAYERS.indexOf(folderOf(from)) < LAYERS.indexOf(folderOf(to)));
    expect(upward.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it.each(["access", "engine", "transports", "telemetry"])(
    "in %s form no cycle, and none imports the files that compose them",
    (folder) => {
      const inside = imports.filter(({ from, to }) => folderOf(from) === folder && folderOf(to) === folder);
      expect(circles(inside, (path) => posix.dirname(path).split("/").slice(0, 2).join("/"))).toEqual([]);
    },
  );

  it.each(["datasources", "resolvers"])("in %s form no cycle; the files beside them compose them or serve them all", (folder) => {
    const isBeside = (path: string): boolean => posix.dirname(path) === folder || path === "datasources/reads/requestReads.ts";
    const inside = imports.filter(
      ({ from, to }) => folderOf(from) === folder && folderOf(to) === folder && !isBeside(from) && !isBeside(to),
    );
    expect(inside.length).toBeGreaterThan(5);
    expect(circles(inside, (path) => path.split("/").slice(0, 2).join("/"))).toEqual([]);
  });

  it("know Apollo Server in one place, where HTTP meets it", () => {
    const users = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
      (path) => path.endsWith(".ts") && /"@apollo\/server[/"]/.test(readFileSync(`src/${path}`, "utf8")),
    );
    expect(users).not.toEqual([]);
    expect(users.filter((path) => posix.dirname(path) !== "transports/http/apollo")).toEqual([]);
  });

  it("that form a cycle are found, with the imports that cause it", () => {
    const some = [
      { from: "a/1.ts", to: "b/1.ts" },
      { from: "b/2.ts", to: "c/1.ts" },
      { from: "c/2.ts", to: "a/2.ts" },
      { from: "a/1.ts", to: "d/1.ts" },
    ];
    const made = ["a/1.ts imports b/1.ts", "b/2.ts imports c/1.ts", "c/2.ts imports a/2.ts"];
    expect(circles(some, folderOf)).toEqual(made);
  });
});
