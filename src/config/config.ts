import type { z } from "zod";
import type { ExchangeAccount } from "../datasources/accounts/exchangeAccount.js";
import type { DatabaseAddress } from "../datasources/database/address.js";
import { type LimitBook, NO_LIMITS } from "../datasources/writes/limits/tradingLimits.js";
import type { WithdrawalRule } from "../datasources/writes/rules/withdrawalAddresses.js";
import { guardExisting, openToOthers } from "../files/guardedFile.js";
import { type AccountSource, accountContradictions, accountFiles, accountSource } from "./accounts.js";
import { type ClientSettings, clientContradictions, clientSettings } from "./clients.js";
import { ConfigError } from "./configError.js";
import { addressIn, databaseContradictions } from "./database.js";
import type { Environment } from "./environment.js";
import { exposures, inTheClear, isReal } from "./exposure.js";
import { type LimitSettings, limitContradictions, limitsOf } from "./limits.js";
import { type RedisSettings, redisSettings } from "./redis.js";
import { type RuleFile, type RuleFiles, ruleFiles } from "./ruleFiles.js";
import { SECRET_VARIABLES, secretFile } from "./secrets.js";
import { type TlsMaterial, type TlsSource, tlsContradictions, tlsSource } from "./tls.js";
import { type TraceSettings, traceContradictions, traceSettings } from "./traces.js";
import { type LOG_LEVELS, NEVER_SHOWN, VARIABLES, variables } from "./variables.js";

/** The exchange to read: a real one, or a sandbox that runs on its own. */
export interface ConfiguredExchange {
  readonly baseUrl: URL;
  readonly wsUrl: URL | undefined;
  /** Use the exchange's demo environment. */
  readonly demo: boolean;
  /** Which world its users are of. Default: the exchange's own, or its demo environment. */
  readonly realm?: string;
  readonly accounts: readonly ExchangeAccount[];
  /** Where the accounts are read again when they change; `undefined` where they never do. */
  readonly source: AccountSource | undefined;
}

/** Every setting, read once. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where metrics and health checks are served apart; `undefined` when `/metrics` is beside the graph. */
  readonly monitoring: { readonly host: string; readonly port: number } | undefined;
  /** What TLS is served with, and where it is read again; `undefined` when plain HTTP is spoken. */
  readonly tls: { readonly source: TlsSource; readonly material: TlsMaterial } | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** The file of the audit; `undefined` when it goes into the log. */
  readonly auditPath: string | undefined;
  /** Are writes refused that cannot be audited? */
  readonly auditRequired: boolean;
  /** May clients ask what the schema is? GraphiQL lives on it. */
  readonly introspection: boolean;
  /** Do errors name fields that the client may have meant? */
  readonly suggestions: boolean;
  /** The manifest of the only documents that are run; `undefined` when any are. */
  readonly trusted: string | undefined;
  /** Whose pages may use the gateway from a browser, besides its own. */
  readonly corsOrigins: readonly string[];
  /** Names besides this machine's own under which the gateway may be asked; `undefined` when any will do. */
  readonly hosts: readonly string[] | undefined;
  readonly limits: LimitSettings;
  /** How long an operation may go on asking the exchange. */
  readonly operationTimeoutMs: number;
  /** The longest request body that is read. */
  readonly maxBodyBytes: number;
  /** How long requests under way may take to finish once the process was asked to stop. */
  readonly shutdownTimeoutMs: number;
  /** How long before that everything is still served, while `/readyz` says that the gateway goes. */
  readonly shutdownDelayMs: number;
  /** `undefined` when none are configured: then whoever reaches the port may do everything. */
  readonly clients: ClientSettings | undefined;
  /** `undefined` when none is configured: then the embedded sandbox stands in. */
  readonly exchange: ConfiguredExchange | undefined;
  /** How long a client waits for one call to the exchange, the wait for its rate budget included. */
  readonly exchangeTimeoutMs: number;
  /** Connections kept open to the exchange. */
  readonly exchangeConnections: number;
  /** Which API version's streams carry public market data. */
  readonly streamsPublic: "v2" | "v3";
  /** Which accounts are kept live for queries. */
  readonly liveAccounts: "auto" | "all" | "none";
  /** Answers kept in memory at most. */
  readonly cacheMaxEntries: number;
  /** Estimated bytes of the answers kept in memory at most. */
  readonly cacheMaxBytes: number;
  /** The file in which writes are journaled, or `:memory:`. */
  readonly journalPath: string;
  /** The database that replicas share, and journal writes in; `undefined` when there is none. */
  readonly database: DatabaseAddress | undefined;
  /** The engine that replicas share for what is fast and may be lost; `undefined` when there is none. */
  readonly redis: RedisSettings | undefined;
  /** Does one replica follow an account's or a symbol's streams for all? Only where there is an engine. */
  readonly streamsShared: boolean;
  /** What this process is called among replicas. */
  readonly replicaName: string;
  /** May a cancel, or another write that only takes risk away, leave when the journal cannot be written? */
  readonly cancelWithoutJournal: boolean;
  /** What accounts and clients keep to when they trade. */
  readonly tradingLimits: LimitBook;
  /** Where money may be withdrawn to. */
  readonly withdrawals: WithdrawalRule;
  /** Where traces go; `undefined` when none are recorded. */
  readonly traces: TraceSettings | undefined;
  /** Where the limits, the addresses and the trusted documents are read again when they change. */
  readonly ruleFiles: RuleFiles;
}

/**
 * Reads the settings. Throws `ConfigError` with all mistakes at once, those that were found before among them. An empty
 * variable counts as left out.
 */
export function readConfig(env: Environment["variables"], foundBefore: Environment["mistakes"] = []): Config {
  const given = Object.fromEntries(VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const read = variables.safeParse(given);
  const mistakes = [
    ...foundBefore,
    ...(read.error?.issues ?? []).map((issue) => mistake(issue, given)),
    ...contradictions(given),
  ];
  const contentOf = <T>(rules: Omit<RuleFile<T>, "paths"> | undefined): T | undefined => {
    const file = rules === undefined ? { content: undefined } : rules.read();
    if ("content" in file) return file.content;
    mistakes.push(...file.mistakes.map((text) => `${rules?.setting}: ${text}`));
    return undefined;
  };
  const source = accountSource(read.data ?? accountFiles(given));
  const accounts = source?.read() ?? { content: [] };
  if ("mistakes" in accounts) mistakes.push(...accounts.mistakes);
  contentOf(secretFile("JWT_SECRET", given));
  const databaseInFile = contentOf(secretFile("DATABASE_URL", given));
  const redisInFile = contentOf(secretFile("REDIS_URL", given));
  const otlpHeadersInFile = contentOf(secretFile("OTEL_EXPORTER_OTLP_HEADERS", given));
  const tlsFiles = tlsSource(given);
  const tls = tlsFiles?.read() ?? { content: undefined };
  if ("mistakes" in tls) mistakes.push(...tls.mistakes);
  const rules = ruleFiles(given);
  const addresses = contentOf(rules.withdrawals);
  const limitBook = contentOf(rules.limits);
  const trusted = contentOf(rules.trusted);
  mistakes.push(...auditMistakes(given.AUDIT_LOG));
  const clients = read.data && clientSettings(read.data);
  if (read.success) mistakes.push(...inTheClear(read.data), ...exposures(read.data.HOST, read.data, clients));
  if (!read.success || "mistakes" in accounts || "mistakes" in tls || mistakes.length > 0) throw new ConfigError(mistakes);

  const settings = read.data;
  const mayLeave = settings.WITHDRAW_ANYWHERE === "1" || !isReal(settings);
  return {
    host: settings.HOST,
    port: settings.PORT,
    monitoring: settings.METRICS_PORT === undefined ? undefined : { host: settings.METRICS_HOST, port: settings.METRICS_PORT },
    tls: tlsFiles && tls.content && { source: tlsFiles, material: tls.content },
    logLevel: settings.LOG_LEVEL,
    auditPath: settings.AUDIT_LOG,
    auditRequired: settings.AUDIT_REQUIRED === "1",
    introspection: settings.INTROSPECTION === undefined ? !isReal(settings) : settings.INTROSPECTION === "1",
    suggestions: settings.FIELD_SUGGESTIONS === undefined ? !isReal(settings) : settings.FIELD_SUGGESTIONS === "1",
    trusted,
    corsOrigins: settings.CORS_ORIGINS,
    // A page whose own name resolves to this address has no token. Where clients have none either, only the name distinguishes it.
    hosts: settings.ALLOWED_HOSTS ?? (clients === undefined ? [] : undefined),
    limits: limitsOf(settings),
    operationTimeoutMs: settings.OPERATION_TIMEOUT_MS,
    maxBodyBytes: settings.MAX_BODY_BYTES,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_MS,
    shutdownDelayMs: settings.SHUTDOWN_DELAY_MS,
    clients,
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
    exchangeTimeoutMs: settings.EXCHANGE_TIMEOUT_MS,
    exchangeConnections: settings.EXCHANGE_CONNECTIONS,
    cacheMaxEntries: settings.CACHE_MAX_ENTRIES,
    cacheMaxBytes: settings.CACHE_MAX_BYTES,
    streamsPublic: settings.STREAMS_PUBLIC,
    liveAccounts: settings.LIVE_ACCOUNTS,
    journalPath: journalPathOf({ JOURNAL_PATH: settings.JOURNAL_PATH, EXCHANGE_BASE_URL: settings.EXCHANGE_BASE_URL?.href }),
    database: addressIn(settings.DATABASE_URL ?? databaseInFile),
    redis: redisSettings(settings, redisInFile),
    streamsShared: settings.STREAMS_SHARED === "1",
    replicaName: settings.REPLICA_NAME,
    tradingLimits: limitBook ?? NO_LIMITS,
    traces: traceSettings(settings, otlpHeadersInFile),
    cancelWithoutJournal: settings.CANCEL_WITHOUT_JOURNAL === "1",
    withdrawals: addresses ?? (mayLeave ? "anywhere" : []),
    ruleFiles: rules,
  };
}

function mistake(issue: z.core.$ZodIssue, given: Readonly<Record<string, string>>): string {
  const name = String(issue.path[0]);
  return `${name}: ${issue.message}${NEVER_SHOWN.test(name) ? "" : `, and is "${given[name]}"`}`;
}

function auditMistakes(path: string | undefined): string[] {
  const open = path === undefined ? undefined : guardExisting(path, openToOthers);
  return open === undefined ? [] : [`AUDIT_LOG: ${open}`];
}

/** Settings that are right one by one and wrong together. */
const contradictions = (given: Readonly<Record<string, string>>): string[] => [
  ...SECRET_VARIABLES.filter((name) => Object.hasOwn(given, name) && Object.hasOwn(given, `${name}_FILE`)).map(
    (name) => `${name}_FILE: cannot stand beside ${name}: give the secret in one of the two ways`,
  ),
  ...accountContradictions(given),
  ...clientContradictions(given),
  ...limitContradictions(given),
  ...tlsContradictions(given),
  ...databaseContradictions(given),
  ...traceContradictions(given),
  ...(given.METRICS_PORT !== undefined && given.METRICS_PORT === (given.PORT ?? "4000") && given.METRICS_PORT !== "0"
    ? ["METRICS_PORT: must be another port than PORT"]
    : []),
  ...(given.WITHDRAW_ANYWHERE === "1" && Object.hasOwn(given, "WITHDRAW_ADDRESSES_FILE")
    ? ["WITHDRAW_ANYWHERE: cannot stand beside WITHDRAW_ADDRESSES_FILE: money may go anywhere, or to its addresses"]
    : []),
];

/** Where the journal of writes lies. An empty variable counts as left out. */
export const journalPathOf = ({ JOURNAL_PATH, EXCHANGE_BASE_URL }: Readonly<Record<string, string | undefined>>): string =>
  JOURNAL_PATH || `data/${EXCHANGE_BASE_URL ? "" : "sandbox-"}journal.sqlite`;
