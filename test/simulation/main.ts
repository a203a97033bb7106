import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { INVARIANTS, type Invariant } from "./auditor.js";
import { FAILED_SEEDS } from "./failedSeeds.js";
import { historyOf, measuredHistories } from "./history.js";
import { contentsOf, type History } from "./profile.js";
import { shrunk } from "./shrink.js";
import { type Report, type RunOptions, run } from "./simulation.js";

const USAGE = `npm run simulate -- [--seed N] [--seeds N] [--minutes M] [--with WHAT]… [--except INVARIANT]… [--trace]

  --seed      the first seed. Default: 1
  --seeds     number of consecutive seeds. Default: 1
  --minutes   simulated minutes of each seed. Default: 2
  --hours     run further seeds for so many hours, instead of a number of them
  --cores     number of processes that share the seeds. Default: 1
  --once      run each seed once, so that no hashes are compared
  --share     the seeds of one of these processes: "2/3" is the second of three
  --failed    the seeds that once broke an invariant, instead of others
  --with      only histories with this in them: replicas, redis, a theme, a kind of thing such as halts, what an engine suffers,
              "order limit", "open limit", "day limit", or "one name" if only the first name of each user has limits
  --except    an invariant that is not checked: ${INVARIANTS.join(", ")}
  --measure   how fast the simulation is: one gateway, without Redis or faults, with ten clients that listen, and a market that
              moves once a second; first with some 240 orders, changes and reads a minute, then without them
  --trace     print everything that happens
  --brief     print nothing but the first invariant that breaks; the cheapest histories are run first
`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "1" },
    minutes: { type: "string", default: "2" },
    hours: { type: "string" },
    cores: { type: "string", default: "1" },
    once: { type: "boolean", default: false },
    share: { type: "string", default: "1/1" },
    failed: { type: "boolean", default: false },
    with: { type: "string", multiple: true, default: [] },
    except: { type: "string", multiple: true, default: [] },
    measure: { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
    brief: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);

function numberIn(name: string, text: string, isWhole: boolean): number {
  if (!(isWhole ? /^\d{1,9}$/ : /^\d{1,6}(\.\d{1,3})?$/).test(text)) throw new RangeError(`--${name} must be a number: ${text}`);
  return Number.parseFloat(text);
}

const isInvariant = (name: string): name is Invariant => (INVARIANTS as readonly string[]).includes(name);

async function main(): Promise<number> {
  if (values.help) {
    print(USAGE);
    return 0;
  }
  const cores = numberIn("cores", values.cores, true);
  if (cores > 1) return spread(cores);
  const first = numberIn("seed", values.seed, true);
  const minutes = numberIn("minutes", values.minutes, false);
  const unknown = values.except.filter((name) => !isInvariant(name));
  if (unknown.length > 0) throw new RangeError(`--except must be one of ${INVARIANTS.join(", ")}`);
  const options: RunOptions = { except: new Set(values.except.filter(isInvariant)) };
  if (values.brief) return briefly(consecutive(first, numberIn("seeds", values.seeds, true)), minutes, options);
  const began = performance.now();
  const until = values.hours === undefined ? undefined : began + numberIn("hours", values.hours, false) * 3_600_000;
  const most = until === undefined ? numberIn("seeds", values.seeds, true) : Number.POSITIVE_INFINITY;
  for (const { seed, minutes: own = minutes } of shared(values.failed ? FAILED_SEEDS : consecutive(first, most))) {
    if (until !== undefined && performance.now() >= until) break;
    for (const history of values.measure ? measuredHistories(seed, own) : [historyOf(seed, own)])
      if (isWanted(history) && (await simulate(history, options))) return 1;
  }
  print(`no invariant was broken in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  return 0;
}

const isWanted = (history: History): boolean => values.with.every((what) => contentsOf(history).has(what));

/** What a run of a history takes, roughly: streams and common servers have the most events. */
const costOf = ({ steps, profile: { replicas, streams } }: History): number =>
  steps.length * replicas * (streams === undefined ? 1 : 5);

/** CPU time in which a planted bug has to be found. */
const BRIEF_CPU_MS = 600_000;

/** Looks for a broken invariant for ten minutes of CPU time, in the cheapest histories first. */
async function briefly(seeds: Iterable<Run>, minutes: number, options: RunOptions): Promise<number> {
  const histories = Array.from(seeds, ({ seed }) => historyOf(seed, minutes)).filter(isWanted);
  for (const history of histories.sort((one, other) => costOf(one) - costOf(other))) {
    if (process.cpuUsage().user > 1_000 * BRIEF_CPU_MS) break;
    const { violation } = await run(history, options);
    if (violation === undefined) continue;
    print(JSON.stringify({ seed: history.seed, ...violation, cpuMs: Math.round(process.cpuUsage().user / 1_000) }));
    return 1;
  }
  return 0;
}

/** A seed, and how many minutes of it if it has its own number. */
interface Run {
  readonly seed: number;
  readonly minutes?: number;
}

function* consecutive(first: number, count: number): Generator<Run> {
  for (let seed = first; seed < first + count; seed++) yield { seed };
}

/** The seeds of this process among those of several. */
function* shared(seeds: Iterable<Run>): Generator<Run> {
  const [, share, all] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(values.share) ?? [];
  if (share === undefined || all === undefined) throw new RangeError(`--share must be such as 1/2: ${values.share}`);
  let place = 0;
  for (const seed of seeds) if (place++ % Number.parseInt(all, 10) === Number.parseInt(share, 10) - 1) yield seed;
}

/** Runs each share of the seeds in a process of its own. Resolves to the first exit code that is not 0. */
async function spread(cores: number): Promise<number> {
  const exits = Array.from({ length: cores }, async (_, place) => {
    const options = ["--cores", "1", "--share", `${place + 1}/${cores}`];
    const [code] = await once(fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), ...options]), "exit");
    return typeof code === "number" ? code : 1;
  });
  return (await Promise.all(exits)).find((code) => code !== 0) ?? 0;
}

/** Runs a history, twice unless `--once`. Prints what happened; returns whether an invariant was broken, or the runs differ. */
async function simulate(history: History, options: RunOptions): Promise<boolean> {
  try {
    return await runAndCompare(history, options);
  } catch (error) {
    print(`\nfailed: ${error instanceof Error ? error.stack : String(error)}\n${replay(history)}`);
    return true;
  }
}

async function runAndCompare(history: History, options: RunOptions): Promise<boolean> {
  const before = process.cpuUsage();
  const report = await run(history, values.trace ? { ...options, watch: print } : options);
  const { user, system } = process.cpuUsage(before);
  print(summary(history, report, (user + system) / 60_000_000));
  const { hash } = values.once ? report : await run(history, options);
  if (hash !== report.hash) {
    print(`seed ${history.seed}: two runs differ: ${report.hash} and ${hash}`);
    return true;
  }
  if (report.violation === undefined) return false;
  await explain(history, report.violation, options);
  return true;
}

function summary(
  { seed, profile, hasRedis }: History,
  { events, minutes, orders, fills, executed, heard, hash }: Report,
  cpuMinutes: number,
): string {
  const speed = (minutes / cpuMinutes).toFixed(0);
  const what = [...profile.happens].join(" ");
  return `seed ${seed}: ${events} events, ${orders} orders, ${fills} fills of ${executed} USDT, ${heard} heard, ${speed} minutes per minute of CPU time, hash ${hash.slice(0, 12)} (${profile.replicas} replicas${hasRedis ? " with redis" : ""}; ${what})`;
}

/** Prints the invariant and the shortest history that breaks it. */
async function explain(
  history: History,
  { invariant, text }: { invariant: Invariant; text: string },
  options: RunOptions,
): Promise<void> {
  print(`\nbroken: ${invariant}: ${text}\n${replay(history)}`);
  print(`profile: ${JSON.stringify({ ...history.profile, happens: [...history.profile.happens] })}`);
  const short = await shrunk(history, invariant, options);
  const { violation } = await run(short, options);
  print(`\nshrunk from ${history.steps.length} to ${short.steps.length} steps: ${violation?.text}`);
  for (const { id, at, replica, action } of short.steps)
    print(`  s${id} at ${(at / 1_000).toFixed(1)} s, replica ${replica}: ${JSON.stringify(action)}`);
}

const replay = ({ seed, minutes }: History): string =>
  `seed ${seed}, commit ${commit()}; replay with --seed ${seed} --minutes ${minutes}`;

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch (error) {
    if (error instanceof Error) return "unknown";
    throw error;
  }
}

process.exitCode = await main();
