import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const page = readFileSync("CONTRIBUTING.md", "utf8");

/** A guide of the page, with what only its example is called. `most`: the numbers of files that it may change, and that are read first. */
interface Guide {
  readonly title: string;
  readonly example: RegExp;
  readonly most: { readonly changed: number; readonly read: number };
}

const GUIDES: readonly Guide[] = [
  {
    title: "A read with a field of the graph",
    example: /\bloanHistory\b|\bclosedLoans =|\bLoanHistoryArguments\b|recordOf\(closedLoan\)/,
    most: { changed: 5, read: 8 },
  },
  {
    title: "A private channel",
    example:
      /\bstrategyOrderChannel\b|\bclassicPlanOrdersChannel\b|\bplansState\b|\bPlanOrdersEvent\b|\bplanOrders \} from "\.\/plans\.js"/,
    most: { changed: 5, read: 8 },
  },
  {
    title: "A mutation",
    example: /\bclassicSetMarginMode(?:Policy)?\b|\bSetMarginMode(?:Input|Payload)\b/,
    most: { changed: 5, read: 9 },
  },
];

/** Sources of the gateway and of the packages that a change is written in: not what is generated, nor lists of all exports. */
const sources = ["src", "packages/contract/src", "packages/sandbox/src"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${folder}/${path}`),
);

const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:src|packages)\/[\w/.]+\.ts)`/g)].map(([, path = ""]) => path);

describe.each(GUIDES)("the guide: $title", ({ title, example, most }) => {
  const start = page.indexOf(`## ${title}\n`);
  const guide = page.slice(start, page.indexOf("\n## ", start + 1));
  const [before = "", ...rest] = guide.split("| step | file |");
  const changed = [...new Set(pathsIn(rest.join("").split("\n\n")[0] ?? ""))];
  const read = [...changed, ...pathsIn(before)];

  it("has as many files as it says, and not more than a newcomer should need", () => {
    expect(start).toBeGreaterThan(0);
    expect(guide).toContain(`changes ${changed.length} files`);
    expect(guide.replace(/\s+/g, " ")).toContain(`and ${read.length - changed.length} more that they rest on`);
    expect(changed.length).toBeLessThanOrEqual(most.changed);
    expect(read.length).toBeLessThanOrEqual(most.read);
  });

  it("names every file that its example is written in", () => {
    const written = sources.filter((path) => example.test(readFileSync(path, "utf8")));
    expect(written.length).toBeGreaterThan(3);
    expect(written.filter((path) => !changed.includes(path))).toEqual([]);
  });
});
