import { fileURLToPath } from "node:url";
import { ManualClock, systemClock } from "@exchange-graph/contract/clock";
import { type Clients, NO_CLIENTS } from "../../../src/access/clients.js";
import type { DataSource, ExchangeSettings } from "../../../src/datasources/index.js";
import { createStreams } from "../../../src/datasources/streams/index.js";
import { WatchedFiles } from "../../../src/files/watchedFiles.js";
import { createGateway } from "../../../src/gateway.js";
import type { OperationRecorder } from "../../../src/instrumentation/operationRecorder.js";
import { createContext, estimateStateOver } from "../../../src/resolvers/index.js";
import { fileState } from "../../../src/telemetry/metrics/gatewayState.js";
import type { Metrics } from "../../../src/telemetry/metrics/metrics.js";
import type { TraceIds } from "../../../src/telemetry/traceIds/traceIds.js";
import { passing } from "../eventually.js";
import { exchangeOver } from "../exchangeOver.js";
import { graph } from "../graph.js";
import { type ScriptedExchange, scriptedExchange } from "../scriptedExchange.js";
import { ownInstrumentation, searchedTelemetry } from "../searchedTelemetry.js";
import { readyWith } from "./ready.js";

/** The whole gateway in front of a scripted exchange. */
export interface GraphGateway {
  readonly url: string;
  readonly upstream: ScriptedExchange;
  readonly exchange: DataSource;
  /** The clock of all waits for the exchange. */
  readonly clock: ManualClock;
  readonly metrics: Metrics;
  /** Advances the clock until the promise settles. */
  while<T>(waiting: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function graphGateway(
  settings: Partial<ExchangeSettings> = {},
  {
    clients = NO_CLIENTS,
    lines,
    sockets,
    traceIds,
    recorder,
    isObserved = true,
  }: {
    readonly clients?: Clients;
    /** Address of the exchange's sockets, for tests that subscribe. */
    readonly sockets?: URL;
    /** Receives every line of the log. */
    readonly lines?: string[] | undefined;
    /** Which requests are recorded in traces. */
    readonly traceIds?: TraceIds;
    readonly recorder?: OperationRecorder | undefined;
    /** Whether log, audit and metrics listen to its events. */
    readonly isObserved?: boolean;
  } = {},
): Promise<GraphGateway> {
  const upstream = await scriptedExchange();
  const clock = new ManualClock(Date.UTC(2028, 4, 31, 12));
  const { instrumentation = ownInstrumentation() } = settings;
  const observed = isObserved ? instrumentation : ownInstrumentation();
  const telemetry = { ...searchedTelemetry(lines, { instrumentation: observed, traceIds }), instrumentation };
  const { metrics } = telemetry;
  const exchange = exchangeOver(upstream.url, { clock, ...settings, instrumentation });
  // No connection is opened to this address before the first subscription.
  const wsUrl = sockets ?? new URL(upstream.url.href.replace("http", "ws"));
  const streams = createStreams({ exchange, wsUrl, clock, random: () => 0, instrumentation });
  metrics.watch(exchange, streams);
  fileState(metrics.registry, new WatchedFiles(clock, instrumentation));
  const gateway = await createGateway({
    clients,
    schema: graph,
    contextFor: (principal, ...asking) => createContext(exchange, principal, streams, ...asking),
    outlook: estimateStateOver(exchange, streams),
    readiness: readyWith(),
    ...telemetry,
    recorder,
    clock: systemClock,
    loopDelay: { ms: 0 },
    introspection: true,
    graphiqlFolder: fileURLToPath(new URL("./page", import.meta.url)),
    maxBodyBytes: 65_536,
    shutdownTimeoutMs: 5_000,
  });
  return {
    url: await gateway.listen({ host: "127.0.0.1", port: 0 }),
    upstream,
    exchange,
    clock,
    metrics,
    while: (waiting) => passing(clock, 1, waiting),
    async close() {
      await gateway.stop();
      await streams.close();
      await exchange.close();
      await upstream.close();
    },
  };
}

/** The exchange's fund flow record: volume and ratio of buys and sells by size of trader. */
export const FUND_FLOW = Object.fromEntries(
  ["whale", "dolphin", "fish"].flatMap((size) =>
    ["BuyVolume", "SellVolume", "BuyRatio", "SellRatio"].map((of) => [size + of, "1"]),
  ),
);
