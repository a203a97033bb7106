import { z } from "zod";
import type { ExchangeAccount } from "./datasources/accounts/exchangeAccount.js";
import { Secret } from "./datasources/secret.js";
import type { WithdrawalRule } from "./datasources/writes/rules/withdrawalAddresses.js";
import { changeableByOthers, type GuardedFile, guardExisting, openToOthers, readGuarded } from "./guardedFile.js";
import { credential, readAccountsFile } from "./settings/accountsFile.js";
import { type CallerSettings, callerContradictions, callerSettings } from "./settings/callers.js";
import { exposures, inTheClear, isReal } from "./settings/exposure.js";
import { type LimitSettings, limitsOf } from "./settings/limits.js";
import { readWithdrawalsFile } from "./settings/withdrawalsFile.js";

/** The exchange to read: a real one, or a sandbox that runs on its own. */
export interface ExchangeSettings {
  readonly baseUrl: URL;
  readonly wsUrl: URL | undefined;
  /** Use the exchange's demo environment. */
  readonly demo: boolean;
  readonly accounts: readonly ExchangeAccount[];
}

/** Every setting, read once. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** The file of the audit; `undefined` when it goes into the log. */
  readonly auditPath: string | undefined;
  /** May callers ask what the schema is? GraphiQL lives on it. */
  readonly introspection: boolean;
  /** Do errors name fields that the caller may have meant? */
  readonly suggestions: boolean;
  /** The manifest of the only documents that are run; `undefined` when any are. */
  readonly trusted: string | undefined;
  /** Whose pages may use the gateway from a browser, besides its own. */
  readonly corsOrigins: readonly string[];
  readonly limits: LimitSettings;
  /** How long an operation may go on asking the exchange. */
  readonly operationTimeoutMs: number;
  /** The longest request body that is read. */
  readonly maxBodyBytes: number;
  /** How long requests under way may take to finish once the process was told to stop. */
  readonly shutdownTimeoutMs: number;
  /** `undefined` when none are configured: then whoever reaches the port may do everything. */
  readonly callers: CallerSettings | undefined;
  /** `undefined` when none is configured: then the embedded sandbox stands in. */
  readonly exchange: ExchangeSettings | undefined;
  /** How long a caller waits for one call to the exchange, the wait for its rate budget included. */
  readonly exchangeTimeoutMs: number;
  /** Connections kept open to the exchange. */
  readonly exchangeConnections: number;
  /** Which generation's streams carry public market data. */
  readonly streamsPublic: "v2" | "v3";
  /** Answers kept in memory at most. */
  readonly cacheMaxEntries: number;
  /** The file in which writes are journaled, or `:memory:`. */
  readonly journalPath: string;
  /** Where money may be withdrawn to. */
  readonly withdrawals: WithdrawalRule;
}

/** The environment asks for something that cannot be done. `mistakes` has one line for each, none shows a secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join("\n"));
  }
}

export const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

const whole = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,12}$/.test(text) && Number.parseInt(text, 10) >= min && Number.parseInt(text, 10) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform((text) => Number.parseInt(text, 10));

const onOff = z.enum(["0", "1"], { error: "must be 1 or 0" });

/** An address that paths are put behind: no query, and no credentials, which would show up in logs. */
const address = (...schemes: readonly string[]) =>
  z
    .string()
    .refine((text) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      return url !== undefined && schemes.includes(url.protocol) && url.href === `${url.origin}${url.pathname}`;
    }, `must be an address such as ${schemes[0]}//api.example.com, without query or credentials`)
    .transform((text) => new URL(text));

/** Origins as browsers write them, with commas between. */
const origins = z
  .string()
  .transform((text) => text.split(",").map((origin) => origin.trim()))
  .refine(
    (list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    "must be origins such as https://app.example.com, with commas between",
  );

/** As long as what HMAC with SHA-256 gives. */
const MIN_JWT_SECRET_BYTES = 32;

/** Every variable with its rule and default. `.env.example` explains them. */
const environment = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/, "must be an IP address or a host name")
    .default("127.0.0.1"),
  PORT: whole(0, 65_535).default(4000),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }).default("info"),
  AUDIT_LOG: z.string().optional(),
  INTROSPECTION: onOff.optional(),
  FIELD_SUGGESTIONS: onOff.optional(),
  TRUSTED_DOCUMENTS: z.string().optional(),
  CORS_ORIGINS: origins.default([]),
  MAX_BODY_BYTES: whole(1_024, 16_777_216).default(1_048_576),
  MAX_TOKENS: whole(100, 100_000).default(4_000),
  MAX_DEPTH: whole(5, 100).default(15),
  MAX_FIELDS: whole(50, 10_000).default(1_000),
  MAX_ALIASES: whole(0, 10_000).default(100),
  MAX_ROOT_FIELDS: whole(1, 1_000).default(50),
  MAX_DIRECTIVES: whole(0, 1_000).default(50),
  MAX_LIST_ITEMS: whole(1, 10_000).default(500),
  MAX_UPSTREAM_CALLS: whole(1, 100_000).default(1_000),
  MAX_NODES: whole(100, 100_000_000).default(250_000),
  CALLER_OPERATIONS_PER_MINUTE: whole(0, 10_000_000).default(6_000),
  CALLER_UPSTREAM_CALLS_PER_MINUTE: whole(0, 10_000_000).default(3_000),
  CALLER_SOCKETS: whole(1, 1_000_000).default(100),
  MAX_CONNECTIONS: whole(10, 1_000_000).default(20_000),
  MAX_CONNECTIONS_PER_ADDRESS: whole(1, 1_000_000).default(20_000),
  HEADERS_TIMEOUT_MS: whole(100, 300_000).default(5_000),
  REQUEST_TIMEOUT_MS: whole(100, 300_000).default(6_000),
  KEEP_ALIVE_TIMEOUT_MS: whole(0, 3_600_000).default(72_000),
  HELLO_TIMEOUT_MS: whole(100, 300_000).default(3_000),
  OPERATION_TIMEOUT_MS: whole(100, 600_000).default(30_000),
  SHUTDOWN_TIMEOUT_MS: whole(0, 300_000).default(10_000),
  CALLERS_FILE: z.string().optional(),
  JWT_SECRET: z
    .string()
    .refine((text) => Buffer.byteLength(text) >= MIN_JWT_SECRET_BYTES, `must have at least ${MIN_JWT_SECRET_BYTES} bytes`)
    .transform((text) => new Secret(text))
    .optional(),
  JWT_JWKS_FILE: z.string().optional(),
  JWT_JWKS_URL: address("https:", "http:").optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
  JWT_CLOCK_TOLERANCE_MS: whole(0, 300_000).default(30_000),
  JWT_ACCOUNTS_CLAIM: z.string().default("accounts"),
  EXCHANGE_BASE_URL: address("https:", "http:").optional(),
  EXCHANGE_WS_URL: address("wss:", "ws:").optional(),
  EXCHANGE_API_KEY: credential.optional(),
  EXCHANGE_API_SECRET: credential.optional(),
  EXCHANGE_API_PASSPHRASE: credential.optional(),
  EXCHANGE_ACCOUNTS_FILE: z.string().optional(),
  EXCHANGE_DEMO: onOff.default("0"),
  EXCHANGE_TIMEOUT_MS: whole(100, 120_000).default(10_000),
  EXCHANGE_CONNECTIONS: whole(1, 1_024).default(64),
  CACHE_MAX_ENTRIES: whole(100, 1_000_000).default(10_000),
  JOURNAL_PATH: z.string().optional(),
  WITHDRAW_ADDRESSES_FILE: z.string().optional(),
  WITHDRAW_ANYWHERE: onOff.default("0"),
  STREAMS_PUBLIC: z.enum(["v3", "v2"], { error: "must be v3 or v2" }).default("v3"),
});
type Variable = keyof z.infer<typeof environment>;

export const VARIABLES: readonly string[] = Object.keys(environment.shape);

/** Variables whose value is never shown: they are secret, or may by mistake hold one. */
const NEVER_SHOWN = /^(?:EXCHANGE_(?:API_\w+|\w+_URL)|JWT_SECRET|JWT_JWKS_URL)$/;

const SINGLE_ACCOUNT = ["EXCHANGE_API_KEY", "EXCHANGE_API_SECRET", "EXCHANGE_API_PASSPHRASE"] as const;

/** Variables that hold secrets themselves. */
export const SECRET_VARIABLES: readonly Variable[] = [...SINGLE_ACCOUNT, "JWT_SECRET"];

/** Reads the settings. Throws `ConfigError` with all mistakes at once. An empty variable counts as left out. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const read = environment.safeParse(given);
  const mistakes = [
    ...(read.error?.issues ?? []).map((issue) => mistake(issue, given)),
    ...contradictions(given),
    ...callerContradictions(given),
  ];
  const readFile = <T>(name: Variable, reader: (path: string) => GuardedFile<T>): T | undefined => {
    const path = given[name];
    const file = path === undefined ? { content: undefined } : reader(path);
    if ("content" in file) return file.content;
    mistakes.push(...file.mistakes.map((text) => `${name}: ${text}`));
    return undefined;
  };
  const file = readFile("EXCHANGE_ACCOUNTS_FILE", readAccountsFile);
  const addresses = readFile("WITHDRAW_ADDRESSES_FILE", readWithdrawalsFile);
  const trusted = readFile("TRUSTED_DOCUMENTS", (path) => readGuarded(path, changeableByOthers));
  const open = given.AUDIT_LOG === undefined ? undefined : guardExisting(given.AUDIT_LOG, openToOthers);
  if (open !== undefined) mistakes.push(`AUDIT_LOG: ${open}`);
  const callers = read.data && callerSettings(read.data);
  if (read.success) mistakes.push(...inTheClear(read.data), ...exposures(read.data.HOST, read.data, callers));
  if (!read.success || mistakes.length > 0) throw new ConfigError(mistakes);

  const settings = read.data;
  const accounts = file ?? singleAccount(settings);
  const mayLeave = settings.WITHDRAW_ANYWHERE === "1" || !isReal(settings);
  return {
    host: settings.HOST,
    port: settings.PORT,
    logLevel: settings.LOG_LEVEL,
    auditPath: settings.AUDIT_LOG,
    introspection: settings.INTROSPECTION === undefined ? !isReal(settings) : settings.INTROSPECTION === "1",
    suggestions: settings.FIELD_SUGGESTIONS === undefined ? !isReal(settings) : settings.FIELD_SUGGESTIONS === "1",
    trusted,
    corsOrigins: settings.CORS_ORIGINS,
    limits: limitsOf(settings),
    operationTimeoutMs: settings.OPERATION_TIMEOUT_MS,
    maxBodyBytes: settings.MAX_BODY_BYTES,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_MS,
    callers,
    exchange:
      settings.EXCHANGE_BASE_URL === undefined
        ? undefined
        : {
            baseUrl: settings.EXCHANGE_BASE_URL,
            wsUrl: settings.EXCHANGE_WS_URL,
            demo: settings.EXCHANGE_DEMO === "1",
            accounts,
          },
    exchangeTimeoutMs: settings.EXCHANGE_TIMEOUT_MS,
    exchangeConnections: settings.EXCHANGE_CONNECTIONS,
    cacheMaxEntries: settings.CACHE_MAX_ENTRIES,
    streamsPublic: settings.STREAMS_PUBLIC,
    journalPath: settings.JOURNAL_PATH ?? `data/${settings.EXCHANGE_BASE_URL === undefined ? "sandbox-" : ""}journal.sqlite`,
    withdrawals: addresses ?? (mayLeave ? "anywhere" : []),
  };
}

function singleAccount(settings: z.infer<typeof environment>): ExchangeAccount[] {
  const { EXCHANGE_API_KEY: apiKey, EXCHANGE_API_SECRET: apiSecret, EXCHANGE_API_PASSPHRASE: passphrase } = settings;
  if (apiKey === undefined || apiSecret === undefined || passphrase === undefined) return [];
  return [{ name: "main", credentials: { apiKey, apiSecret, passphrase }, isCopyTrader: false }];
}

function mistake(issue: z.core.$ZodIssue, given: Readonly<Record<string, string>>): string {
  const name = String(issue.path[0]);
  return `${name}: ${issue.message}${NEVER_SHOWN.test(name) ? "" : `, and is "${given[name]}"`}`;
}

/** Settings that are right one by one and wrong together. */
function contradictions(given: Readonly<Record<string, string>>): string[] {
  const isGiven = (name: Variable): boolean => name in given && !(name === "EXCHANGE_DEMO" && given[name] === "0");
  const keys = SINGLE_ACCOUNT.filter(isGiven);
  const missing = SINGLE_ACCOUNT.filter((name) => !isGiven(name));
  const hasFile = isGiven("EXCHANGE_ACCOUNTS_FILE");
  const found: string[] = [];
  if (keys.length > 0 && hasFile)
    found.push(`EXCHANGE_ACCOUNTS_FILE: cannot stand beside ${keys.join(", ")}: give the accounts in one of the two ways`);
  else if (keys.length > 0) found.push(...missing.map((name) => `${name}: is missing, it goes with ${keys.join(" and ")}`));
  if (!isGiven("EXCHANGE_BASE_URL")) {
    const needing = [...keys, ...(["EXCHANGE_ACCOUNTS_FILE", "EXCHANGE_WS_URL", "EXCHANGE_DEMO"] as const).filter(isGiven)];
    if (needing.length > 0) found.push(`EXCHANGE_BASE_URL: is missing, ${needing.join(", ")} cannot be used without it`);
  } else if (keys.length === 0 && !hasFile)
    found.push(`EXCHANGE_BASE_URL: needs an account: set ${SINGLE_ACCOUNT.join(", ")}, or EXCHANGE_ACCOUNTS_FILE`);
  if (given.WITHDRAW_ANYWHERE === "1" && isGiven("WITHDRAW_ADDRESSES_FILE"))
    found.push("WITHDRAW_ANYWHERE: cannot stand beside WITHDRAW_ADDRESSES_FILE: money may go anywhere, or to its addresses");
  return found;
}
