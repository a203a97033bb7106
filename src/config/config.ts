import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { DAY_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import type { z } from "zod";
import type { ExchangeAccount } from "../datasources/calls/index.js";
import type { Secret } from "../datasources/errors/index.js";
import { NO_LIMITS, type WithdrawalRule } from "../datasources/writes/index.js";
import { guardExisting, openToOthers, type ReloadedFiles } from "../files/guardedFile.js";
import { clientContradictions, clientSettings } from "./clientSettings.js";
import { ConfigError } from "./configError.js";
import { type AccountSource, accountContradictions, accountFiles, accountSource } from "./configuredAccounts.js";
import { addressIn, databaseContradictions } from "./databaseSettings.js";
import type { Environment } from "./environment.js";
import { limitContradictions, limitsOf } from "./limitSettings.js";
import { exposures, inTheClear, isReal } from "./networkExposure.js";
import { ruleFiles } from "./ruleFiles.js";
import { SECRET_VARIABLES, secretFile } from "./secrets.js";
import { tlsContradictions, tlsSource } from "./tls.js";
import { traceContradictions, traceSettings } from "./traces.js";
import { isNeverShown, type Settings, VARIABLES, variables } from "./variables.js";

/** The configured exchange: a real one, or a separate sandbox. */
export interface ConfiguredExchange {
  readonly baseUrl: URL;
  readonly wsUrl: URL | undefined;
  /** Whether to use the exchange's demo environment. */
  readonly demo: boolean;
  /** Identifies the world of user ids. Default: the exchange's address and environment. */
  readonly realm?: string;
  readonly accounts: readonly ExchangeAccount[];
  /** Source from which accounts are read again when they change; `undefined` if they never do. */
  readonly source: AccountSource | undefined;
}

export type Config = Readonly<ReturnType<typeof readConfig>>;

/**
 * Reads the settings. Throws `ConfigError` with all mistakes at once, including those found before. An empty variable counts as
 * not set.
 */
export function readConfig(env: Environment["variables"], foundBefore: Environment["mistakes"] = []) {
  const values = Object.fromEntries(VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const read = variables.safeParse(values);
  const mistakes = [
    ...foundBefore,
    ...(read.error?.issues ?? []).map((issue) => mistake(issue, values)),
    ...contradictions(values),
  ];
  const contentOf = <T>(rules: Omit<ReloadedFiles<T>, "paths"> | undefined): T | undefined => {
    const file = rules === undefined ? { content: undefined } : rules.read();
    if ("content" in file) return file.content;
    mistakes.push(...file.mistakes.map((text) => `${rules?.setting}: ${text}`));
    return undefined;
  };
  const source = accountSource(read.data ?? accountFiles(values));
  const accounts = source?.read() ?? { content: [] };
  if ("mistakes" in accounts) mistakes.push(...accounts.mistakes);
  contentOf(secretFile("JWT_SECRET", values));
  const secretOf = (name: "DATABASE_URL" | "REDIS_URL" | "CACHE_URL" | "OTEL_EXPORTER_OTLP_HEADERS"): Secret | undefined => {
    const inFile = contentOf(secretFile(name, values));
    return read.data?.[name] ?? inFile;
  };
  const databaseUrl = secretOf("DATABASE_URL");
  const redisUrl = secretOf("REDIS_URL");
  const cacheUrl = secretOf("CACHE_URL");
  const otlpHeaders = secretOf("OTEL_EXPORTER_OTLP_HEADERS");
  const tlsFiles = tlsSource(values);
  const tls = tlsFiles?.read() ?? { content: undefined };
  if ("mistakes" in tls) mistakes.push(...tls.mistakes);
  const rules = ruleFiles(values);
  const addresses = contentOf(rules.withdrawals);
  const limitBook = contentOf(rules.limits);
  const trusted = contentOf(rules.trusted);
  const logLevel = contentOf(rules.logLevel);
  mistakes.push(...auditMistakes(values.AUDIT_LOG));
  const clients = read.data && clientSettings(read.data);
  if (read.success) mistakes.push(...inTheClear(read.data), ...exposures(read.data.HOST, read.data, clients));
  if (!read.success || "mistakes" in accounts || "mistakes" in tls || mistakes.length > 0) throw new ConfigError(mistakes);

  const settings = read.data;
  return {
    host: settings.HOST,
    port: settings.PORT,
    /** Separate address of metrics and health checks; `undefined` if `/metrics` is on the main port. */
    monitoring: settings.METRICS_PORT === undefined ? undefined : { host: settings.METRICS_HOST, port: settings.METRICS_PORT },
    /** TLS certificate and key and their files; `undefined` for plain HTTP. */
    tls: tlsFiles && tls.content && { source: tlsFiles, material: tls.content },
    logLevel: logLevel ?? settings.LOG_LEVEL,
    /** File of the audit; `undefined` if it goes into the log. */
    auditPath: settings.AUDIT_LOG,
    /** Whether writes are refused if their audit line cannot be written. */
    auditRequired: settings.AUDIT_REQUIRED === "1",
    /** Whether introspection is allowed. GraphiQL needs it. */
    introspection: settings.INTROSPECTION === undefined ? !isReal(settings) : settings.INTROSPECTION === "1",
    /** Whether errors suggest names of the schema. */
    suggestions: settings.FIELD_SUGGESTIONS === undefined ? !isReal(settings) : settings.FIELD_SUGGESTIONS === "1",
    /** Manifest of trusted documents; `undefined` if any document is allowed. */
    trusted,
    /** Other origins whose pages may use the gateway from a browser. */
    corsOrigins: settings.CORS_ORIGINS,
    /**
     * Allowed host names besides loopback names; `undefined` for any. With DNS rebinding a page can reach this address under its own
     * name, but has no token. Without configured clients only the host name keeps it out.
     */
    hosts: settings.ALLOWED_HOSTS ?? (clients === undefined ? [] : undefined),
    limits: limitsOf(settings),
    /** Time in which an operation may call the exchange. */
    operationTimeoutMs: settings.OPERATION_TIMEOUT_MS,
    maxBodyBytes: settings.MAX_BODY_BYTES,
    /** Time for running requests to finish after a signal to stop. */
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_MS,
    /** Time before that in which requests are still served while `/readyz` is not ready. */
    shutdownDelayMs: settings.SHUTDOWN_DELAY_MS,
    /** `undefined` if none are configured: then every request has all scopes. */
    clients,
    /** `undefined` if none is configured: then the embedded sandbox is used. */
    exchange:
      settings.EXCHANGE_BASE_URL === undefined
        ? undefined
        : {
            baseUrl: settings.EXCHANGE_BASE_URL,
            wsUrl: settings.EXCHANGE_WS_URL,
            demo: settings.EXCHANGE_DEMO === "1",
            accounts: accounts.content,
            source: source !== undefined && source.paths.length > 0 ? source : undefined,
          },
    /** Timeout of one call to the exchange, including the wait for its rate budget. */
    exchangeTimeoutMs: settings.EXCHANGE_TIMEOUT_MS,
    exchangeConnections: settings.EXCHANGE_CONNECTIONS,
    cacheMaxEntries: settings.CACHE_MAX_ENTRIES,
    cacheMaxBytes: settings.CACHE_MAX_BYTES,
    /** API version of the public market data streams. */
    streamsPublic: settings.STREAMS_PUBLIC,
    /** Accounts whose streams stay open for queries. */
    liveAccounts: settings.LIVE_ACCOUNTS,
    /** The journal's SQLite file, or `:memory:`. */
    journalPath: journalPathOf({ JOURNAL_PATH: settings.JOURNAL_PATH, EXCHANGE_BASE_URL: settings.EXCHANGE_BASE_URL?.href }),
    /** How the worth of accounts is recorded; `undefined` if it is not. */
    history:
      settings.HISTORY_INTERVAL_MINUTES === 0
        ? undefined
        : {
            intervalMs: settings.HISTORY_INTERVAL_MINUTES * MINUTE_MS,
            retentionMs: settings.HISTORY_RETENTION_DAYS * DAY_MS,
            backfillMs: settings.HISTORY_BACKFILL_DAYS * DAY_MS,
          },
    /** The shared database of the journal; `undefined` if there is none. */
    database: addressIn(databaseUrl),
    /**
     * The Redis that replicas share; `undefined` if there is none. Replicas of one egress group have the same egress address and share
     * the exchange's limits per address.
     */
    redis: redisUrl && { url: redisUrl, egressGroup: settings.EGRESS_GROUP },
    /** Address of the store for reference data and persisted queries. Undefined: this process's memory. */
    cacheUrl,
    /** Whether one replica subscribes to the streams of an account or symbol for all. Has no effect without Redis. */
    streamsShared: settings.STREAMS_SHARED === "1",
    /** Name of this process among replicas. */
    replicaName: settings.REPLICA_NAME,
    tradingLimits: limitBook ?? NO_LIMITS,
    /** Export of traces; `undefined` if none are recorded. */
    traces: traceSettings(settings, otlpHeaders),
    /** Whether writes that only reduce risk are sent when the journal cannot be written. */
    cancelWithoutJournal: settings.CANCEL_WITHOUT_JOURNAL === "1",
    withdrawals: addresses ?? unlistedWithdrawals(settings),
    /** Files of limits, addresses and trusted documents, which are read again when they change. */
    ruleFiles: rules,
  };
}

/** The rule without a list of addresses. */
const unlistedWithdrawals = (settings: Settings): WithdrawalRule =>
  settings.WITHDRAW_ANYWHERE === "1" || !isReal(settings) ? "anywhere" : [];

function mistake(issue: z.core.$ZodIssue, values: Readonly<Record<string, string>>): string {
  const name = String(issue.path[0]);
  return `${name}: ${issue.message}${isNeverShown(name) ? "" : `, and is "${values[name]}"`}`;
}

function auditMistakes(path: string | undefined): string[] {
  if (path === undefined) return [];
  if (!existsSync(dirname(path))) return [`AUDIT_LOG: there is no folder ${dirname(path)}`];
  const open = guardExisting(path, openToOthers);
  return open === undefined ? [] : [`AUDIT_LOG: ${open}`];
}

const contradictions = (values: Readonly<Record<string, string>>): string[] => [
  ...[...SECRET_VARIABLES, "LOG_LEVEL"]
    .filter((name) => Object.hasOwn(values, name) && Object.hasOwn(values, `${name}_FILE`))
    .map((name) => `${name}_FILE: cannot be combined with ${name}: set one of the two`),
  ...accountContradictions(values),
  ...clientContradictions(values),
  ...limitContradictions(values),
  ...tlsContradictions(values),
  ...databaseContradictions(values),
  ...traceContradictions(values),
  ...(values.METRICS_PORT !== undefined && values.METRICS_PORT === (values.PORT ?? "4000") && values.METRICS_PORT !== "0"
    ? ["METRICS_PORT: must differ from PORT"]
    : []),
  ...(values.METRICS_PORT === undefined && (values.METRICS_HOST ?? "127.0.0.1") !== "127.0.0.1"
    ? ["METRICS_HOST: cannot be used without METRICS_PORT"]
    : []),
  ...(values.WITHDRAW_ANYWHERE === "1" && Object.hasOwn(values, "WITHDRAW_ADDRESSES_FILE")
    ? ["WITHDRAW_ANYWHERE: cannot be combined with WITHDRAW_ADDRESSES_FILE: set one of the two"]
    : []),
];

/** Path of the journal. An empty variable counts as not set. */
export const journalPathOf = ({ JOURNAL_PATH, EXCHANGE_BASE_URL }: Readonly<Record<string, string | undefined>>): string =>
  JOURNAL_PATH || `data/${EXCHANGE_BASE_URL ? "" : "sandbox-"}journal.sqlite`;
