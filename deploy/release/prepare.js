import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ManualClock } from "@exchange-graph/contract/clock";
import { SqliteJournal } from "../../dist/src/datasources/writes/journal/sqlite/sqliteJournal.js";
import { dated } from "./changelog.js";
import { head } from "./tools.js";

// `npm run release:prepare`: dates the changes in CHANGELOG.md, and stores what later versions are tested with: the schema, the commit, and
// the journal and the file of clients as this version writes them. Changes nothing that is there already.
const { values } = parseArgs({
  options: {
    version: { type: "string", default: JSON.parse(readFileSync("package.json", "utf8")).version },
    date: { type: "string", default: new Date().toISOString().slice(0, 10) },
    folder: { type: "string", default: "." },
  },
});
const { version, date, folder } = values;
const changelog = join(folder, "CHANGELOG.md");
writeFileSync(changelog, dated(readFileSync(changelog, "utf8"), version, date));

const schema = join(folder, "releases", version);
mkdirSync(schema, { recursive: true });
if (!existsSync(join(schema, "schema.graphql"))) copyFileSync(join(folder, "schema.graphql"), join(schema, "schema.graphql"));
// The commit that upgrades from this version are tested with.
if (!existsSync(join(schema, "commit"))) writeFileSync(join(schema, "commit"), `${head()}\n`);

const fixtures = join(folder, "test/fixtures/releases");
if (!existsSync(join(fixtures, version))) await writeFixtures(join(fixtures, lastOf(fixtures)), join(fixtures, version));

/** The last release before this one that has fixtures. */
function lastOf(from) {
  const collator = new Intl.Collator("en", { numeric: true });
  const last = readdirSync(from).sort(collator.compare).at(-1);
  if (last === undefined) throw new Error(`there is no release in ${from}`);
  return last;
}

/** Records the entries of a former release again, and settles them, so that the files are of this version. */
async function writeFixtures(former, target) {
  mkdirSync(target);
  copyFileSync(join(former, "clients.json"), join(target, "clients.json"));
  const clock = new ManualClock(Date.UTC(2026, 10, 22, 12));
  const openJournal = (path) => new SqliteJournal({ path, realm: "live", clock });
  const copy = join(target, "former.sqlite");
  copyFileSync(join(former, "journal.sqlite"), copy);
  const [before, now] = [openJournal(copy), openJournal(join(target, "journal.sqlite"))];
  try {
    const entries = await before.page("1001", undefined, 100);
    for (const { seq: _, state, reply, problem, settledAt, ...entry } of entries.toReversed()) {
      const recorded = await now.record(entry);
      if (state !== "SENT") await now.settle({ ...recorded, state, reply, problem, settledAt });
    }
    await now.remember("digest-of-a-key", "1001", "main");
  } finally {
    await before.close();
    await now.close();
  }
  for (const name of readdirSync(target)) if (name !== "clients.json" && name !== "journal.sqlite") rmSync(join(target, name));
}
