import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { systemClock } from "@exchange-graph/contract/clock";
import { pino } from "pino";
import { z } from "zod";
import {
  createInstrumentation,
  type EventChannel,
  INSTRUMENTATION,
  type Instrumentation,
  listen,
} from "../../../src/instrumentation/instrumentation.js";
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

  override ofOperation(operation: object | undefined): string | undefined {
    return this.isOn ? super.ofOperation(operation) : undefined;
  }
}

const traceIds = new SwitchedIds(systemClock);
/** Channels that traces listen to all the time; calls are counted besides. */
const traced = createInstrumentation("traced");
/** Spans are exported when a batch is full, and so while they are recorded: not after some time, when traces are off. */
process.env.OTEL_BSP_SCHEDULE_DELAY = "86400000";
openTraces(
  {
    endpoint: new URL(receiver),
    headers: undefined,
    timeoutMs: 5_000,
    serviceName: "bench",
    sampler: "parentbased_traceidratio",
    ratio: 0.1,
  },
  traced,
  { clock: systemClock, random: Math.random, log: pino({ level: "silent" }), traceIds },
);
const { operationStart, operationEnd, operationReuse, resolverStart, upstreamCall } = INSTRUMENTATION;
listen(traced, traced.upstreamCall, (call) => upstreamCall.publish(call));

/** What the gateway publishes on, by mode. */
const nothing: EventChannel<unknown> = { name: "nothing", hasSubscribers: false, publish: () => undefined };
const channels: Readonly<Record<Mode, Partial<Instrumentation>>> = {
  off: { operationStart, operationEnd, operationReuse, resolverStart, upstreamCall },
  unpublished: {
    ...{ operationStart: nothing, operationEnd: nothing, operationReuse: nothing, resolverStart: nothing },
    upstreamCall,
  },
  sampled: {
    ...{ operationStart: traced.operationStart, operationEnd: traced.operationEnd, operationReuse: traced.operationReuse },
    ...{ resolverStart: traced.resolverStart, upstreamCall: traced.upstreamCall },
  },
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
  Object.assign(INSTRUMENTATION, channels[mode]);
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
    const slices: Record<Mode, number[]> = { off: [], unpublished: [], sampled: [] };
    for (const mode of order) slices[mode].push(await slice(mode, requests));
    cpu.push(slices);
  }
  process.send?.(cpu);
}

const url = await startGateway(exchangeOver(upstream), { traceIds });
process.on("message", (message) => void measure(message));
process.on("disconnect", () => process.exit(0));
process.send?.({ url: `${url}/graphql` });
