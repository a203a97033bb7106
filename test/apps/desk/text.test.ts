import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GERMAN } from "../../../apps/desk/src/text/de.js";
import { t } from "../../../apps/desk/src/text/text.js";

const FOLDER = "apps/desk/src";

/** Texts of the desk's sources: the first arguments of `t`. */
const texts = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .flatMap((path) => [...readFileSync(`${FOLDER}/${path}`, "utf8").matchAll(/\bt\(\s*("(?:[^"\\]|\\.)*")/g)])
  .map(([, text = ""]): string => JSON.parse(text));

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe("the texts of the desk", () => {
  it("have a German one each", () => {
    expect(texts.length).toBeGreaterThan(500);
    expect([...new Set(texts)].filter((text) => !Object.hasOwn(GERMAN, text))).toEqual([]);
  });

  it("have the same placeholders in every language", () => {
    for (const [text, german] of Object.entries(GERMAN)) expect(placeholders(german), text).toEqual(placeholders(text));
  });

  it("are used: the catalogue has no others but the words of the graph's enums", () => {
    const used = new Set(texts);
    const others = Object.keys(GERMAN).filter((text) => !used.has(text));
    expect(others.filter((text) => !/^[A-Z][a-z]+( [a-z]+)*$/.test(text))).toEqual([]);
    expect(others.length).toBeLessThan(25);
  });

  it("are shown as they are, with their placeholders filled, where no catalogue is chosen", () => {
    expect(t("Halt {account}", { account: "main" })).toBe("Halt main");
    expect(t("constructor")).toBe("constructor");
    expect(t("{a} of {b}", { a: 1 })).toBe("1 of {b}");
  });
});
