import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { systemClock } from "@exchange-graph/contract/clock";
import { Database } from "../packages/replicas/src/database/database.js";
import type { ReplicaStores } from "../packages/replicas/src/redis/replicaStores.js";
import { type Clients, ConfiguredClients, NO_CLIENTS } from "./access/clients.js";
import type { AccountSource } from "./config/accounts.js";
import type { ClientSettings } from "./config/clients.js";
import { type Config, type ConfiguredExchange, readConfig } from "./config/config.js";
import { ConfigError } from "./config/configError.js";
import { effectiveSettings } from "./config/effective.js";
import { type Environment, forgetSecrets, readEnvironment } from "./config/environment.js";
import { isLoopback } from "./config/loopback.js";
import type { RuleFiles } from "./config/ruleFiles.js";
import { createExchange, type Exchange, type ExchangeAccount } from "./datasources/index.js";
import { createStreams, type Streams } from "./datasources/streams/index.js";
import { haltsPathOf, readHalts } from "./datasources/writes/halts/haltStore.js";
import type { LimitBook } from "./datasources/writes/limits/tradingLimits.js";
import { TrustedDocuments } from "./engine/documents/trustedDocuments.js";
import { type WatchedFile, WatchedFiles } from "./files/watchedFiles.js";
import { createGateway, type Gateway } from "./gateway.js";
import { INSTRUMENTATION } from "./instrumentation/instrumentation.js";
import { buildGraph, createContext, outlookOver } from "./resolvers/index.js";
import { openAudit } from "./telemetry/audit/auditLog.js";
import { logEvents } from "./telemetry/logs/eventLog.js";
import { createLog, type Logger, standardOutput } from "./telemetry/logs/log.js";
import { Metrics } from "./telemetry/metrics/metrics.js";
import { TraceIds } from "./telemetry/traceIds/traceIds.js";
import type { Traces } from "./telemetry/traces/openTraces.js";
import { dependenciesOf } from "./transports/http/dependencies.js";
import { Readiness } from "./transports/http/readiness.js";
import { configuredUpstream, embeddedSandbox, type Upstream } from "./upstream.js";

async function main(): Promise<void> {
  const environment = readEnvironment(process.env);
  const config = readConfig(environment.variables, environment.mistakes);
  if (process.argv.includes("--check")) {
    checkOnly(config, environment.variables);
    return;
  }
  forgetSecrets(process.env);
  const output = standardOutput(systemClock);
  const traceIds = config.traces && new TraceIds(systemClock);
  const log = createLog(config.logLevel, output, traceIds);
  process.on("uncaughtException", (error) => end(log, error));
  process.on("unhandledRejection", (reason) => end(log, reason));

  logEvents(log, INSTRUMENTATION, { clock: systemClock, cancelWithoutJournal: config.cancelWithoutJournal });
  const metrics = new Metrics(INSTRUMENTATION, traceIds);
  const traces = traceIds && (await tracesOver(config, log, traceIds));
  const audit = openAudit({
    path: config.auditPath,
    destination: output,
    isRequired: config.auditRequired,
    onLost: () => log.error("the audit could not be written"),
  });
  audit.follow(INSTRUMENTATION);
  metrics.watchLogs({ log: output, audit });
  const files = new WatchedFiles(systemClock);
  const upstream = config.exchange === undefined ? await embeddedSandbox(log) : configuredUpstream(config.exchange);
  const database =
    config.database && (await Database.open({ address: config.database, name: config.replicaName, clock: systemClock }));
  const shared = await sharedStores(upstream, config, metrics);
  let limits: WatchedFile | undefined;
  const clients = clientsFrom(config.clients, { files, shared, log, changed: () => limits?.readAgain() });
  const exchange = exchangeOver(upstream, config, { database, shared, clients });
  await exchange.writes.journal.ready();
  await exchange.writes.writer.resume();
  const streams = streamsOf(upstream.settings, config, exchange, shared);
  metrics.watch(exchange, streams);
  metrics.watchFiles(files);
  const trusted = config.trusted === undefined ? undefined : new TrustedDocuments(config.trusted);
  const readiness = new Readiness(dependenciesOf(exchange, files, systemClock, shared?.engine), systemClock);
  const gateway = await createGateway({
    ...config,
    tls: config.tls?.material,
    clients,
    quotas: shared?.quotas,
    openConnections: shared?.openConnections,
    schema: buildGraph(),
    outlook: outlookOver(exchange, streams),
    trusted,
    contextFor: (principal, ...asking) => createContext(exchange, principal, streams, ...asking),
    traceOf: ({ reads }) => reads.trace,
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
  if (database === undefined && config.journalPath !== ":memory:") followHalts(haltsPathOf(config.journalPath), files, exchange);
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
    log.info("files of settings are read again if they have changed");
    void files.look();
  });
  stopOnSignal(log, stoppingMs, async () => {
    const until = systemClock.now() + stoppingMs;
    files.close();
    readiness.close();
    await Promise.all([streams?.handOver(), gateway.stop()]);
    await streams?.close();
    await exchange.close(until - systemClock.now());
    await shared?.close();
    await database?.close();
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
  const clients = clientsFrom(config.clients, { files, shared: undefined, log, changed: () => undefined });
  try {
    // The accounts of the embedded sandbox are known once it runs.
    if (config.exchange !== undefined) limitsOver(config.tradingLimits, config.exchange.accounts, clients);
    process.stdout.write(`${effectiveSettings(variables).join("\n")}\n`);
  } finally {
    clients.close();
    files.close();
  }
}

/** Loads OpenTelemetry only if traces are exported. */
async function tracesOver({ traces }: Config, log: Logger, traceIds: TraceIds): Promise<Traces | undefined> {
  if (traces === undefined) return undefined;
  const { openTraces } = await import("./telemetry/traces/openTraces.js");
  return openTraces(traces, INSTRUMENTATION, { clock: systemClock, random: Math.random, log, traceIds });
}

/** The folder of the pages: a bundle lies beside it, compiled sources one folder deeper. */
const APPS = fileURLToPath(new URL(import.meta.url.endsWith("/src/main.js") ? "../../apps" : "../apps", import.meta.url));

/** The documentation, if it was built. */
const DOCS = join(APPS, "docs/dist");

const IN_THE_CLEAR =
  "other machines are served without TLS: tokens travel in the clear, unless a proxy in front serves it. Set TLS_CERT_FILE and TLS_KEY_FILE";

/** The stores that replicas share through Redis, if it is set. */
async function sharedStores(
  { settings: { realm, demo } }: Upstream,
  { redis, replicaName }: Config,
  metrics: Metrics,
): Promise<ReplicaStores | undefined> {
  if (redis === undefined) return undefined;
  const { openReplicaStores } = await import("../packages/replicas/src/redis/replicaStores.js");
  const stores = await openReplicaStores(
    { ...redis, replica: replicaName, realm: realm ?? (demo ? "demo" : "live") },
    {
      clock: systemClock,
      monotonic: () => performance.now(),
      random: Math.random,
      newName: () => randomBytes(6).toString("base64url"),
      instrumentation: INSTRUMENTATION,
    },
  );
  metrics.watchEngine(stores.engine);
  return stores;
}

/** The exchange with its journal, cache and rate budgets. */
const exchangeOver = (
  { settings, name, kind }: Upstream,
  config: Config,
  {
    database,
    shared,
    clients,
  }: { readonly database: Database | undefined; readonly shared: ReplicaStores | undefined; readonly clients: Clients },
): Exchange =>
  createExchange({
    ...settings,
    environment: { name, kind },
    deadlineMs: config.exchangeTimeoutMs,
    operationMs: config.operationTimeoutMs,
    connections: config.exchangeConnections,
    cacheEntries: config.cacheMaxEntries,
    cacheBytes: config.cacheMaxBytes,
    journalPath: config.journalPath,
    ...(database === undefined ? {} : { database }),
    ...(shared === undefined ? {} : { stores: shared.exchange }),
    replicaName: config.replicaName,
    withdrawals: config.withdrawals,
    limits: limitsOver(config.tradingLimits, settings.accounts, clients),
    cancelWithoutJournal: config.cancelWithoutJournal,
    random: Math.random,
  });

/** Processes with a common journal share its halts. Removing the file ends no halt. */
function followHalts(path: string, files: WatchedFiles, { writes: { halts } }: Exchange): void {
  files.watch({
    setting: "JOURNAL_PATH",
    paths: [path],
    read: () => readHalts(path),
    changed: (stored) => halts.takeOver(stored),
    gone: () => undefined,
  });
}

/** Applies changed rules between two calls. If a file is invalid, its former rules stay in effect. Returns the file of limits. */
function followRules(
  { limits, withdrawals, trusted }: RuleFiles,
  {
    files,
    exchange: { writes, directory },
    clients,
    documents,
  }: {
    readonly files: WatchedFiles;
    readonly exchange: Exchange;
    readonly clients: Clients;
    readonly documents: TrustedDocuments | undefined;
  },
): WatchedFile | undefined {
  if (withdrawals !== undefined) files.watch({ ...withdrawals, changed: (addresses) => writes.allowWithdrawalsTo(addresses) });
  if (trusted !== undefined) files.watch({ ...trusted, changed: (manifest) => documents?.replace(manifest) });
  const { inForce } = writes.limits;
  return limits && files.watch({ ...limits, changed: (book) => inForce.replace(limitsOver(book, directory.all, clients)) });
}

/** Applies changed accounts between two calls, without a restart. */
function followAccounts(
  source: AccountSource,
  files: WatchedFiles,
  exchange: Exchange,
  gateway: Gateway,
  limits: WatchedFile | undefined,
  log: Logger,
): void {
  const { directory, checkKeys } = exchange;
  directory.onChange(({ added, changed, removed }) => {
    const names = (accounts: readonly ExchangeAccount[]) => accounts.map(({ name }) => name);
    log.info({ added: names(added), changed: names(changed), removed: names(removed) }, "the accounts have changed");
    gateway.accountsChanged();
    // It has to name the accounts of now.
    limits?.readAgain();
    void checkKeys();
  });
  const failed = (error: unknown) => log.error({ err: error }, "unexpected error while accounts were replaced");
  files.watch({ ...source, changed: (accounts) => void exchange.replaceAccounts(accounts, USERS_MS).catch(failed) });
}

/** Maximum delay of changed accounts until the users of new keys are known. */
const USERS_MS = 3_000;

/** Limits for an unknown account or client are a mistake: the intended one would have no limits. */
function limitsOver(limits: LimitBook, accounts: ConfiguredExchange["accounts"], clients: Pick<Clients, "unknown">): LimitBook {
  const names = accounts.map(({ name }) => name);
  const ofAccounts = [...limits.accounts.keys()]
    .filter((name) => name !== "*" && !names.includes(name))
    .map((name) => `.accounts.${name} must be an account: ${names.join(", ")}, or *`);
  const ofClients = [...limits.clients.keys()].flatMap((client) => {
    const rule = client === "*" ? undefined : clients.unknown(client);
    return rule === undefined ? [] : [`.clients.${client} ${rule}`];
  });
  const mistakes = [...ofAccounts, ...ofClients];
  if (mistakes.length === 0) return limits;
  throw new ConfigError(mistakes.map((mistake) => `LIMITS_FILE: ${mistake}`));
}

/** The exchange's streams, if their address is set. */
function streamsOf(
  { wsUrl }: ConfiguredExchange,
  config: Config,
  exchange: Exchange,
  shared: ReplicaStores | undefined,
): Streams | undefined {
  if (wsUrl === undefined) return undefined;
  return createStreams({
    exchange,
    wsUrl,
    publicApiVersion: config.streamsPublic,
    live: config.liveAccounts,
    relay: config.streamsShared ? shared?.relay : undefined,
    eventLog: shared?.eventLog,
    clock: systemClock,
    random: Math.random,
  });
}

/** Unreadable tokens and keys prevent the start; later the former ones stay in effect. */
const clientsFrom = (
  settings: ClientSettings | undefined,
  {
    shared,
    log,
    ...parts
  }: {
    readonly files: WatchedFiles;
    readonly shared: ReplicaStores | undefined;
    readonly log: Logger;
    readonly changed: () => void;
  },
): Clients =>
  settings === undefined
    ? NO_CLIENTS
    : new ConfiguredClients(settings, {
        ...parts,
        clock: systemClock,
        tokens: shared?.tokens,
        report: (message, error) => log.error({ err: error }, message),
      });

/** Time for closing files and sockets after that for running requests. */
const CLOSING_MS = 2_000;
/** Time for the next request of clients that keep their connections: those that send without a pause have sent it by then. */
const KEPT_CONNECTIONS_MS = 500;

/** The first signal stops gracefully, a second one immediately. */
function stopOnSignal(log: Logger, timeoutMs: number, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, "stopping");
    systemClock.after(timeoutMs + CLOSING_MS, () => {
      log.warn({ timeoutMs }, "not everything was closed in time");
      process.exit(0);
    });
    stop().then(
      () => process.exit(0),
      (error: unknown) => end(log, error),
    );
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
}

/** After an uncaught error the state is unknown: the process logs it and ends. */
function end(log: Logger, error: unknown): never {
  log.fatal({ err: error }, "the process ends: unexpected error");
  process.exit(1);
}

main().catch((error: unknown) => {
  const reasons = error instanceof ConfigError ? error.mistakes : [error instanceof Error ? error.message : String(error)];
  process.stderr.write(`exchange-graph cannot start:\n${reasons.map((reason) => `  ${reason}\n`).join("")}`);
  process.exit(1);
});
