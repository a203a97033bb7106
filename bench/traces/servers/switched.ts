import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { systemClock } from "@exchange-graph/contract/clock";
import { pino } from "pino";
import { z } from "zod";
import { INSTRUMENTATION, listen } from "../../../src/instrumentation/instrumentation.js";
import type { OperationRecorder } from "../../../src/instrumentation/recorder.js";
import { TraceIds } from "../../../src/telemetry/traceIds/traceIds.js";
import { openTraces } from "../../../src/telemetry/traces/openTraces.js";
import { startGateway } from "../../gateway.js";
import { exchangeOver } from "../../reads/exchange.js";
import { MODES, type Mode, slicesAsked } from "../slices.js";

/** This gateway, which switches its traces while it serves, and measures itself. */
const [upstream = "", receiver = ""] = process.argv.slice(2);

/** After a switch so many requests are not counted: the switch itself is no part of what it leads to. */
const AFTER_SWITCH = 50;

setFlagsFromString("--expose-gc");
const collect = z.custom<(how: { type: "minor" }) => void>((gc) => typeof gc === "function").parse(runInNewContext("gc"));

/** Names traces while they are recorded: metrics are the same in all slices. */
class SwitchedIds extends TraceIds {
  isOn = false;

  override ofRequest(requestId: string): string | undefined {
    return this.isOn ? super.ofRequest(requestId) : undefined;
  }
}

const traceIds = new SwitchedIds(systemClock);
/** Spans are exported when a batch is full, and so while they are recorded: not after some time, when traces are off. */
process.env.OTEL_BSP_SCHEDULE_DELAY = "86400000";
const { recorder } = openTraces(
  {
    endpoint: new URL(receiver),
    headers: undefined,
    timeoutMs: 5_000,
    protocol: "http/protobuf",
    resource: { "service.name": "bench" },
    sampler: "parentbased_traceidratio",
    ratio: 0.1,
  },
  INSTRUMENTATION,
  {
    clock: systemClock,
    random: Math.random,
    log: pino({ level: "silent" }),
    traceIds,
    monotonic: () => performance.now(),
    exchange: new URL("http://127.0.0.1"),
  },
);
/** Records only in the mode with traces. */
const switched: OperationRecorder = {
  begin: (start) => (traceIds.isOn ? recorder.begin(start) : undefined),
  reused: (reuse) => (traceIds.isOn ? recorder.reused(reuse) : undefined),
};

let answers = 0;
let awaited: { readonly count: number; readonly reached: () => void } | undefined;
listen(INSTRUMENTATION, INSTRUMENTATION.answer, () => {
  if (++answers === awaited?.count) awaited.reached();
});
const served = (more: number): Promise<void> =>
  new Promise((reached) => {
    awaited = { count: answers + more, reached };
  });

/** CPU in µs for each request of a slice, what it exports and leaves to collect included. */
async function slice(mode: Mode, requests: number): Promise<number> {
  traceIds.isOn = mode === "sampled";
  await served(AFTER_SWITCH);
  collect({ type: "minor" });
  const [begin, before] = [process.cpuUsage(), answers];
  await served(requests);
  collect({ type: "minor" });
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / (answers - before);
}

async function measure(message: unknown): Promise<void> {
  const { warmUp, requests, blocks } = slicesAsked.parse(message);
  for (const mode of MODES) await slice(mode, warmUp);
  const cpu: Readonly<Record<Mode, number[]>>[] = [];
  for (const order of blocks) {
    const slices: Record<Mode, number[]> = { off: [], sampled: [] };
    for (const mode of order) slices[mode].push(await slice(mode, requests));
    cpu.push(slices);
  }
  process.send?.(cpu);
}

const url = await startGateway(exchangeOver(upstream), { traceIds, recorder: switched });
process.on("message", (message) => void measure(message));
process.on("disconnect", () => process.exit(0));
process.send?.({ url: `${url}/graphql` });
