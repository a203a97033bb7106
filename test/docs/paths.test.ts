import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const pages = ["README.md", "CONTRIBUTING.md", "docs", "docs/decisions"].flatMap((path) =>
  path.endsWith(".md") ? [path] : readdirSync(path).flatMap((name) => (name.endsWith(".md") ? [`${path}/${name}`] : [])),
);

/** Paths that readers create and git ignores. */
const MADE_BY_READERS = new Set(["deploy/secrets"]);

/** Files and folders that a page names in code, relative to the repository's root, without patterns. */
const named = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:src|packages|apps|test|bench|docs|deploy)\/[\w./-]+)`/g)].flatMap(([, path]) => path ?? []);

/** Files of the repository that a page links to. */
const linked = (page: string, text: string): readonly string[] =>
  [...text.matchAll(/\]\(([\w./-]+)(?:#[^)]*)?\)/g)].flatMap(([, path]) => (path === undefined ? [] : join(dirname(page), path)));

describe("the documentation", () => {
  it.each(pages)("%s names and links existing files", (page) => {
    const text = readFileSync(page, "utf8");
    expect([...named(text), ...linked(page, text)].filter((path) => !MADE_BY_READERS.has(path) && !existsSync(path))).toEqual([]);
  });

  it("has pages to look at", () => {
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.flatMap((page) => named(readFileSync(page, "utf8"))).length).toBeGreaterThan(50);
  });
});
