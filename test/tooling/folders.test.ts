import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";

/** An import, with the paths of both files. */
interface Import {
  readonly from: string;
  readonly to: string;
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)\.js"/g;
const MODULES = "src/datasources";
const REPLICAS = "packages/replicas/src";

const imports: readonly Import[] = ["src", REPLICAS].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${folder}/${path}`)
    .flatMap((from) =>
      [...readFileSync(from, "utf8").matchAll(IMPORT)].map(([, path = ""]) => ({
        from,
        to: `${posix.join(posix.dirname(from), path)}.ts`,
      })),
    ),
);

/** Folders of `src`, lowest layer first: each imports only those before it. The files beside the folders compose them. */
const LAYERS = [
  ...["instrumentation", "files", "datasources", "schema", "resolvers", "exports", "config"],
  ...["access", "engine", "transports", "telemetry", "commands", "(composition)"],
];
/** Modules of the data source, lowest first. The files beside them compose them. */
const MODULE_ORDER = ["errors", "calls", "reads", "streams", "writes", "history", "(composition)"];

/** What of `folder` a file belongs to: a folder in it, or the file itself; `undefined` outside. */
const partOf = (folder: string, path: string): string | undefined =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/")[0] : undefined;
const composed = (part: string | undefined): string => (part?.endsWith(".ts") ? "(composition)" : (part ?? "(outside)"));
const inWords = (found: readonly Import[]): readonly string[] => found.map(({ from, to }) => `${from} imports ${to}`);

/** Imports between the parts of a folder that are not from a later one to an earlier one. */
const upwards = (folder: string, order: readonly string[]): readonly Import[] =>
  imports.filter(({ from, to }) => {
    const [a, b] = [partOf(folder, from), partOf(folder, to)];
    return a !== undefined && b !== undefined && order.indexOf(composed(a)) < order.indexOf(composed(b));
  });

/** Imports that form circles between places: the imported place depends on the importing one. */
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
  return inWords(edges.filter(({ a, b }) => reaches(b, a)));
}

/** Every folder with sources. */
const folders = [...new Set(imports.flatMap(({ from }) => foldersOf(from)))].sort();

function foldersOf(path: string): readonly string[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}

describe("folders", () => {
  it("of the gateway import only lower ones", () => {
    const all = imports.flatMap(({ from, to }) => [partOf("src", from), partOf("src", to)]).filter((part) => part !== undefined);
    expect([...new Set(all.map(composed))].sort()).toEqual([...LAYERS].sort());
    expect(inWords(upwards("src", LAYERS))).toEqual([]);
  });

  it("form no circle, at any depth: what lies beside a folder counts as a place of its own", () => {
    expect(folders.length).toBeGreaterThan(60);
    const found = folders.flatMap((folder) => {
      const inside = imports.filter(({ from, to }) => partOf(folder, from) !== undefined && partOf(folder, to) !== undefined);
      return circles(inside, (path) => partOf(folder, path) ?? "");
    });
    expect(found).toEqual([]);
  });

  it("know Apollo Server in one place, where HTTP meets it", () => {
    const users = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
      (path) => path.endsWith(".ts") && /"@apollo\/server[/"]/.test(readFileSync(`src/${path}`, "utf8")),
    );
    expect(users).not.toEqual([]);
    expect(users.filter((path) => posix.dirname(path) !== "transports/http/apollo")).toEqual([]);
  });

  it("that form a circle are found, with the imports that cause it", () => {
    const some = [
      { from: "a/1.ts", to: "b/1.ts" },
      { from: "b/2.ts", to: "c/1.ts" },
      { from: "c/2.ts", to: "a/2.ts" },
      { from: "a/1.ts", to: "d/1.ts" },
    ];
    const made = ["a/1.ts imports b/1.ts", "b/2.ts imports c/1.ts", "c/2.ts imports a/2.ts"];
    expect(circles(some, (path) => posix.dirname(path))).toEqual(made);
  });
});

describe("the modules of the data source", () => {
  it("import only lower ones", () => {
    const parts = imports.map(({ from }) => partOf(MODULES, from)).filter((part) => part !== undefined);
    expect([...new Set(parts.map(composed))].sort()).toEqual([...MODULE_ORDER].sort());
    expect(inWords(upwards(MODULES, MODULE_ORDER))).toEqual([]);
  });

  it("import each other's index.ts alone", () => {
    const moduleOf = (path: string): string => composed(partOf(MODULES, path));
    const entering = imports.filter(({ from, to }) => {
      const module = moduleOf(to);
      return module !== "(outside)" && module !== "(composition)" && module !== moduleOf(from);
    });
    expect(entering.length).toBeGreaterThan(200);
    expect(inWords(entering.filter(({ to }) => to !== `${MODULES}/${moduleOf(to)}/index.ts`))).toEqual([]);
  });

  it("export nothing from index.ts that nobody imports", () => {
    const taken = new Map<string, Set<string>>();
    const NAMES = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*"(\.[^"]+)\.js"/g;
    for (const from of new Set(imports.map((one) => one.from)))
      for (const [, names = "", path = ""] of readFileSync(from, "utf8").matchAll(NAMES)) {
        const to = `${posix.join(posix.dirname(from), path)}.ts`;
        const known = taken.get(to) ?? new Set<string>();
        for (const name of names.split(",")) known.add(name.trim().replace(/^type | as .*$/g, ""));
        taken.set(to, known);
      }
    const unused = MODULE_ORDER.slice(0, -1).flatMap((module) => {
      const index = `${MODULES}/${module}/index.ts`;
      const offered = [...readFileSync(index, "utf8").matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = ""]) =>
        names.split(",").map((name) => name.trim().replace(/^type /, "")),
      );
      return offered.filter((name) => name !== "" && taken.get(index)?.has(name) !== true).map((name) => `${index}: ${name}`);
    });
    expect(unused).toEqual([]);
  });
});

describe("the package for replicas", () => {
  it("is imported by the composition root and the command of the journal alone", () => {
    const importing = imports.filter(({ from, to }) => to.startsWith(REPLICAS) && !from.startsWith(REPLICAS));
    expect([...new Set(inWords(importing))].sort()).toEqual([
      `src/commands/journal.ts imports ${REPLICAS}/index.ts`,
      `src/main.ts imports ${REPLICAS}/index.ts`,
    ]);
  });
});
