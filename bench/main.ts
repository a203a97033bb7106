import { compareClusters } from "./clusters/compare.js";
import { compareDashboards } from "./dashboards/compare.js";
import { compareFairness } from "./fairness/compare.js";
import { compareFanOut } from "./fanout/compare.js";
import { compareReads } from "./reads/compare.js";
import { compareWrites } from "./writes/compare.js";

/** Gives headings and tables as Markdown, each once it is known: a comparison takes minutes. */
type Comparison = () => AsyncIterable<string> | Iterable<string>;

/** All comparisons by name: `npm run bench` runs all of them, `npm run bench -- reads` one. */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  clusters: compareClusters,
  dashboards: compareDashboards,
  fairness: compareFairness,
  fanout: compareFanOut,
  reads: compareReads,
  writes: compareWrites,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in COMPARISONS));
if (unknown.length > 0) {
  process.stderr.write(`unknown benchmark ${unknown.join(", ")}; benchmarks are ${Object.keys(COMPARISONS).join(", ")}\n`);
  process.exit(1);
}
for (const [name, compare] of Object.entries(COMPARISONS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`\n# ${name}\n`);
  for await (const part of compare()) process.stdout.write(`\n${part}\n`);
}
process.exit(0);
