import { noPostgres, startPostgres } from "../../test/support/postgres.js";
import { noRedis, redisServer } from "../../test/support/redisServer.js";
import { Child } from "../child.js";
import { type Body, cachedBody, upstreamBody } from "../reads/documents.js";
import { load } from "../reads/load.js";
import { table } from "../table.js";

/**
 * Cost of Redis and PostgreSQL for reads: a gateway without them and one with both, alternating in one run. `writes` measures
 * writes.
 */

const FIRST_WARM_UP_SECONDS = 2;
const WARM_UP_SECONDS = 0.3;
const SECONDS = 1;
/** Two processes of the same program can differ by some percent for their whole lifetime, so several pairs are started. */
const PAIRS = 5;
/**
 * The two alternate, and so does the one that starts. Ratios are per round, and the median counts, since the machine's speed
 * drifts.
 */
const ROUNDS = 4;

const LOADS: Readonly<Record<string, Body>> = {
  "distinct operations, public data cached": cachedBody,
  "equal operations, public data cached": () => cachedBody(0),
  "equal operations, private data cached": () => upstreamBody(0),
  "distinct operations, one upstream call each": upstreamBody,
};

interface Measured {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly p99: number;
}

interface Round {
  readonly without: Measured;
  readonly engines: Measured;
}

async function measure(server: Child, body: Body, warmUpSeconds: number): Promise<Measured> {
  await load(server.url, body, { duration: warmUpSeconds });
  await server.usage();
  const { requests, latency, errors, non2xx } = await load(server.url, body, { duration: SECONDS });
  const { cpuMs } = await server.usage();
  if (errors + non2xx > 0) throw new Error(`${server.url} failed ${errors + non2xx} times`);
  return { perSecond: requests.total / SECONDS, cpuMicros: (cpuMs * 1_000) / requests.total, p99: latency.p99 };
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Starts Redis and PostgreSQL itself. Returns how to install them if they are missing. */
export async function compareEngines(): Promise<string> {
  const missing = noRedis ?? noPostgres();
  if (missing !== undefined) return `left out: ${missing}`;
  const [redis, postgres] = await Promise.all([redisServer({ realm: "bench" }), startPostgres({ durable: true })]);
  const upstream = await Child.start("./reads/upstream.js");
  const rounds = new Map(Object.keys(LOADS).map((title): [string, Round[]] => [title, []]));
  for (let pair = 0; pair < PAIRS; pair++) {
    const alone = await Child.start("./engines/servers/gateway.js", upstream.url);
    const shared = await Child.start("./engines/servers/gateway.js", upstream.url, redis.url, await postgres.create());
    for (const [title, body] of Object.entries(LOADS)) {
      for (const server of [alone, shared]) await load(server.url, body, { duration: FIRST_WARM_UP_SECONDS });
      for (let round = 0; round < ROUNDS; round++) {
        const first = await measure(round % 2 === 0 ? alone : shared, body, WARM_UP_SECONDS);
        const second = await measure(round % 2 === 0 ? shared : alone, body, WARM_UP_SECONDS);
        rounds.get(title)?.push(round % 2 === 0 ? { without: first, engines: second } : { without: second, engines: first });
      }
    }
    await Promise.all([alone, shared].map((child) => child.stop()));
  }
  await Promise.all([upstream.stop(), redis.close(), postgres.close()]);
  const rows = [...rounds].map(([title, measured]): readonly string[] => {
    const of = (what: (round: Round) => number) => middle(measured.map(what));
    return [
      title,
      of(({ without, engines }) => engines.perSecond / without.perSecond).toFixed(2),
      of(({ without, engines }) => without.cpuMicros / engines.cpuMicros).toFixed(2),
      of(({ without }) => without.perSecond).toFixed(0),
      of(({ engines }) => engines.perSecond).toFixed(0),
      of(({ without }) => without.cpuMicros).toFixed(0),
      of(({ engines }) => engines.cpuMicros).toFixed(0),
      of(({ without }) => without.p99).toFixed(1),
      of(({ engines }) => engines.p99).toFixed(1),
    ];
  });
  const pairs = ["requests/s", "CPU µs/request", "p99 ms"].flatMap((name) => [`${name} without`, "with"]);
  return table(["reads", "throughput ratio", "CPU efficiency ratio", ...pairs], rows);
}
