import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
/** Paths that no checkout contains: the entries of .gitignore, and git's folder. */
const LEFT_OUT = new Set([
  ".git",
  ...readFileSync(join(ROOT, ".gitignore"), "utf8")
    .split("\n")
    .map((line) => line.replace(/^\/|\/$/g, "")),
]);
const BINARY = /\.(?:png|jpe?g|ico|woff2?)$/;

const files = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (LEFT_OUT.has(entry.name) || LEFT_OUT.has(relative(ROOT, path))) return [];
    return entry.isDirectory() ? files(path) : [path];
  });

const tree = files(ROOT)
  .filter((path) => !BINARY.test(path) && path !== import.meta.filename)
  .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, "utf8") }));

/** Each line of `paths` that contains `pattern`, as `path:line: text`. */
const hits = (pattern: RegExp, paths: RegExp = /./): string[] =>
  tree
    .filter(({ path }) => paths.test(path))
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
    );

describe("the tree holds", () => {
  test("its sources", () => {
    expect(tree.map(({ path }) => path)).toEqual(expect.arrayContaining(["package.json", "biome.json", "src/main.ts"]));
  });

  test("no note of work left undone", () => {
    expect(hits(/\b(?:TODO|FIXME|XXX|HACK)\b/)).toEqual([]);
  });

  test("no path of a developer's machine", () => {
    expect(hits(/(?<![\w.)}/-])\/(?:home|root|Users|work|workspace|tmp)\/\w/)).toEqual([]);
  });

  test("no address of a package registry, so that a lock file installs from any", () => {
    expect(
      hits(/"resolved": "\w+:|registry\.\w+|\bnpmjs\.|\byarnpkg\./, /(?:^|\/)(?:package(?:-lock)?\.json|\.npmrc|run)$/),
    ).toEqual([]);
  });

  test("no conflict that a merge left", () => {
    expect(hits(/^(?:<{7}|>{7}) /)).toEqual([]);
  });

  test("no file name that says nothing", () => {
    expect(tree.map(({ path }) => path).filter((path) => /(?:manager|helper|utils?|misc|common)\b[^/]*$/i.test(path))).toEqual(
      [],
    );
  });
});
