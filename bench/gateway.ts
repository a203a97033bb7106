import { fileURLToPath } from "node:url";
import { systemClock } from "@exchange-graph/contract/clock";
import type { Clients } from "../src/access/clients.js";
import type { TraceSettings } from "../src/config/traces.js";
import type { Exchange } from "../src/datasources/index.js";
import type { Streams } from "../src/datasources/streams/index.js";
import { createGateway } from "../src/gateway.js";
import { INSTRUMENTATION } from "../src/instrumentation/instrumentation.js";
import { buildGraph, createContext, outlookOver } from "../src/resolvers/index.js";
import { openAudit } from "../src/telemetry/audit/auditLog.js";
import { logEvents } from "../src/telemetry/logs/eventLog.js";
import { createLog } from "../src/telemetry/logs/log.js";
import { Metrics } from "../src/telemetry/metrics/metrics.js";
import { TraceIds } from "../src/telemetry/traceIds/traceIds.js";
import { openTraces } from "../src/telemetry/traces/openTraces.js";

interface GatewayParts {
  readonly streams?: Streams;
  readonly clients?: Clients;
  /** The address of an OTLP receiver: one operation in ten is recorded. */
  readonly receiver?: string | undefined;
}

/** Starts the gateway as `npm start` composes it, over an exchange of the comparison's own. Gives its address. */
export async function startGateway(exchange: Exchange, { streams, clients, receiver }: GatewayParts = {}): Promise<string> {
  const traceIds = receiver === undefined ? undefined : new TraceIds(systemClock);
  const metrics = new Metrics(INSTRUMENTATION, traceIds);
  metrics.watch(exchange);
  const log = createLog("error", undefined, traceIds);
  logEvents(log, INSTRUMENTATION, { clock: systemClock, cancelWithoutJournal: true, traceIds });
  if (receiver !== undefined && traceIds !== undefined)
    openTraces(oneInTen(receiver), INSTRUMENTATION, { clock: systemClock, random: Math.random, log, traceIds });
  const audit = openAudit({ destination: { write: () => undefined }, traceIds });
  audit.follow(INSTRUMENTATION);
  const gateway = await createGateway({
    ...(clients === undefined ? {} : { clients }),
    schema: buildGraph(),
    contextFor: (principal, ...asking) => createContext(exchange, principal, streams, ...asking),
    traceOf: ({ reads }) => reads.trace,
    outlook: outlookOver(exchange, streams),
    readiness: async () => ({ ready: true }),
    log,
    audit,
    instrumentation: INSTRUMENTATION,
    clock: systemClock,
    metrics,
    introspection: true,
    graphiqlFolder: fileURLToPath(new URL("../../apps/graphiql/dist", import.meta.url)),
    maxBodyBytes: 1_048_576,
    shutdownTimeoutMs: 1_000,
  });
  return gateway.listen({ host: "127.0.0.1", port: 0 });
}

const oneInTen = (receiver: string): TraceSettings => ({
  endpoint: new URL(receiver),
  headers: undefined,
  timeoutMs: 5_000,
  serviceName: "bench",
  sampler: "parentbased_traceidratio",
  ratio: 0.1,
});
