import { Child } from "../child.js";
import { type Estimate, estimated, quantile, seeded, thereAndBack } from "../paired.js";
import { type Body, cachedBody, upstreamBody } from "../reads/documents.js";
import { load } from "../reads/load.js";
import { table } from "../table.js";
import { type BlockCpu, blocksCpu, MODES, type Mode } from "./slices.js";

const LOADS: Readonly<Record<string, Body>> = {
  "distinct operations, data cached": cachedBody,
  "distinct operations, one upstream call each": upstreamBody,
};

/** Requests in a slice: their spans fill an export, as those of a gateway that is busy do. */
const SLICE = 2_500;
/** In each mode before the first slice, so that the code of what is recorded once in ten is compiled too. */
const WARM_UP = 6_000;
/** Each has two slices of each mode. */
const BLOCKS = Number.parseInt(process.env.TRACE_BLOCKS ?? "40", 10);
/** Of the order of the slices, and of the intervals. */
const SEED = process.env.TRACE_SEED ?? "traces";
/** What else the machine does only slows slices down: those that it has left alone are the quickest ones. */
const QUIET = 0.1;
/** Requests are sent in rounds of so many until the gateway has measured enough. */
const ROUND = 20_000;

/**
 * What traces cost, by the CPU time of one gateway that switches them on and off between short slices. Two processes would not show
 * it: equal ones differ by more than traces cost.
 */
export async function compareTraces(): Promise<string> {
  const upstream = await Child.start("./reads/upstream.js");
  const rows: (readonly string[])[] = [];
  for (const [title, body] of Object.entries(LOADS)) rows.push(...(await rowsOf(upstream, title, body)));
  await upstream.stop();
  const note = `${BLOCKS} blocks of ${2 * MODES.length} slices of ${SLICE} requests, in an order drawn from the seed "${SEED}".`;
  return `${table(["load and traces", "CPU µs/request", "more, by pairs", "95 % interval", "more, quickest", "95 % interval"], rows)}\n\n${note}`;
}

async function rowsOf(upstream: Child, title: string, body: Body): Promise<readonly (readonly string[])[]> {
  const random = seeded(`${SEED} ${title}`);
  const receiver = await Child.start("./otlpReceiver.js");
  const gateway = await Child.start("./traces/servers/switched.js", upstream.url, receiver.url);
  const blocks = Array.from({ length: BLOCKS }, () => thereAndBack(MODES, random));
  let isMeasuring = true;
  const measured = gateway.ask({ warmUp: WARM_UP, requests: SLICE, blocks }, blocksCpu).finally(() => {
    isMeasuring = false;
  });
  while (isMeasuring) {
    const result = await load(gateway.url, body, { amount: ROUND });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  }
  const cpu = await measured;
  const { calls: exports } = await receiver.usage();
  if (exports === 0) throw new Error("no traces were exported");
  await Promise.all([gateway, receiver].map((child) => child.stop()));
  const micros = (mode: Mode): string => quantile(cpu.flatMap((block) => block[mode])).toFixed(1);
  const more = (mode: Mode, than: Mode): readonly string[] =>
    [byPairs, byQuickest].flatMap((ratio) => shown(estimated(cpu, (blocks) => ratio(blocks, mode, than), random)));
  return [
    [`${title}: no channels`, micros("unpublished"), "", "", "", ""],
    [`${title}: off`, micros("off"), ...more("off", "unpublished")],
    [`${title}: 1 in 10`, micros("sampled"), ...more("sampled", "off")],
  ];
}

/** By how much one mode costs more than another: the median of what the blocks say. */
const byPairs = (blocks: readonly BlockCpu[], mode: Mode, than: Mode): number =>
  quantile(blocks.map((block) => (block[mode][0] + block[mode][1]) / (block[than][0] + block[than][1]))) - 1;

/** The same of the quickest slices of each. */
const byQuickest = (blocks: readonly BlockCpu[], mode: Mode, than: Mode): number => {
  const quickest = (of: Mode): number =>
    quantile(
      blocks.flatMap((block) => block[of]),
      QUIET,
    );
  return quickest(mode) / quickest(than) - 1;
};

const shown = ({ figure, low, high }: Estimate): readonly string[] => [percent(figure), `${percent(low)} to ${percent(high)}`];

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
