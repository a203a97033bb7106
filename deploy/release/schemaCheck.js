import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mayBreak, schemaChanges } from "./schemaChanges.js";

// `npm run schema:check`: compares schema.graphql with that of the last release, which releases/ keeps. Fails on what breaks unless
// the version allows it.
const { values } = parseArgs({
  options: {
    releases: { type: "string", default: "releases" },
    schema: { type: "string", default: "schema.graphql" },
    version: { type: "string", default: JSON.parse(readFileSync("package.json", "utf8")).version },
  },
});

const numbers = (version) => version.split(".").map((part) => Number.parseInt(part, 10));
const byVersion = (one, other) => {
  const [a, b] = [numbers(one), numbers(other)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : a[at] - b[at];
};
const last = readdirSync(values.releases)
  .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
  .sort(byVersion)
  .at(-1);
if (last === undefined) throw new Error(`${values.releases} keeps no release`);

const { breaking, dangerous } = await schemaChanges(
  readFileSync(join(values.releases, last, "schema.graphql"), "utf8"),
  readFileSync(values.schema, "utf8"),
);
const list = (title, changes) => (changes.length === 0 ? "" : `${title}\n${changes.map((each) => `  ${each}\n`).join("")}`);
process.stdout.write(list("Clients may meet what they do not know:", dangerous));
process.stdout.write(list("Breaks what was valid:", breaking));
if (breaking.length > 0 && !mayBreak(last, values.version)) {
  process.stderr.write(`${values.version} may not break the schema of ${last}: docs/stability.md says which version may\n`);
  process.exitCode = 1;
} else process.stdout.write(`schema.graphql can follow that of ${last} in ${values.version}\n`);
