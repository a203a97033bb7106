import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly types?: string;
  readonly typings?: string;
  readonly exports?: unknown;
}
const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8")) as Manifest;

/** The packages that the declarations in a folder import. */
function importedIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
  const names = files.flatMap((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/(?:from|import)\s*\(?["']((?:@[\w.-]+\/)?[a-z][\w.-]*)/g)].map(
      ([, imported = ""]) => imported,
    ),
  );
  return [...new Set(names)].sort();
}

/** The package that has the types of a package: itself, or the one of DefinitelyTyped. */
function typesOf(name: string): string {
  const { types, typings, exports } = manifestOf(
    createRequire(import.meta.url).resolve(`../../node_modules/${name}/package.json`),
  );
  return (types ?? typings) !== undefined || JSON.stringify(exports ?? {}).includes(".d.") ? name : `@types/${name}`;
}

describe.each(["client", "contract"])("the published package %s", (name) => {
  it("brings the types that its declarations use", () => {
    const { dependencies = {}, peerDependencies = {} } = manifestOf(`packages/${name}/package.json`);
    const needed = importedIn(`packages/${name}/dist`)
      .filter((imported) => imported !== "node" && !Object.hasOwn(peerDependencies, imported))
      .map(typesOf);
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(needed));
  });
});
