import { z } from "zod";
import { Secret } from "../datasources/errors/index.js";
import { type GuardedFile, openToOthers, readGuarded } from "../files/guardedFile.js";
import { readDatabaseAddress } from "./databaseAddress.js";
import { isPercentEncoded, NOT_ENCODED } from "./percentEncoding.js";

const secret = (text: string): Secret => new Secret(text);

/** A key, secret or passphrase. It is sent in a header, so it has no spaces, line breaks or characters beyond ASCII. */
export const credential = z
  .string({ error: "must be text" })
  .regex(/^[\x21-\x7e]{1,256}$/, "must be 1 to 256 printable ASCII characters without spaces")
  .transform(secret);

/** The length of an HMAC with SHA-256. */
const MIN_JWT_SECRET_BYTES = 32;

/**
 * The secret that an issuer of JWTs shares. A second line break, a byte order mark, or bytes that are no text, which a reader
 * replaces, make another secret of it: every JWT would be refused without a word.
 */
export const jwtSecret = z
  .string()
  .refine(
    (text) => text === text.trim() && !text.includes("\ufffd"),
    "must be text in UTF-8 that neither begins nor ends with a space, a line break or a byte order mark",
  )
  .refine((text) => Buffer.byteLength(text) >= MIN_JWT_SECRET_BYTES, `must have at least ${MIN_JWT_SECRET_BYTES} bytes`)
  .transform(secret);

/** The address of the shared database, including its password. */
const databaseUrl = z
  .string()
  .superRefine((text, { addIssue }) => {
    const address = readDatabaseAddress(text);
    if ("mistake" in address) addIssue({ code: "custom", message: address.mistake });
  })
  .transform(secret);

/** The address of Redis or Valkey, including its password. */
const redisUrl = z
  .string()
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return (
      url !== undefined &&
      /^rediss?:$/.test(url.protocol) &&
      url.hostname !== "" &&
      /^\/?\d{0,3}$/.test(url.pathname) &&
      url.search === "" &&
      url.hash === ""
    );
  }, "must be an address such as redis://user:password@redis.example.com:6379/0, or rediss:// for TLS")
  .refine(isPercentEncoded, NOT_ENCODED)
  .transform(secret);

const CACHE_SCHEMES: ReadonlySet<string> = new Set(["file:", "redis:", "rediss:", "postgres:", "postgresql:"]);

/** The address of the store for reference data and persisted queries, including its password. */
const cacheUrl = z
  .string()
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !CACHE_SCHEMES.has(url.protocol)) return false;
    return url.protocol === "file:" ? /^file:\/\/\/.*[^/]$/.test(text) : url.hostname !== "";
  }, "must be an address such as file:///var/lib/exchange-graph/cache.sqlite, redis://user:password@redis.example.com:6379/1 or postgresql://user:password@db.example.com/exchange_graph")
  .refine(isPercentEncoded, NOT_ENCODED)
  .transform(secret);

/** Headers that authenticate the export of traces, in the form of OpenTelemetry: names and percent-encoded values. */
const otlpHeaders = z
  .string()
  .refine(
    (text) => /^[\w-]+=[^,=\s]+(?:,[\w-]+=[^,=\s]+)*$/.test(text) && isPercentEncoded(text),
    "must be comma-separated pairs such as name=value, with percent-encoded values",
  )
  .transform(secret);

/** Variables with secrets, each with its rule. The variable with the suffix `_FILE` names a file with the secret. */
export const SECRETS = {
  EXCHANGE_API_KEY: credential,
  EXCHANGE_API_SECRET: credential,
  EXCHANGE_API_PASSPHRASE: credential,
  JWT_SECRET: jwtSecret,
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  CACHE_URL: cacheUrl,
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders,
} as const;

type SecretVariable = keyof typeof SECRETS;

export const SECRET_VARIABLES = Object.keys(SECRETS).filter((name): name is SecretVariable => Object.hasOwn(SECRETS, name));

/** Reads a file that contains one secret. One trailing newline is removed. */
export function readSecretFile(path: string, rule: z.ZodType<Secret>): GuardedFile<Secret> {
  const file = readGuarded(path, openToOthers);
  if ("mistakes" in file) return file;
  const read = rule.safeParse(file.content.replace(/\r?\n$/, ""));
  return read.success ? { content: read.data } : { mistakes: read.error.issues.map(({ message }) => message) };
}

/** The file of a secret, if one is set; `values` are the variables that are set. */
export function secretFile<Name extends SecretVariable>(name: Name, values: Readonly<Record<string, string>>) {
  const path = values[`${name}_FILE`];
  if (path === undefined) return undefined;
  return { setting: `${name}_FILE` as const, read: () => readSecretFile(path, SECRETS[name]) };
}
