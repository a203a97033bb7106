import { hostname } from "node:os";
import { z } from "zod";
import { isPercentEncoded } from "./percentEncoding.js";
import { SECRET_VARIABLES, SECRETS } from "./secrets.js";

/** Log levels, from least to most output. */
export const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Samplers, by their names in OpenTelemetry. */
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Attributes in the form of OpenTelemetry: names and percent-encoded values. */
const RESOURCE_ATTRIBUTES = /^[\w.-]+=(?:[^,=;\s"\\%]|%[\da-fA-F]{2})*(?:,[\w.-]+=(?:[^,=;\s"\\%]|%[\da-fA-F]{2})*)*$/;

/** A ratio as decimal text with at most six decimals. */
const RATIO = /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/;

const whole = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,12}$/.test(text) && Number.parseInt(text, 10) >= min && Number.parseInt(text, 10) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform((text) => Number.parseInt(text, 10));

/** So that an hour consists of whole intervals. */
const DIVIDES = "must be 0, or divide an hour: 1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30 or 60";

const onOff = z.enum(["0", "1"], { error: "must be 1 or 0" });

/** A base address: without a query, and without credentials, which would appear in logs. */
const address = (...schemes: readonly string[]) =>
  z
    .string()
    .refine((text) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      return url !== undefined && schemes.includes(url.protocol) && url.href === `${url.origin}${url.pathname}`;
    }, `must be an address such as ${schemes[0]}//api.example.com, without query or credentials`)
    .transform((text) => new URL(text));

/** Comma-separated origins as browsers write them. */
const origins = z
  .string()
  .transform((text) => text.split(",").map((origin) => origin.trim()))
  .refine(
    (list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    "must be comma-separated origins such as https://app.example.com",
  );

/** Comma-separated host names without a port. */
const hosts = z
  .string()
  .transform((text) => text.split(",").map((host) => host.trim()))
  .refine(
    (list) => list.every((host) => /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(host)),
    "must be comma-separated names without port such as gateway.example.com",
  );

/** Default name of this process among replicas. */
const nameOfThisProcess = (): string => `${hostname()}-${process.pid}`.replaceAll(/[^\w.-]/g, "-").slice(-64);

const word = z.string().regex(/^[\w.-]{1,64}$/, "must be 1 to 64 letters, digits, dots, hyphens and underscores");

const host = z.string().regex(/^[\w.:%-]+$/, "must be an IP address or a host name");

/** Every variable with its rule and default. `.env.example` describes them. */
export const variables = z.object({
  HOST: host.default("127.0.0.1"),
  PORT: whole(0, 65_535).default(4000),
  METRICS_HOST: host.default("127.0.0.1"),
  METRICS_PORT: whole(0, 65_535).optional(),
  LOG_LEVEL_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }).default("info"),
  AUDIT_LOG: z.string().optional(),
  AUDIT_REQUIRED: onOff.default("0"),
  INTROSPECTION: onOff.optional(),
  FIELD_SUGGESTIONS: onOff.optional(),
  TRUSTED_DOCUMENTS: z.string().optional(),
  CORS_ORIGINS: origins.default([]),
  ALLOWED_HOSTS: hosts.optional(),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TLS_CLIENT_CA_FILE: z.string().optional(),
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
  MAX_LOOP_DELAY_READS_MS: whole(20, 60_000).default(300),
  MAX_LOOP_DELAY_WRITES_MS: whole(20, 60_000).default(1_500),
  CLIENT_OPERATIONS_PER_MINUTE: whole(0, 10_000_000).default(6_000),
  CLIENT_UPSTREAM_CALLS_PER_MINUTE: whole(0, 10_000_000).default(3_000),
  CLIENT_EVENTS_PER_MINUTE: whole(0, 100_000_000).default(300_000),
  CLIENT_SOCKETS: whole(1, 1_000_000).default(100),
  MAX_CONNECTIONS: whole(10, 1_000_000).default(20_000),
  MAX_CONNECTIONS_PER_ADDRESS: whole(1, 1_000_000).default(20_000),
  HEADERS_TIMEOUT_MS: whole(100, 300_000).default(5_000),
  REQUEST_TIMEOUT_MS: whole(100, 300_000).default(6_000),
  KEEP_ALIVE_TIMEOUT_MS: whole(100, 3_600_000).default(72_000),
  CONNECTION_INIT_TIMEOUT_MS: whole(100, 300_000).default(3_000),
  OPERATION_TIMEOUT_MS: whole(100, 600_000).default(30_000),
  SHUTDOWN_TIMEOUT_MS: whole(0, 300_000).default(10_000),
  SHUTDOWN_DELAY_MS: whole(0, 300_000).default(0),
  CLIENTS_FILE: z.string().optional(),
  JWT_SECRET: SECRETS.JWT_SECRET.optional(),
  JWT_SECRET_FILE: z.string().optional(),
  JWT_JWKS_FILE: z.string().optional(),
  JWT_JWKS_URL: address("https:", "http:").optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
  JWT_CLOCK_TOLERANCE_MS: whole(0, 300_000).default(30_000),
  JWT_ACCOUNTS_CLAIM: z.string().default("accounts"),
  EXCHANGE_BASE_URL: address("https:", "http:").optional(),
  EXCHANGE_WS_URL: address("wss:", "ws:").optional(),
  EXCHANGE_API_KEY: SECRETS.EXCHANGE_API_KEY.optional(),
  EXCHANGE_API_KEY_FILE: z.string().optional(),
  EXCHANGE_API_SECRET: SECRETS.EXCHANGE_API_SECRET.optional(),
  EXCHANGE_API_SECRET_FILE: z.string().optional(),
  EXCHANGE_API_PASSPHRASE: SECRETS.EXCHANGE_API_PASSPHRASE.optional(),
  EXCHANGE_API_PASSPHRASE_FILE: z.string().optional(),
  EXCHANGE_ACCOUNTS_FILE: z.string().optional(),
  EXCHANGE_DEMO: onOff.default("0"),
  EXCHANGE_TIMEOUT_MS: whole(100, 120_000).default(10_000),
  EXCHANGE_CONNECTIONS: whole(1, 1_024).default(64),
  CACHE_MAX_ENTRIES: whole(100, 1_000_000).default(10_000),
  CACHE_MAX_BYTES: whole(1_048_576, 68_719_476_736).default(67_108_864),
  JOURNAL_PATH: z.string().optional(),
  DATABASE_URL: SECRETS.DATABASE_URL.optional(),
  DATABASE_URL_FILE: z.string().optional(),
  CACHE_URL: SECRETS.CACHE_URL.optional(),
  CACHE_URL_FILE: z.string().optional(),
  REDIS_URL: SECRETS.REDIS_URL.optional(),
  REDIS_URL_FILE: z.string().optional(),
  EGRESS_GROUP: word.default("default"),
  REPLICA_NAME: word.default(nameOfThisProcess),
  CANCEL_WITHOUT_JOURNAL: onOff.default("1"),
  LIMITS_FILE: z.string().optional(),
  WITHDRAW_ADDRESSES_FILE: z.string().optional(),
  WITHDRAW_ANYWHERE: onOff.default("0"),
  HISTORY_INTERVAL_MINUTES: whole(0, 60)
    .refine((minutes) => minutes === 0 || 60 % minutes === 0, DIVIDES)
    .default(1),
  HISTORY_RETENTION_DAYS: whole(1, 36_500).default(1_100),
  HISTORY_BACKFILL_DAYS: whole(0, 89).default(89),
  LIVE_ACCOUNTS: z.enum(["auto", "all", "none"], { error: "must be auto, all or none" }).default("auto"),
  OTEL_EXPORTER_OTLP_ENDPOINT: address("https:", "http:").optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(["http/protobuf", "http/json"], { error: "must be http/protobuf or http/json" })
    .default("http/protobuf"),
  OTEL_EXPORTER_OTLP_HEADERS: SECRETS.OTEL_EXPORTER_OTLP_HEADERS.optional(),
  OTEL_EXPORTER_OTLP_HEADERS_FILE: z.string().optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: whole(100, 60_000).default(10_000),
  OTEL_SERVICE_NAME: word.optional(),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .refine(
      (text) => RESOURCE_ATTRIBUTES.test(text) && isPercentEncoded(text),
      "must be name=value,name=value with percent-encoded values",
    )
    .optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(", ")}` }).default("parentbased_traceidratio"),
  OTEL_TRACES_SAMPLER_ARG: z.string().regex(RATIO, "must be a share from 0 to 1 with at most 6 decimal places").default("0.1"),
  STREAMS_PUBLIC: z.enum(["v3", "v2"], { error: "must be v3 or v2" }).default("v3"),
  STREAMS_SHARED: onOff.default("1"),
});
/** The variables after each was validated on its own. */
export type Settings = z.infer<typeof variables>;

export type Variable = keyof Settings;

export const VARIABLES: readonly string[] = Object.keys(variables.shape);

/** Addresses into which a password or token may have been written by mistake. */
const ADDRESS = /^(?:EXCHANGE_(?:BASE|WS)_URL|JWT_JWKS_URL|OTEL_EXPORTER_OTLP_ENDPOINT)$/;

/** Whether a variable's value is never shown, because it is secret or may contain a secret by mistake, such as in place of its file. */
export const isNeverShown = (name: string): boolean =>
  ADDRESS.test(name) || SECRET_VARIABLES.some((secret) => name === secret || name === `${secret}_FILE`);
