import { Child } from "../child.js";
import { table } from "../table.js";
import { type Body, cachedBody, upstreamBody } from "./documents.js";
import { load } from "./load.js";

/** Requests in a slice. Both gateways have slices in turns, so that what else the machine does meets both. */
const SLICE = 1_500;
const PAIRS = 6;
const PROCESSES = 5;
/** So many that the code of what is recorded once in ten is compiled too. */
const WARM_UP = 10_000;

const LOADS: Readonly<Record<string, Body>> = {
  "distinct operations, data cached": cachedBody,
  "distinct operations, one upstream call each": upstreamBody,
};

/**
 * What traces cost: gateways that record none beside ones that record one in ten and export them. A process keeps what its
 * compiler made of the code when it was warm, which is worth more than traces are: so each figure is of several processes.
 */
export async function compareTraces(upstream: Child): Promise<string> {
  const rows: (readonly string[])[] = [];
  for (const [title, body] of Object.entries(LOADS)) {
    const off: number[] = [];
    const traced: number[] = [];
    for (let at = 0; at < PROCESSES; at++) {
      const pairs = await pairsOf(upstream, body);
      off.push(middle(pairs.map(([cpu]) => cpu)));
      traced.push(middle(pairs.map(([, cpu]) => cpu)));
    }
    const [without, sampled] = [middle(off), middle(traced)];
    const range = (figures: readonly number[]) => `${Math.min(...figures).toFixed(0)}–${Math.max(...figures).toFixed(0)}`;
    rows.push(
      [`${title}: traces off`, without.toFixed(0), range(off), ""],
      [`${title}: 1 in 10`, sampled.toFixed(0), range(traced), `${((sampled / without - 1) * 100).toFixed(1)} %`],
    );
  }
  return table(["load and traces", "CPU µs/request", `of ${PROCESSES} processes`, "more"], rows);
}

/** Slices of one process without traces and one with them. */
async function pairsOf(upstream: Child, body: Body): Promise<readonly (readonly [number, number])[]> {
  const receiver = await Child.start("./otlpReceiver.js");
  const off = await Child.start("./reads/servers/gateway.js", upstream.url);
  const traced = await Child.start("./reads/servers/gateway.js", upstream.url, receiver.url);
  for (const server of [off, traced]) await load(server.url, body, { amount: WARM_UP });
  await receiver.usage();
  const pairs: (readonly [number, number])[] = [];
  for (let pair = 0; pair < PAIRS; pair++) pairs.push(await cpuOf([off, traced], body, pair % 2 === 0));
  const { calls: exports } = await receiver.usage();
  if (exports === 0) throw new Error("no traces were exported");
  await Promise.all([off, traced, receiver].map((child) => child.stop()));
  return pairs;
}

/** CPU of each server in µs for each request of its slice, what it exports during the other's slice included. */
async function cpuOf(servers: readonly [Child, Child], body: Body, isFirstFirst: boolean): Promise<readonly [number, number]> {
  await Promise.all(servers.map((server) => server.usage()));
  for (const at of isFirstFirst ? [0, 1] : [1, 0]) {
    const result = await load(servers[at]?.url ?? "", body, { amount: SLICE });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  }
  const [one, other] = await Promise.all([servers[0].usage(), servers[1].usage()]);
  return [(one.cpuMs * 1_000) / SLICE, (other.cpuMs * 1_000) / SLICE];
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
