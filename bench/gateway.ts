import { fileURLToPath } from "node:url";
import { systemClock } from "@exchange-graph/contract/clock";
import type { Clients } from "../src/access/clients.js";
import type { DataSource } from "../src/datasources/index.js";
import type { Streams } from "../src/datasources/streams/index.js";
import { createGateway } from "../src/gateway.js";
import { INSTRUMENTATION } from "../src/instrumentation/instrumentation.js";
import { buildGraph, createContext, estimateStateOver } from "../src/resolvers/index.js";
import { openAudit } from "../src/telemetry/audit/auditLog.js";
import { createLog } from "../src/telemetry/logs/log.js";
import { logEvents } from "../src/telemetry/logs/logEvents.js";
import { Metrics } from "../src/telemetry/metrics/metrics.js";
import { Readiness } from "../src/transports/http/readiness.js";

interface GatewayParts {
  readonly streams?: Streams;
  readonly clients?: Clients;
}

/** Starts the gateway as `npm start` composes it, with the given exchange. Returns its address. */
export async function startGateway(exchange: DataSource, { streams, clients }: GatewayParts = {}): Promise<string> {
  const metrics = new Metrics(INSTRUMENTATION);
  metrics.watch(exchange);
  const log = createLog("error");
  logEvents(log, INSTRUMENTATION, { clock: systemClock, cancelWithoutJournal: true });
  const audit = openAudit({ destination: { write: () => undefined } });
  audit.follow(INSTRUMENTATION);
  const gateway = await createGateway({
    ...(clients === undefined ? {} : { clients }),
    schema: buildGraph(),
    contextFor: (principal, ...asking) => createContext(exchange, principal, streams, ...asking),
    outlook: estimateStateOver(exchange, streams),
    readiness: new Readiness([], systemClock),
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
