import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const page = readFileSync("docs/testing.md", "utf8");
const SIZE = /process\.env\.(\w+) \?\? "(\d+)"/g;

it("the page on testing has every size that can be set, with its default and where", () => {
  const sizes = readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .flatMap((path) => [...readFileSync(`test/${path}`, "utf8").matchAll(SIZE)].map(([, name, size]) => [name, size, path]))
    .map(([name, size, path]) => `\`${name}\` ${size} \`test/${path}\``)
    .sort();
  const rows = [...page.matchAll(/^\| (`[A-Z_]+`) \| (\d+) \| .* \| (`.*`) \|$/gm)].map(([, ...row]) => row.join(" "));
  expect(rows).toEqual(sizes);
  expect(sizes).not.toEqual([]);
});
