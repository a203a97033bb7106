import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { deprecationsIn, mayBreak, schemaChanges } from "./schemaChanges.js";

// `npm run schema:check`: compares schema.graphql with the schema of the last release in releases/. Fails on breaking changes
// that the version does not permit.
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
if (last === undefined) throw new Error(`there is no release in ${values.releases}`);

const schema = readFileSync(values.schema, "utf8");
const { breaking, dangerous } = await schemaChanges(readFileSync(join(values.releases, last, "schema.graphql"), "utf8"), schema);
const list = (title, changes) => (changes.length === 0 ? "" : `${title}\n${changes.map((each) => `  ${each}\n`).join("")}`);
process.stdout.write(list("Deprecated:", deprecationsIn(schema)));
process.stdout.write(list("Dangerous changes (existing clients may get values that they do not expect):", dangerous));
process.stdout.write(list("Breaking changes:", breaking));
if (breaking.length > 0 && !mayBreak(last, values.version)) {
  process.stderr.write(
    `version ${values.version} must not have breaking changes against the schema of ${last}; docs/stability.md has the rules\n`,
  );
  process.exitCode = 1;
} else
  process.stdout.write(`schema.graphql is compatible with the schema of ${last} as required for version ${values.version}\n`);
