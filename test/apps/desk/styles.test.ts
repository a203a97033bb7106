import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = "apps/desk/src";
const filesOf = (ending: string): readonly string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => resolve(SOURCE, path));

/** Names of the own classes of a CSS module. */
const classesIn = (path: string): readonly string[] => {
  const css = readFileSync(path, "utf8").replaceAll(/\/\*.*?\*\/|:global\([^)]*\)|\{[^{}]*\}/gs, "");
  return [...new Set([...css.matchAll(/\.([a-zA-Z]\w*)/g)].map(([, name = ""]) => name))];
};

/** The classes that components use of each CSS module, by the module's path. */
function uses(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of filesOf(".tsx")) {
    const text = readFileSync(path, "utf8");
    const code = text.replaceAll(/^import .*$/gm, "");
    for (const [, name = "", from = ""] of text.matchAll(/^import (\w+) from "(\..*\.module\.css)";$/gm)) {
      const module = resolve(dirname(path), from);
      const names = found.get(module) ?? new Set<string>();
      found.set(module, names);
      for (const [, used = ""] of code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))) names.add(used);
    }
  }
  return found;
}

/** Classes that a component names by a text of its own, and not by a module. What a condition compares or a call is given is none. */
const namedIn = (code: string): readonly string[] =>
  [...code.matchAll(/className=(?:"([^"]*)"|\{((?:[^{}]|\$\{[^{}]*\})*)\})/g)].flatMap(([, plain, expression = ""]) => {
    const texts = [...expression.replaceAll(/(?:[!=]== |, )"[^"]*"/g, "").matchAll(/"([^"]*)"/g)].map(([, text]) => text);
    const templates = [...expression.matchAll(/`([^`]*)`/g)].map(([, text = ""]) => text.replaceAll(/\$\{[^{}]*\}/g, " "));
    return [plain, ...texts, ...templates].flatMap((text) => text?.split(/\s+/) ?? []).filter((name) => name !== "");
  });

/** The classes of the global styles. */
const GLOBAL = new Set(filesOf(".css").flatMap((path) => (path.endsWith(".module.css") ? [] : classesIn(path))));

describe("the desk's global styles", () => {
  it("have every class that a component names by a text, or a module as a global one", () => {
    const named = filesOf(".tsx").flatMap((path) => namedIn(readFileSync(path, "utf8")).map((name) => ({ name, path })));
    const inModules = filesOf(".module.css").flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/:global\(\.([\w-]+)\)/g)].map(([, name = ""]) => ({ name, path })),
    );
    expect(named.length).toBeGreaterThan(0);
    expect([...named, ...inModules].filter(({ name }) => !GLOBAL.has(name))).toEqual([]);
  });
});

describe("the desk's CSS modules", () => {
  it("have a use for each of their classes, and each class that a component uses", () => {
    const used = uses();
    expect(used.size).toBeGreaterThan(0);
    for (const module of filesOf(".module.css"))
      expect([...(used.get(module) ?? [])].sort(), module).toEqual([...classesIn(module)].sort());
  });

  it("have files of different names, of which the build makes those of their classes", () => {
    const names = filesOf(".module.css").map((path) => basename(path));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
