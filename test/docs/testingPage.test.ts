import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const page = readFileSync("docs/testing.md", "utf8");
const SIZE = /process\.env\.(\w+) \?\? "(\d+)"/g;

it("the page on testing has every size that can be set, with its default and where", () => {
  const sizes = ["test", "packages/contract/test", "packages/replicas/test", "packages/sandbox/test"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`))
    .filter((path) => path.endsWith(".test.ts"))
    .flatMap((path) => [...readFileSync(path, "utf8").matchAll(SIZE)].map(([, name, size]) => [name, size, path]))
    .map(([name, size, path]) => `\`${name}\` ${size} \`${path}\``)
    .sort();
  const rows = [...page.matchAll(/^\| (`[A-Z_]+`) \| (\d+) \| .* \| (`.*`) \|$/gm)].map(([, ...row]) => row.join(" "));
  expect(rows).toEqual(sizes);
  expect(sizes).not.toEqual([]);
});
