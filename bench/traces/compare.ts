import { Child } from "../child.js";
import { type Estimate, estimated, quantile, seeded, thereAndBack, trimmedMean } from "../paired.js";
import { type Body, cachedBody, upstreamBody } from "../reads/documents.js";
import { loadWhile } from "../reads/load.js";
import { table } from "../table.js";
import { type BlockCpu, blocksCpu, MODES, type Mode } from "./slices.js";

const LOADS: Readonly<Record<string, Body>> = {
  "distinct operations, data cached": cachedBody,
  "distinct operations, one upstream call each": upstreamBody,
};

const NAMES: Readonly<Record<Mode, string>> = { off: "off", sampled: "1 in 10" };

/** Requests in a slice. The shorter the slices, the more alike is what else the machine does in those that are compared. */
const SLICE = 150;
/** In each mode before the first slice, so that the code of what is recorded once in ten is compiled too. */
const WARM_UP = 6_000;
/** Each has two slices of each mode. */
const BLOCKS = Number.parseInt(process.env.TRACE_BLOCKS ?? "600", 10);
/** Of the order of the slices, and of the intervals. */
const SEED = process.env.TRACE_SEED ?? "traces";
/** What else the machine does decides what single blocks show: this share of them at each end does not count. */
const TRIMMED = 0.1;

/**
 * What traces cost, by the CPU time of one gateway that switches them on and off between short slices. Two processes would not show
 * it: equal ones differ by more than traces cost.
 */
export async function compareTraces(): Promise<string> {
  const upstream = await Child.start("./reads/upstream.js");
  const rows: (readonly string[])[] = [];
  for (const [title, body] of Object.entries(LOADS)) rows.push(...(await rowsOf(upstream, title, body)));
  await upstream.stop();
  const note = `CPU time of one gateway for each request, exports and young garbage included: ${BLOCKS} blocks of ${2 * MODES.length} slices of ${SLICE} requests, in an order drawn from the seed "${SEED}".`;
  return `${table(["load and traces", "CPU µs/request", "more than", "by", "95 % interval"], rows)}\n\n${note}`;
}

async function rowsOf(upstream: Child, title: string, body: Body): Promise<readonly (readonly string[])[]> {
  const random = seeded(`${SEED} ${title}`);
  const receiver = await Child.start("./otlpReceiver.js");
  const gateway = await Child.start("./traces/servers/switched.js", upstream.url, receiver.url);
  const blocks = Array.from({ length: BLOCKS }, () => thereAndBack(MODES, random));
  const slices = gateway.ask({ warmUp: WARM_UP, requests: SLICE, blocks }, blocksCpu);
  const cpu = await loadWhile(gateway.url, body, slices);
  const { calls: exports } = await receiver.usage();
  if (exports === 0) throw new Error("no traces were exported");
  await Promise.all([gateway, receiver].map((child) => child.stop()));
  const micros = (mode: Mode): string => quantile(cpu.flatMap((block) => block[mode])).toFixed(1);
  const more = (mode: Mode, than: Mode): readonly string[] => shown(estimated(logRatios(cpu, mode, than), typical, random));
  return [
    [`${title}: ${NAMES.off}`, micros("off"), "", "", ""],
    [`${title}: ${NAMES.sampled}`, micros("sampled"), NAMES.off, ...more("sampled", "off")],
  ];
}

/** By how much one mode costs more than another, by block, as logarithms: so neither is favoured. */
const logRatios = (blocks: readonly BlockCpu[], mode: Mode, than: Mode): readonly number[] =>
  blocks.map((block) => Math.log((block[mode][0] + block[mode][1]) / (block[than][0] + block[than][1])));

const typical = (figures: readonly number[]): number => trimmedMean(figures, TRIMMED);

const shown = ({ figure, low, high }: Estimate): readonly string[] => [percent(figure), `${percent(low)} to ${percent(high)}`];

const percent = (logRatio: number): string => `${(Math.expm1(logRatio) * 100).toFixed(2)} %`;
