import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { systemClock } from "@exchange-graph/contract/clock";
import { type Clients, ConfiguredClients, NO_CLIENTS } from "./access/clients.js";
import { heldOpen } from "./commands/heldOpen.js";
import type { ClientSettings } from "./config/clientSettings.js";
import { type Config, readConfig } from "./config/config.js";
import { ConfigError } from "./config/configError.js";
import { effectiveSettings } from "./config/effective.js";
import { type Environment, forgetSecrets, readEnvironment } from "./config/environment.js";
import { isLoopback } from "./config/loopback.js";
import { fileHistory, historyPathOf } from "./datasources/history/index.js";
import { realmOf } from "./datasources/index.js";
import { type ExternalStore, openExternalStore } from "./datasources/reads/index.js";
import { haltsPathOf } from "./datasources/writes/index.js";
import { TrustedDocuments } from "./engine/documents/trustedDocuments.js";
import { type WatchedFile, WatchedFiles } from "./files/watchedFiles.js";
import { followAccounts, followHalts, followRules, limitsOver } from "./followFiles.js";
import { createGateway } from "./gateway.js";
import { INSTRUMENTATION } from "./instrumentation/instrumentation.js";
import { optionalPackage } from "./optionalPackage.js";
import { createProduct, type Product } from "./product.js";
import { buildGraph } from "./resolvers/index.js";
import { ALONE, type SharedPorts } from "./sharedPorts.js";
import { end, stopOnSignal } from "./stopOnSignal.js";
import { openAudit } from "./telemetry/audit/auditLog.js";
import { createLog, type Logger, standardOutput } from "./telemetry/logs/log.js";
import { logEvents } from "./telemetry/logs/logEvents.js";
import { fileState, lostLines, redisState } from "./telemetry/metrics/gatewayState.js";
import { Metrics } from "./telemetry/metrics/metrics.js";
import { TraceIds } from "./telemetry/traceIds/traceIds.js";
import type { Traces } from "./telemetry/traces/openTraces.js";
import { dependenciesOf } from "./transports/http/dependencies.js";
import { Readiness } from "./transports/http/readiness.js";
import { configuredUpstream, embeddedSandbox, type Upstream } from "./upstream.js";

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  const environment = readEnvironment(process.env);
  const config = readConfig(environment.variables, environment.mistakes);
  if (values.check) {
    checkOnly(config, environment.variables);
    return;
  }
  forgetSecrets(process.env);
  setFlagsFromString(HEAP_GROWTH);
  const output = standardOutput(systemClock);
  const traceIds = config.traces && new TraceIds(systemClock);
  const log = createLog(config.logLevel, output, traceIds);
  process.on("uncaughtException", (error) => end(log, error));
  process.on("unhandledRejection", (reason) => end(log, reason));

  logEvents(log, INSTRUMENTATION, { clock: systemClock, cancelWithoutJournal: config.cancelWithoutJournal });
  const metrics = new Metrics(INSTRUMENTATION, traceIds);
  const audit = openAudit({
    path: config.auditPath,
    destination: output,
    isRequired: config.auditRequired,
    onLost: () => log.error("the audit could not be written"),
  });
  audit.follow(INSTRUMENTATION);
  lostLines(metrics.registry, { log: output, audit });
  const files = new WatchedFiles(systemClock);
  const upstream = config.exchange === undefined ? await embeddedSandbox(log) : configuredUpstream(config.exchange);
  const traces = traceIds && (await tracesOver(config, upstream.settings.baseUrl, log, traceIds));
  const shared = await sharedPorts(upstream, config);
  if (shared.engine !== undefined) redisState(metrics.registry, shared.engine);
  let limits: WatchedFile | undefined;
  const clients = clientsFrom(config.clients, { files, shared, log, changed: () => limits?.readAgain() });
  const externalStore = await externalStoreOf(config, log);
  const product = productOver(upstream, config, { ...shared, externalStore }, clients);
  const { exchange, streams } = product;
  await product.start();
  metrics.watch(exchange, streams);
  fileState(metrics.registry, files);
  const trusted = config.trusted === undefined ? undefined : new TrustedDocuments(config.trusted);
  const readiness = new Readiness(
    dependenciesOf(exchange, files, systemClock, { redis: shared.engine, cache: externalStore, jwtKeys: clients.keyStatus }),
    systemClock,
  );
  const gateway = await createGateway({
    ...config,
    tls: config.tls?.material,
    clients,
    quotas: shared.quotas,
    openConnections: shared.openConnections,
    ...product.graph,
    openExport: product.openExport,
    trusted,
    externalStore,
    readiness,
    keptConnectionsMs: Math.min(KEPT_CONNECTIONS_MS, config.shutdownTimeoutMs),
    log,
    audit,
    instrumentation: INSTRUMENTATION,
    recorder: traces?.recorder,
    clock: systemClock,
    metrics,
    graphiqlFolder: join(APPS, "graphiql/dist"),
    ...(existsSync(DOCS) ? { docsFolder: DOCS } : {}),
    deskFolder: join(APPS, "desk/dist"),
  });
  limits = followRules(config.ruleFiles, { files, exchange, clients, documents: trusted });
  if (upstream.settings.source !== undefined) followAccounts(upstream.settings.source, files, exchange, gateway, limits, log);
  if (shared.writeStores === undefined && config.journalPath !== ":memory:")
    followHalts(haltsPathOf(config.journalPath), files, exchange);
  if (config.tls !== undefined) files.watch({ ...config.tls.source, changed: (material) => gateway.renewTls(material) });
  else if (!isLoopback(config.host)) log.warn({ host: config.host }, IN_THE_CLEAR);
  const stoppingMs = config.shutdownDelayMs + config.shutdownTimeoutMs;
  const { logLevel } = config.ruleFiles;
  if (logLevel !== undefined)
    files.watch({
      ...logLevel,
      changed: (level) => {
        log.level = level;
      },
    });
  process.on("SIGHUP", () => {
    log.info("files of settings are watched for changes");
    void files.look();
  });
  stopOnSignal(log, stoppingMs, async () => {
    const until = systemClock.now() + stoppingMs;
    files.close();
    readiness.close();
    await Promise.all([streams?.handOver(), gateway.stop(), product.stopRecording()]);
    await streams?.close();
    await exchange.close(until - systemClock.now());
    await shared.close();
    await externalStore?.close();
    await upstream.close();
    await traces?.close();
  });
  const url = await gateway.listen(config);
  readiness.watch();
  if (config.exchange !== undefined) void exchange.checkKeys();
  output.put(`Desk on ${url}\n`);
  output.put(`GraphiQL on ${url}/graphiql — behind it: ${upstream.name}\n`);
  upstream.listening();
}

/** Checks what a start would check without connecting to anything, and prints the settings that would take effect. */
function checkOnly(config: Config, variables: Environment["variables"]): void {
  const files = new WatchedFiles(systemClock);
  const log = createLog("silent", standardOutput(systemClock), undefined);
  const clients = clientsFrom(config.clients, { files, shared: ALONE, log, changed: () => undefined });
  try {
    // The accounts of the embedded sandbox are known once it runs.
    if (config.exchange !== undefined) limitsOver(config.tradingLimits, config.exchange.accounts, clients);
    process.stdout.write(`${effectiveSettings(variables).join("\n")}\n`);
  } finally {
    clients.close();
    files.close();
  }
}

/** Milliseconds, with fractions. */
const monotonic = () => performance.now();

/** Loads OpenTelemetry only if traces are exported. */
async function tracesOver({ traces }: Config, exchange: URL, log: Logger, traceIds: TraceIds): Promise<Traces | undefined> {
  if (traces === undefined) return undefined;
  const { openTraces } = await import("./telemetry/traces/openTraces.js");
  return openTraces(traces, INSTRUMENTATION, { clock: systemClock, random: Math.random, log, traceIds, monotonic, exchange });
}

/** The folder of the pages: a bundle lies beside it, compiled sources one folder deeper. */
const APPS = fileURLToPath(new URL(import.meta.url.endsWith("/src/main.js") ? "../../apps" : "../apps", import.meta.url));

/** The documentation, if it was built. */
const DOCS = join(APPS, "docs/dist");

const IN_THE_CLEAR =
  "other machines are served without TLS: tokens travel in the clear, unless a proxy in front serves it. Set TLS_CERT_FILE and TLS_KEY_FILE";

const NO_REPLICAS =
  "REDIS_URL or DATABASE_URL is set, and the package for replicas (packages/replicas) is not installed: install it, or unset them";

/** What replicas share through the configured servers. A single process loads none of it. */
async function sharedPorts({ settings }: Upstream, config: Config): Promise<SharedPorts> {
  if (config.redis === undefined && config.database === undefined) return ALONE;
  const { openReplicas } = await optionalPackage(import("../packages/replicas/src/index.js"), NO_REPLICAS);
  return openReplicas(
    { ...config, realm: realmOf(settings) },
    {
      clock: systemClock,
      monotonic,
      random: Math.random,
      newName: () => randomBytes(6).toString("base64url"),
      instrumentation: INSTRUMENTATION,
    },
  );
}

/** The store of reference data and persisted queries, if its address is set. */
async function externalStoreOf({ cacheUrl }: Config, log: Logger): Promise<ExternalStore | undefined> {
  const store = cacheUrl && (await openExternalStore(cacheUrl, systemClock));
  if (store?.trouble !== undefined) log.warn({ reason: store.trouble }, "CACHE_URL cannot be used yet: nothing is kept there");
  return store;
}

const productOver = (
  { settings: { wsUrl, ...settings }, name, kind }: Upstream,
  config: Config,
  {
    stores,
    writeStores,
    share,
    eventLog,
    history,
    externalStore,
  }: SharedPorts & { readonly externalStore: ExternalStore | undefined },
  clients: Clients,
): Product =>
  createProduct({
    schema: buildGraph(),
    exchange: {
      ...settings,
      environment: { name, kind },
      deadlineMs: config.exchangeTimeoutMs,
      operationMs: config.operationTimeoutMs,
      connections: config.exchangeConnections,
      cacheEntries: config.cacheMaxEntries,
      cacheBytes: config.cacheMaxBytes,
      journalPath: config.journalPath,
      stores,
      externalStore,
      writeStores,
      withdrawals: config.withdrawals,
      limits: limitsOver(config.tradingLimits, settings.accounts, clients),
      cancelWithoutJournal: config.cancelWithoutJournal,
      random: Math.random,
    },
    history: config.history && {
      open: history ?? fileHistory(historyPathOf(config.journalPath)),
      recorder: config.history,
      holder: `${config.replicaName} ${randomBytes(6).toString("base64url")}`,
    },
    streams: wsUrl && {
      wsUrl,
      publicApiVersion: config.streamsPublic,
      live: config.liveAccounts,
      share: config.streamsShared ? share : undefined,
      eventLog,
      clock: systemClock,
      random: Math.random,
    },
  });

/** Unreadable tokens and keys prevent the start; later the former ones stay in effect. */
const clientsFrom = (
  settings: ClientSettings | undefined,
  {
    shared,
    log,
    ...parts
  }: {
    readonly files: WatchedFiles;
    readonly shared: SharedPorts;
    readonly log: Logger;
    readonly changed: () => void;
  },
): Clients =>
  settings === undefined
    ? NO_CLIENTS
    : new ConfiguredClients(settings, {
        ...parts,
        clock: systemClock,
        tokens: shared.tokens,
        report: (message, error) => log.error({ err: error }, message),
      });

/** Time for the next request of clients that keep their connections: those that send without a pause have sent it by then. */
const KEPT_CONNECTIONS_MS = 500;

/**
 * The heap may double before a full collection. By default V8 lets it grow fourfold if most objects live briefly, as events and
 * answers do, and a third more memory is in use.
 */
const HEAP_GROWTH = "--heap-growing-percent=100";

heldOpen(main).catch((error: unknown) => {
  const reasons = error instanceof ConfigError ? error.mistakes : [error instanceof Error ? error.message : String(error)];
  process.stderr.write(`exchange-graph cannot start:\n${reasons.map((reason) => `  ${reason}\n`).join("")}`);
  process.exit(1);
});
