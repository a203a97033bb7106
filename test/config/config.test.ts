import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { ConfigError } from "../../src/config/configError.js";
import { effectiveSettings } from "../../src/config/effective.js";
import { forgetSecrets, OWN_PREFIXES, readEnvironment } from "../../src/config/environment.js";
import { SECRET_VARIABLES, type SECRETS } from "../../src/config/secrets.js";
import { VARIABLES } from "../../src/config/variables.js";

const folder = mkdtempSync(join(tmpdir(), "config-"));
afterAll(() => rmSync(folder, { recursive: true }));

const KEYS = { EXCHANGE_API_KEY: "the-key", EXCHANGE_API_SECRET: "the-secret", EXCHANGE_API_PASSPHRASE: "thephrase" };
const REAL = { EXCHANGE_BASE_URL: "https://api.example.com", CLIENTS_FILE: "clients.json", ...KEYS };
const ACCOUNT = { name: "desk", apiKey: "k-1", apiSecret: "s-1", passphrase: "p-1" };

let files = 0;
function accountsFile(content: unknown, mode = 0o600): string {
  const path = join(folder, `accounts-${files++}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}

const withFile = (content: unknown, mode?: number) => ({
  EXCHANGE_BASE_URL: "https://api.example.com",
  CLIENTS_FILE: "clients.json",
  EXCHANGE_ACCOUNTS_FILE: accountsFile(content, mode),
});

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

describe("the settings", () => {
  it("all have a default: an empty environment means the embedded sandbox on loopback", () => {
    expect(readConfig({})).toEqual({
      host: "127.0.0.1",
      port: 4000,
      monitoring: undefined,
      tls: undefined,
      logLevel: "info",
      auditPath: undefined,
      auditRequired: false,
      introspection: true,
      suggestions: true,
      trusted: undefined,
      corsOrigins: [],
      hosts: [],
      limits: {
        document: { tokens: 4_000, depth: 15, fields: 1_000, aliases: 100, rootFields: 50, directives: 50, listItems: 500 },
        cost: { upstreamCalls: 1_000, nodes: 250_000 },
        load: { readsMs: 300, writesMs: 1_500 },
        principal: { operationsPerMinute: 6_000, upstreamCallsPerMinute: 3_000, eventsPerMinute: 300_000 },
        connection: {
          connections: 20_000,
          connectionsPerAddress: 20_000,
          headersMs: 5_000,
          requestMs: 6_000,
          keepAliveMs: 72_000,
        },
        socket: { connections: 20_000, connectionsPerAddress: 20_000, connectionsPerClient: 100, connectionInitMs: 3_000 },
      },
      operationTimeoutMs: 30_000,
      maxBodyBytes: 1_048_576,
      shutdownTimeoutMs: 10_000,
      shutdownDelayMs: 0,
      exchange: undefined,
      exchangeTimeoutMs: 10_000,
      exchangeConnections: 64,
      cacheMaxEntries: 10_000,
      cacheMaxBytes: 67_108_864,
      liveAccounts: "auto",
      streamsPublic: "v3",
      streamsShared: true,
      history: { intervalMs: 60_000, retentionMs: 1_100 * 86_400_000, backfillMs: 89 * 86_400_000 },
      journalPath: "data/sandbox-journal.sqlite",
      database: undefined,
      redis: undefined,
      replicaName: expect.stringMatching(/^[\w.-]+-\d+$/),
      cancelWithoutJournal: true,
      traces: undefined,
      tradingLimits: { accounts: new Map(), clients: new Map() },
      withdrawals: "anywhere",
      ruleFiles: { limits: undefined, withdrawals: undefined, trusted: undefined },
    });
  });

  it("have metrics on a separate port, on this machine only by default", () => {
    expect(readConfig({ METRICS_PORT: "9464" }).monitoring).toEqual({ host: "127.0.0.1", port: 9464 });
    expect(readConfig({ METRICS_PORT: "9464", METRICS_HOST: "::" }).monitoring).toEqual({ host: "::", port: 9464 });
    expect(mistakesOf({ METRICS_PORT: "4000" })).toEqual(["METRICS_PORT: must differ from PORT"]);
    expect(mistakesOf({ METRICS_PORT: "1", PORT: "1" })).toEqual(["METRICS_PORT: must differ from PORT"]);
    expect(mistakesOf({ METRICS_PORT: "0", PORT: "0" })).toEqual([]);
    expect(mistakesOf({ METRICS_HOST: "0.0.0.0" })).toEqual(["METRICS_HOST: cannot be used without METRICS_PORT"]);
    expect(readConfig({ METRICS_HOST: "127.0.0.1" }).monitoring).toBeUndefined();
  });

  it("hide the schema in front of a real exchange by default", () => {
    expect(readConfig(REAL)).toMatchObject({ introspection: false, suggestions: false });
    expect(readConfig({ ...REAL, INTROSPECTION: "1", FIELD_SUGGESTIONS: "1" })).toMatchObject({
      introspection: true,
      suggestions: true,
    });
  });

  it("accept origins as browsers write them", () => {
    const CORS_ORIGINS = "https://app.example.com, http://localhost:3000";
    expect(readConfig({ CORS_ORIGINS }).corsOrigins).toEqual(["https://app.example.com", "http://localhost:3000"]);
    for (const wrong of ["*", "app.example.com", "https://app.example.com/", "https://app.example.com/x"])
      expect(() => readConfig({ CORS_ORIGINS: wrong })).toThrow("must be comma-separated origins such as");
  });

  it("accept names as in the Host header", () => {
    expect(readConfig({ ALLOWED_HOSTS: "gateway.example.com, desk, [fd00::1]" }).hosts).toEqual([
      "gateway.example.com",
      "desk",
      "[fd00::1]",
    ]);
    for (const wrong of ["*", "https://gateway.example.com", "gateway.example.com:4000", "a b", "a,,b"])
      expect(() => readConfig({ ALLOWED_HOSTS: wrong })).toThrow("must be comma-separated names without port");
  });

  it("count as unset when they are empty", () => {
    expect(readConfig(Object.fromEntries(VARIABLES.map((name) => [name, ""])))).toEqual(readConfig({}));
  });

  it("make one account named main of single keys", () => {
    const { exchange } = readConfig({ ...REAL, EXCHANGE_WS_URL: "wss://ws.example.com", EXCHANGE_DEMO: "1" });
    expect(exchange).toMatchObject({ demo: true, accounts: [{ name: "main", isCopyTrader: false }] });
    expect(exchange?.baseUrl.href).toBe("https://api.example.com/");
    expect(exchange?.wsUrl?.href).toBe("wss://ws.example.com/");
    expect(exchange?.accounts[0]?.credentials.apiSecret.reveal()).toBe("the-secret");
  });

  it("read several accounts from a file, in its order", () => {
    const { exchange } = readConfig(withFile([ACCOUNT, { ...ACCOUNT, name: "copier", copyTrader: true }]));
    expect(exchange?.accounts.map(({ name, isCopyTrader }) => [name, isCopyTrader])).toEqual([
      ["desk", false],
      ["copier", true],
    ]);
    expect(exchange?.accounts[0]?.credentials.passphrase.reveal()).toBe("p-1");
  });
});

describe(".env.example", () => {
  const lines = readFileSync(".env.example", "utf8")
    .split("\n")
    .filter((line) => /^\w+=/.test(line));
  const example = Object.fromEntries(lines.map((line) => line.split("=", 2) as [string, string]));

  it("names every setting and no other", () => {
    expect(Object.keys(example).sort()).toEqual([...VARIABLES].sort());
  });

  it("states the defaults", () => {
    expect(readConfig(example)).toEqual(readConfig({}));
  });
});

describe("a mistake in the environment", () => {
  it.each([
    [{ PORT: "80a" }, 'PORT: must be a whole number from 0 to 65535, and is "80a"'],
    [{ PORT: "65536" }, 'PORT: must be a whole number from 0 to 65535, and is "65536"'],
    [{ PORT: "-1" }, 'PORT: must be a whole number from 0 to 65535, and is "-1"'],
    [{ HOST: "a b" }, 'HOST: must be an IP address or a host name, and is "a b"'],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL: must be one of silent, fatal, error, warn, info, debug, trace, and is "loud"'],
    [{ KEEP_ALIVE_TIMEOUT_MS: "0" }, 'KEEP_ALIVE_TIMEOUT_MS: must be a whole number from 100 to 3600000, and is "0"'],
    [{ MAX_BODY_BYTES: "1023" }, 'MAX_BODY_BYTES: must be a whole number from 1024 to 16777216, and is "1023"'],
    [{ EXCHANGE_TIMEOUT_MS: "99" }, 'EXCHANGE_TIMEOUT_MS: must be a whole number from 100 to 120000, and is "99"'],
    [
      { ...REAL, EXCHANGE_BASE_URL: "api.example.com" },
      "EXCHANGE_BASE_URL: must be an address such as https://api.example.com, without query or credentials",
    ],
    [
      { ...REAL, EXCHANGE_BASE_URL: "https://me:pw@api.example.com" },
      "EXCHANGE_BASE_URL: must be an address such as https://api.example.com, without query or credentials",
    ],
    [
      { ...REAL, EXCHANGE_WS_URL: "https://ws.example.com" },
      "EXCHANGE_WS_URL: must be an address such as wss://api.example.com, without query or credentials",
    ],
    [{ ...REAL, EXCHANGE_DEMO: "yes" }, 'EXCHANGE_DEMO: must be 1 or 0, and is "yes"'],
    [{ ...REAL, EXCHANGE_API_KEY: "two words" }, "EXCHANGE_API_KEY: must be 1 to 256 printable ASCII characters without spaces"],
  ])("is one line with the variable, what is wrong and what is allowed: %o", (env, line) => {
    expect(mistakesOf(env)).toEqual([line]);
  });

  it("is reported together with all the others", () => {
    expect(mistakesOf({ PORT: "x", LOG_LEVEL: "y", EXCHANGE_DEMO: "1" })).toEqual([
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^LOG_LEVEL: /),
      expect.stringMatching(/^EXCHANGE_BASE_URL: /),
    ]);
  });

  it("includes an exchange without keys", () => {
    expect(mistakesOf({ EXCHANGE_BASE_URL: "http://127.0.0.1:4100" })).toEqual([
      "EXCHANGE_BASE_URL: needs an account: set EXCHANGE_API_KEY, EXCHANGE_API_SECRET, EXCHANGE_API_PASSPHRASE, or EXCHANGE_ACCOUNTS_FILE",
    ]);
  });

  it("includes keys without an exchange", () => {
    expect(mistakesOf(KEYS)).toEqual([
      "EXCHANGE_BASE_URL: is missing, EXCHANGE_API_KEY, EXCHANGE_API_SECRET, EXCHANGE_API_PASSPHRASE cannot be used without it",
    ]);
    expect(mistakesOf({ EXCHANGE_WS_URL: "ws://127.0.0.1:4100" })).toEqual([
      "EXCHANGE_BASE_URL: is missing, EXCHANGE_WS_URL cannot be used without it",
    ]);
  });

  it("includes half a set of keys", () => {
    expect(mistakesOf({ EXCHANGE_BASE_URL: "http://127.0.0.1:4100", EXCHANGE_API_KEY: "the-key" })).toEqual([
      "EXCHANGE_API_SECRET: is required together with EXCHANGE_API_KEY",
      "EXCHANGE_API_PASSPHRASE: is required together with EXCHANGE_API_KEY",
    ]);
  });

  it("includes single keys beside a file", () => {
    expect(mistakesOf({ ...REAL, EXCHANGE_ACCOUNTS_FILE: accountsFile([ACCOUNT]) })).toEqual([
      "EXCHANGE_ACCOUNTS_FILE: cannot be combined with EXCHANGE_API_KEY, EXCHANGE_API_SECRET, EXCHANGE_API_PASSPHRASE: set one of the two",
    ]);
  });
});

describe("a mistake in the accounts file", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...ACCOUNT, name: `a${index}` }));

  it.each([
    ["not JSON", '[{"apiSecret": "s-1" oops', "is not valid JSON"],
    ["not a list", { accounts: [] }, "must be a list of {name, apiKey, apiSecret, passphrase, copyTrader?}"],
    ["empty", [], "must name at least one account"],
    ["too long", many(51), "must name at most 50 accounts"],
    ["a name that is there twice", [ACCOUNT, ACCOUNT], '[1].name must be unique, "desk" is there twice'],
    [
      "a name with a slash",
      [{ ...ACCOUNT, name: "a/b" }],
      "[0].name must start with a letter and have at most 32 letters, digits, _ or -",
    ],
    ["a missing secret", [{ name: "desk", apiKey: "k-1", passphrase: "p-1" }], "[0].apiSecret must be text"],
    ["an unknown key", [{ ...ACCOUNT, apikey: "k-2" }], "[0] must not have apikey"],
    ["copyTrader as text", [{ ...ACCOUNT, copyTrader: "yes" }], "[0].copyTrader must be true or false"],
  ])("is reported: %s", (_, content, line) => {
    expect(mistakesOf(withFile(content))).toEqual([`EXCHANGE_ACCOUNTS_FILE: ${line}`]);
  });

  it("is not fifty accounts", () => {
    expect(mistakesOf(withFile(many(50)))).toEqual([]);
  });

  it("is a file that is not there", () => {
    const env = { EXCHANGE_BASE_URL: "http://127.0.0.1:4100", EXCHANGE_ACCOUNTS_FILE: join(folder, "nowhere.json") };
    expect(mistakesOf(env)).toEqual(["EXCHANGE_ACCOUNTS_FILE: cannot be read: ENOENT"]);
  });

  it.each([0o644, 0o640, 0o604, 0o620])("is a file that others may read or write: mode %o", (mode) => {
    const env = withFile([ACCOUNT], mode);
    expect(mistakesOf(env)).toEqual([
      `EXCHANGE_ACCOUNTS_FILE: is open to other users (mode ${mode.toString(8)}): run chmod 600 ${env.EXCHANGE_ACCOUNTS_FILE}`,
    ]);
  });
});

describe("a secret in a file", () => {
  const secretFile = (text: string, mode = 0o400): string => accountsFile(text, mode);
  const { EXCHANGE_API_SECRET: _, ...KEY_AND_PHRASE } = KEYS;
  const REST = { ...KEY_AND_PHRASE, EXCHANGE_BASE_URL: "https://api.example.com", CLIENTS_FILE: "clients.json" };
  const JWT = { JWT_ISSUER: "https://id.example.com", JWT_AUDIENCE: "gateway" };
  const of = (env: Record<string, string>) => readConfig(env).exchange?.accounts[0]?.credentials.apiSecret.reveal();

  it("can be every one of them", () => {
    for (const name of SECRET_VARIABLES) expect(VARIABLES).toContain(`${name}_FILE`);
  });

  it.each(["the-secret", "the-secret\n", "the-secret\r\n"])("is what the file holds, without the line end: %j", (text) => {
    expect(of({ ...REST, EXCHANGE_API_SECRET_FILE: secretFile(text) })).toBe("the-secret");
  });

  it("is read again from the file, and not at all if it is set in the environment", () => {
    const EXCHANGE_API_SECRET_FILE = secretFile("the-secret", 0o600);
    const { exchange } = readConfig({ ...REST, EXCHANGE_API_SECRET_FILE });
    expect(exchange?.source).toMatchObject({ setting: "EXCHANGE_API_SECRET_FILE", paths: [EXCHANGE_API_SECRET_FILE] });
    writeFileSync(EXCHANGE_API_SECRET_FILE, "the-next\n");
    const again = exchange?.source?.read();
    expect(again && "content" in again && again.content[0]?.credentials.apiSecret.reveal()).toBe("the-next");
    rmSync(EXCHANGE_API_SECRET_FILE);
    expect(exchange?.source?.read()).toEqual({ mistakes: ["EXCHANGE_API_SECRET_FILE: cannot be read: ENOENT"] });
    expect(readConfig(REAL).exchange?.source).toBeUndefined();
  });

  it.each<[string, string, number, string]>([
    ["a second line", "the-secret\n\n", 0o600, "must be 1 to 256 printable ASCII characters without spaces"],
    ["nothing", "", 0o600, "must be 1 to 256 printable ASCII characters without spaces"],
    ["others that may read", "the-secret", 0o644, "is open to other users (mode 644): run chmod 600 "],
  ])("is refused with what is wrong, and not shown: %s", (_, text, mode, line) => {
    const env = { ...REST, EXCHANGE_API_SECRET_FILE: secretFile(text, mode) };
    expect(mistakesOf(env)).toEqual([expect.stringContaining(`EXCHANGE_API_SECRET_FILE: ${line}`)]);
    expect(mistakesOf(env).join()).not.toContain("the-secret");
  });

  it("cannot be combined with the secret itself, nor beside a file of accounts", () => {
    const EXCHANGE_API_SECRET_FILE = secretFile("the-secret");
    expect(mistakesOf({ ...REAL, EXCHANGE_API_SECRET_FILE })).toEqual([
      "EXCHANGE_API_SECRET_FILE: cannot be combined with EXCHANGE_API_SECRET: set one of the two",
    ]);
    expect(mistakesOf({ ...withFile([ACCOUNT]), EXCHANGE_API_SECRET_FILE })).toEqual([
      "EXCHANGE_ACCOUNTS_FILE: cannot be combined with EXCHANGE_API_SECRET: set one of the two",
    ]);
  });

  it("is reported with the errors of all other settings", () => {
    expect(mistakesOf({ ...REST, PORT: "x", EXCHANGE_API_SECRET_FILE: join(folder, "nowhere") })).toEqual([
      expect.stringMatching(/^PORT: /),
      "EXCHANGE_API_SECRET_FILE: cannot be read: ENOENT",
    ]);
  });

  it("can be the address of a shared database, in place of a journal file", () => {
    const DATABASE_URL = "postgres://gate:p4ssw0rd@db.example.com/eg";
    const { database, replicaName } = readConfig({ DATABASE_URL, REPLICA_NAME: "eu-1" });
    expect([database?.host, database?.tls, replicaName]).toEqual(["db.example.com", "verify", "eu-1"]);
    expect(inspect(database)).not.toContain("p4ssw0rd");
    expect(readConfig({ DATABASE_URL_FILE: secretFile(`${DATABASE_URL}\n`) }).database).toEqual(database);
    expect(mistakesOf({ DATABASE_URL: "postgres://gate:p4ssw0rd@db" })).toEqual([
      "DATABASE_URL: must be an address such as postgres://user:password@db.example.com:5432/name",
    ]);
    expect(mistakesOf({ DATABASE_URL, JOURNAL_PATH: "journal.sqlite" })).toEqual([
      "JOURNAL_PATH: cannot be combined with DATABASE_URL: set one of the two",
    ]);
    expect(mistakesOf({ REPLICA_NAME: "a b" })).toEqual([expect.stringMatching(/^REPLICA_NAME: must be 1 to 64 letters/)]);
  });

  it("can be the address of a store for reference data and persisted queries, whose password is never shown", () => {
    const CACHE_URL = "postgres://gate:p4ssw0rd@db.example.com/eg";
    const { cacheUrl } = readConfig({ CACHE_URL });
    expect(cacheUrl?.reveal()).toBe(CACHE_URL);
    expect(inspect(cacheUrl)).not.toContain("p4ssw0rd");
    expect(readConfig({ CACHE_URL_FILE: secretFile("file:///var/cache.sqlite\n") }).cacheUrl?.reveal()).toBe(
      "file:///var/cache.sqlite",
    );
    for (const wrong of [
      "http://gate:p4ssw0rd@redis",
      "redis://",
      "file:///folder/",
      "cache.sqlite",
      "file:cache.sqlite",
      "file:./cache",
    ])
      expect(mistakesOf({ CACHE_URL: wrong })).toEqual([expect.stringMatching(/^CACHE_URL: must be an address such as file:/)]);
  });

  it.each(["DATABASE_URL", "REDIS_URL", "CACHE_URL"])("name a password in %s that is not percent-encoded", (name) => {
    const scheme = name === "DATABASE_URL" ? "postgres" : "redis";
    expect(mistakesOf({ [name]: `${scheme}://gate:100%@db.example.com/${scheme === "redis" ? "0" : "eg"}` })).toEqual([
      `${name}: must be percent-encoded: write % as %25`,
    ]);
  });

  it("can be the address of a Redis that others share, whose password is never shown", () => {
    const REDIS_URL = "rediss://gate:p4ssw0rd@redis.example.com:6380/2";
    const { redis } = readConfig({ REDIS_URL });
    expect([redis?.url.reveal(), redis?.egressGroup]).toEqual([REDIS_URL, "default"]);
    expect(inspect(redis)).not.toContain("p4ssw0rd");
    expect(readConfig({ REDIS_URL_FILE: secretFile(`${REDIS_URL}\n`), EGRESS_GROUP: "eu" }).redis?.egressGroup).toBe("eu");
    for (const wrong of ["http://gate:p4ssw0rd@redis", "redis://", "redis://gate:p4ssw0rd@redis/x", "redis://redis?p4ssw0rd"])
      expect(mistakesOf({ REDIS_URL: wrong })).toEqual([
        "REDIS_URL: must be an address such as redis://user:password@redis.example.com:6379/0, or rediss:// for TLS",
      ]);
    expect(mistakesOf({ EGRESS_GROUP: "a b" })).toEqual([expect.stringMatching(/^EGRESS_GROUP: must be 1 to 64 letters/)]);
  });

  it("name the process in traces by its version, a new instance and the given attributes", () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = "http://collector:4318";
    const resourceOf = (given: Readonly<Record<string, string>>) =>
      readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...given }).traces?.resource ?? {};
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
    const own = { "service.name": "exchange-graph", "service.version": version, "service.instance.id": expect.any(String) };
    expect(resourceOf({})).toEqual(own);
    expect(resourceOf({})["service.instance.id"]).not.toBe(resourceOf({})["service.instance.id"]);
    const OTEL_RESOURCE_ATTRIBUTES = "deployment.environment.name=east%20coast,service.name=desk,service.instance.id=gateway-1";
    const given = { "deployment.environment.name": "east coast", "service.instance.id": "gateway-1" };
    expect(resourceOf({ OTEL_RESOURCE_ATTRIBUTES })).toEqual({ ...own, ...given, "service.name": "desk" });
    expect(resourceOf({ OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME: "named" })["service.name"]).toBe("named");
    for (const wrong of ["desk", "a=b c", "a=%zz", "a=%ff", "=b"])
      expect(mistakesOf({ OTEL_RESOURCE_ATTRIBUTES: wrong })).toEqual([
        `OTEL_RESOURCE_ATTRIBUTES: must be name=value,name=value with percent-encoded values, and is "${wrong}"`,
      ]);
  });

  it("record traces where an endpoint is set, in OpenTelemetry's words", () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = "http://collector:4318";
    const OTEL_EXPORTER_OTLP_HEADERS = "authorization=Basic%20c2VjcmV0,x-tenant=desk";
    const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS });
    expect(traces).toMatchObject({ sampler: "parentbased_traceidratio", ratio: 0.1, timeoutMs: 10_000 });
    expect([traces?.protocol, traces?.endpoint.href]).toEqual(["http/protobuf", "http://collector:4318/"]);
    expect(inspect(traces)).not.toContain("c2VjcmV0");
    const inFile = { OTEL_EXPORTER_OTLP_HEADERS_FILE: secretFile(`${OTEL_EXPORTER_OTLP_HEADERS}\n`) };
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...inFile }).traces?.headers?.reveal()).toBe(OTEL_EXPORTER_OTLP_HEADERS);
    const ratio = (text: string) => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: text }).traces?.ratio;
    expect(["0", "1", "0.25", "0.000001"].map(ratio)).toEqual([0, 1, 0.25, 0.000_001]);
    for (const [name, value, rule] of [
      ["OTEL_TRACES_SAMPLER", "jaeger_remote", /^OTEL_TRACES_SAMPLER: must be one of always_on/],
      ["OTEL_TRACES_SAMPLER_ARG", "1.5", /^OTEL_TRACES_SAMPLER_ARG: must be a share from 0 to 1/],
      ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /^OTEL_EXPORTER_OTLP_PROTOCOL: must be http\/protobuf or http\/json/],
      ["OTEL_EXPORTER_OTLP_TIMEOUT", "1", /^OTEL_EXPORTER_OTLP_TIMEOUT: must be a whole number/],
      ["OTEL_SERVICE_NAME", "a b", /^OTEL_SERVICE_NAME: must be 1 to 64/],
      [
        "OTEL_EXPORTER_OTLP_HEADERS",
        "no header",
        /^OTEL_EXPORTER_OTLP_HEADERS: must be comma-separated pairs such as name=value/,
      ],
      ["OTEL_EXPORTER_OTLP_HEADERS", "a=100%", /^OTEL_EXPORTER_OTLP_HEADERS: .*, with percent-encoded values$/],
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:word@collector", /^OTEL_EXPORTER_OTLP_ENDPOINT: must be an address/],
    ] as const)
      expect(mistakesOf({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })).toEqual([expect.stringMatching(rule)]);
    expect(mistakesOf({ OTEL_EXPORTER_OTLP_HEADERS })).toEqual([
      "OTEL_EXPORTER_OTLP_HEADERS: needs OTEL_EXPORTER_OTLP_ENDPOINT: nothing is exported without it",
    ]);
  });

  it("can check JWTs", () => {
    const JWT_SECRET_FILE = secretFile("j".repeat(32));
    expect(readConfig({ ...JWT, JWT_SECRET_FILE }).clients?.jwt?.keys).toEqual({ kind: "secretFile", path: JWT_SECRET_FILE });
    expect(mistakesOf({ ...JWT, JWT_SECRET_FILE: secretFile("j".repeat(31)) })).toEqual([
      "JWT_SECRET_FILE: must have at least 32 bytes",
    ]);
    // The last is what is read of bytes that are no text.
    for (const other of [`${"j".repeat(32)}\n\n`, `\ufeff${"j".repeat(32)}`, `${"j".repeat(32)} \n`, "\ufffd".repeat(32)])
      expect(mistakesOf({ ...JWT, JWT_SECRET_FILE: secretFile(other) })).toEqual([
        "JWT_SECRET_FILE: must be text in UTF-8 that neither begins nor ends with a space, a line break or a byte order mark",
      ]);
    expect(mistakesOf({ ...JWT, JWT_SECRET_FILE, JWT_SECRET: "j".repeat(32) })).toEqual([
      "JWT_SECRET_FILE: cannot be combined with JWT_SECRET: set one of the two",
    ]);
  });
});

describe("without clients", () => {
  const HOW =
    "create a token with `npm run token -- create <name> --scope read:account --file clients.json` and set CLIENTS_FILE=clients.json, or set JWT_ISSUER, JWT_AUDIENCE and one of JWT_SECRET, JWT_JWKS_FILE, JWT_JWKS_URL";
  const SANDBOX = { ...KEYS, EXCHANGE_BASE_URL: "http://127.0.0.1:4100" };

  it.each(["127.0.0.1", "127.0.0.2", "::1", "localhost"])("this machine is served: %s", (HOST) => {
    expect(mistakesOf({ HOST })).toEqual([]);
    expect(mistakesOf({ ...SANDBOX, HOST })).toEqual([]);
  });

  it.each(["0.0.0.0", "::", "10.0.0.1", "gateway.local", "127.0.0.1.example.com", "localhost.example.com"])(
    "other machines are not, and it says how they may be: %s",
    (HOST) => {
      const line = `HOST: must be 127.0.0.1, ::1 or localhost without clients, and is "${HOST}". To listen on other addresses: ${HOW}`;
      expect(mistakesOf({ HOST })).toEqual([line]);
      expect(mistakesOf({ ...SANDBOX, HOST })).toEqual([line]);
      expect(mistakesOf({ HOST, CLIENTS_FILE: "clients.json" })).toEqual([]);
    },
  );

  it("nothing is served under other names than this machine's own, unless they are listed; with clients under any", () => {
    expect(readConfig({}).hosts).toEqual([]);
    expect(readConfig({ ALLOWED_HOSTS: "desk" }).hosts).toEqual(["desk"]);
    expect(readConfig({ CLIENTS_FILE: "clients.json" }).hosts).toBeUndefined();
    expect(readConfig({ CLIENTS_FILE: "clients.json", ALLOWED_HOSTS: "desk" }).hosts).toEqual(["desk"]);
  });

  it.each([{}, { EXCHANGE_DEMO: "1" }])(
    "a real exchange is not served without clients, and the error says how to create them: %o",
    (more) => {
      const { CLIENTS_FILE: _, ...real } = { ...REAL, ...more };
      expect(mistakesOf(real)).toEqual([`EXCHANGE_BASE_URL: a real exchange requires clients: ${HOW}`]);
      expect(mistakesOf({ ...real, EXCHANGE_BASE_URL: "http://localhost:1", EXCHANGE_WS_URL: "wss://ws.example.com" })).toEqual([
        expect.stringMatching(/^EXCHANGE_BASE_URL: a real exchange/),
      ]);
      const jwt = { JWT_ISSUER: "https://id.example.com", JWT_AUDIENCE: "gateway", JWT_JWKS_FILE: "keys.json" };
      expect(mistakesOf({ ...real, ...jwt })).toEqual([]);
      expect(mistakesOf({ ...real, CLIENTS_FILE: "clients.json" })).toEqual([]);
    },
  );
});

describe("keys", () => {
  it("are sent unencrypted only on this machine", () => {
    expect(mistakesOf({ ...REAL, EXCHANGE_BASE_URL: "http://api.example.com", EXCHANGE_WS_URL: "ws://ws.example.com" })).toEqual([
      "EXCHANGE_BASE_URL: must be https:// for another machine, because keys are sent to it",
      "EXCHANGE_WS_URL: must be wss:// for another machine, because keys are sent to it",
    ]);
    expect(mistakesOf({ ...REAL, EXCHANGE_BASE_URL: "http://127.0.0.1:4100", EXCHANGE_WS_URL: "ws://[::1]:4100" })).toEqual([]);
  });
});

describe("where money may be withdrawn to", () => {
  const LISTED = [{ address: "TQ4cold", coin: "USDT", chain: "trc20" }];
  const listed = (content: unknown, mode?: number) => ({ WITHDRAW_ADDRESSES_FILE: accountsFile(content, mode) });
  const withdrawals = (env: Record<string, string>) => readConfig(env).withdrawals;

  it("is nowhere on a real exchange by default", () => {
    expect(withdrawals(REAL)).toEqual([]);
    expect(withdrawals({ ...REAL, WITHDRAW_ANYWHERE: "1" })).toBe("anywhere");
    expect(withdrawals({ ...REAL, ...listed(LISTED) })).toEqual([{ ...LISTED[0], dest: "on_chain" }]);
  });

  it.each(["http://127.0.0.1:4100", "http://localhost:4100", "http://[::1]:4100"])(
    "is anywhere on a sandbox: %s",
    (EXCHANGE_BASE_URL) => {
      expect(withdrawals({ ...REAL, EXCHANGE_BASE_URL })).toBe("anywhere");
      expect(withdrawals({ ...REAL, EXCHANGE_BASE_URL, ...listed([]) })).toEqual([]);
    },
  );

  it.each(["https://127.0.0.1.example.com", "https://localhost.example.com", "https://10.0.0.1"])(
    "is nowhere on other machines: %s",
    (EXCHANGE_BASE_URL) => expect(withdrawals({ ...REAL, EXCHANGE_BASE_URL })).toEqual([]),
  );

  it("is a list that others may read and not change", () => {
    expect(mistakesOf({ ...REAL, ...listed(LISTED, 0o644) })).toEqual([]);
    for (const mode of [0o664, 0o646]) {
      const env = listed(LISTED, mode);
      expect(mistakesOf({ ...REAL, ...env })).toEqual([
        `WITHDRAW_ADDRESSES_FILE: can be changed by other users (mode ${mode.toString(8)}): run chmod go-w ${env.WITHDRAW_ADDRESSES_FILE}`,
      ]);
    }
  });

  it.each([
    ["no list", {}, "must be a list of {address, tag?, dest?, account?, coin?, chain?}"],
    ["an entry without an address", [{ coin: "BTC" }], "[0].address must be text"],
    ["an empty address", [{ address: "" }], "[0].address must not be empty"],
    ["an unknown destination", [{ address: "T", dest: "moon" }], "[0].dest must be on_chain or internal_transfer"],
    ["a misspelt bound", [{ address: "T", coins: "BTC" }], "[0] must not have coins"],
  ])("is refused with what is wrong: %s", (_, content, line) => {
    expect(mistakesOf({ ...REAL, ...listed(content) })).toEqual([`WITHDRAW_ADDRESSES_FILE: ${line}`]);
  });

  it("is not both a list and anywhere", () => {
    expect(mistakesOf({ ...REAL, ...listed(LISTED), WITHDRAW_ANYWHERE: "1" })).toEqual([
      "WITHDRAW_ANYWHERE: cannot be combined with WITHDRAW_ADDRESSES_FILE: set one of the two",
    ]);
  });
});

describe("the file of the audit", () => {
  it("may be missing, and is refused when others can read it", () => {
    expect(mistakesOf({ AUDIT_LOG: join(folder, "not-yet.log") })).toEqual([]);
    const AUDIT_LOG = accountsFile("", 0o644);
    expect(mistakesOf({ AUDIT_LOG })).toEqual([`AUDIT_LOG: is open to other users (mode 644): run chmod 600 ${AUDIT_LOG}`]);
    expect(mistakesOf({ AUDIT_LOG: accountsFile("", 0o600) })).toEqual([]);
    const missing = join(folder, "missing");
    expect(mistakesOf({ AUDIT_LOG: join(missing, "audit.log") })).toEqual([`AUDIT_LOG: there is no folder ${missing}`]);
    expect(mistakesOf({ AUDIT_LOG: folder })).toEqual(["AUDIT_LOG: must be a file, and is a folder"]);
  });
});

/** A valid and an invalid value of each secret. */
const EXAMPLES: Readonly<Record<keyof typeof SECRETS, { readonly right: string; readonly wrong: string }>> = {
  EXCHANGE_API_KEY: { right: "the-secret", wrong: "the-secret with a space" },
  EXCHANGE_API_SECRET: { right: "the-secret", wrong: "the-secret with a space" },
  EXCHANGE_API_PASSPHRASE: { right: "the-secret", wrong: "the-secret with a space" },
  JWT_SECRET: { right: "the-secret".repeat(4), wrong: "the-secret" },
  DATABASE_URL: { right: "postgres://gate:the-secret@db/eg", wrong: "mysql://gate:the-secret@db/eg" },
  REDIS_URL: { right: "redis://gate:the-secret@redis", wrong: "http://gate:the-secret@redis" },
  CACHE_URL: { right: "redis://gate:the-secret@redis", wrong: "mysql://gate:the-secret@db/eg" },
  OTEL_EXPORTER_OTLP_HEADERS: { right: "authorization=the-secret", wrong: "authorization: the-secret" },
};

describe("secrets", () => {
  const hidden = ["the-key", "the-secret", "thephrase"];

  it("are not shown by the configuration itself", () => {
    const config = readConfig(REAL);
    for (const text of [JSON.stringify(config), inspect(config, { depth: null })])
      for (const secret of hidden) expect(text).not.toContain(secret);
  });

  it.each([
    { ...KEYS, PORT: "x" },
    { ...REAL, EXCHANGE_API_SECRET: "the-secret with a space" },
    { ...REAL, EXCHANGE_BASE_URL: "https://user:the-secret@api.example.com" },
    withFile('[{"name": "desk", "apiSecret": the-secret}]'),
    withFile([{ ...ACCOUNT, apiSecret: "the-secret with a space" }]),
  ])("are not shown by a mistake", (env) => {
    const mistakes = mistakesOf(env);
    expect(mistakes).not.toEqual([]);
    for (const secret of hidden) expect(mistakes.join("\n")).not.toContain(secret);
  });

  it.each(Object.entries(EXAMPLES))("are not shown by a mistake in %s or in the name of its file", (name, { wrong }) => {
    for (const variable of [name, `${name}_FILE`]) {
      const mistakes = mistakesOf({ [variable]: wrong }).filter((text) => text.startsWith(`${variable}: `));
      expect(mistakes).not.toEqual([]);
      expect(mistakes.join("\n")).not.toContain("the-secret");
    }
  });

  it.each(Object.entries(EXAMPLES))("are not shown by the list of effective settings: %s", (name, { right }) => {
    expect(effectiveSettings({ [name]: right })).toContain(`${name}=(hidden)`);
  });
});

it("the process's environment forgets the secrets, and nothing else", () => {
  const variables: Record<string, string | undefined> = { ...KEYS, JWT_SECRET: "j".repeat(32), PORT: "4000", PATH: "/bin" };
  variables.DATABASE_URL = "postgres://gate:p4ssw0rd@db/eg";
  variables.REDIS_URL = "redis://gate:p4ssw0rd@redis";
  variables.CACHE_URL = "redis://gate:p4ssw0rd@redis";
  forgetSecrets(variables);
  expect(variables).toEqual({ PORT: "4000", PATH: "/bin" });
});

describe("a .env file", () => {
  const dotenv = (content: string, mode: number): string => {
    const path = join(folder, `dotenv-${files++}`);
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  };

  it("is overridden by the environment of the process", () => {
    const file = dotenv("PORT=5000\nLOG_LEVEL=debug\n", 0o644);
    expect(readEnvironment({ PORT: "6000" }, file)).toEqual({
      variables: { PORT: "6000", LOG_LEVEL: "debug" },
      mistakes: [],
    });
  });

  it("is not overridden by an empty variable, which counts as not set", () => {
    expect(readEnvironment({ PORT: "" }, dotenv("PORT=5000\n", 0o644)).variables).toEqual({ PORT: "5000" });
  });

  it("may be missing", () => {
    expect(readEnvironment({ PORT: "6000" }, join(folder, "no.env")).variables).toEqual({ PORT: "6000" });
  });

  it("may begin with a byte order mark and end its lines as Windows does", () => {
    expect(readEnvironment({}, dotenv("\uFEFFPORT=5000\r\nLOG_LEVEL=debug\r\n", 0o644))).toEqual({
      variables: { PORT: "5000", LOG_LEVEL: "debug" },
      mistakes: [],
    });
  });

  it("that cannot be read is named", () => {
    expect(() => readEnvironment({}, folder)).toThrow(`${folder}: cannot be read: EISDIR`);
  });

  it("with keys in it is read if only its owner can read it", () => {
    const { variables } = readEnvironment({}, dotenv("EXCHANGE_API_KEY=the-key\n", 0o600));
    expect(variables).toEqual({ EXCHANGE_API_KEY: "the-key" });
  });

  it("with keys in it is refused if others can read it", () => {
    const file = dotenv("EXCHANGE_API_KEY=the-key\n", 0o644);
    expect(() => readEnvironment({}, file)).toThrow(`${file}: is open to other users (mode 644): run chmod 600 ${file}`);
  });
});

describe("an unknown variable", () => {
  const mistakesIn = (variables: Record<string, string>, dotenv = "") => {
    const file = join(folder, `dotenv-${files++}`);
    writeFileSync(file, dotenv, { mode: 0o600 });
    return readEnvironment(variables, file).mistakes.map((line) => line.replace(file, ".env"));
  };

  it.each([
    ["EXCHANGE_BASEURL", "EXCHANGE_BASE_URL"],
    ["EXCHANGE_APIKEY", "EXCHANGE_API_KEY"],
    ["JWT_JWKS_FIEL", "JWT_JWKS_FILE"],
    ["CLIENT_FILE", "CLIENTS_FILE"],
    ["CLIENTS_SOCKETS", "CLIENT_SOCKETS"],
    ["MAX_NODE", "MAX_NODES"],
    ["CORS_ORIGIN", "CORS_ORIGINS"],
    ["ALLOWED_HOST", "ALLOWED_HOSTS"],
    ["SHUTDOWN_TIMEOUT", "SHUTDOWN_TIMEOUT_MS"],
    ["EXCHNAGE_BASE_URL", "EXCHANGE_BASE_URL"],
    ["KEEPALIVE_TIMEOUT_MS", "KEEP_ALIVE_TIMEOUT_MS"],
    ["exchange_base_url", "EXCHANGE_BASE_URL"],
    ["REDIS_ULR", "REDIS_URL"],
    ["PROT", "PORT"],
    ["HOTS", "HOST"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["DATABASE_URLS", "DATABASE_URL"],
    ["DATABASE_UR", "DATABASE_URL"],
    ["DETABASE_URL", "DATABASE_URL"],
    ["CALLERS_FILE", "CLIENTS_FILE"],
    ["CALLER_SOCKETS", "CLIENT_SOCKETS"],
    ["CALLER_OPERATIONS_PER_MINUTE", "CLIENT_OPERATIONS_PER_MINUTE"],
    ["CALLER_UPSTREAM_CALLS_PER_MINUTE", "CLIENT_UPSTREAM_CALLS_PER_MINUTE"],
  ])("is refused in the environment where its name is near enough to ours: %s", (name, meant) => {
    expect(mistakesIn({ [name]: "x" })).toEqual([`${name}: is not a setting. Did you mean ${meant}?`]);
  });

  it("gets no suggestion if no setting is similar", () => {
    expect(mistakesIn({ EXCHANGE_PREFERRED_MOON_PHASE: "x" })).toEqual(["EXCHANGE_PREFERRED_MOON_PHASE: is not a setting"]);
  });

  it("passes in the environment if it may belong to another program, or is empty", () => {
    const foreign = [
      "PATH",
      "HOME",
      "HOSTNAME",
      "LOGNAME",
      "SSL_CERT_FILE",
      "LOG_FORMAT",
      "CACHE_DIR",
      "REQUEST_TIMEOUT",
      "NODE_ENV",
    ];
    const ofAService = ["EXCHANGE_GRAPH_SERVICE_HOST", "EXCHANGE_GRAPH_SERVICE_PORT_HTTP", "EXCHANGE_GRAPH_PORT"];
    const ofALink = ["EXCHANGE_GRAPH_PORT_4000_TCP", "EXCHANGE_GRAPH_PORT_4000_TCP_ADDR"];
    const variables = Object.fromEntries([...foreign, ...ofAService, ...ofALink].map((name) => [name, "x"]));
    expect(mistakesIn({ ...variables, EXCHANGE_BASEURL: "" })).toEqual([]);
  });

  it("is refused in .env under any name", () => {
    expect(mistakesIn({}, "LOGLEVEL=debug\nPATH=/bin\nPORT=5000\nEMPTY=\n")).toEqual([
      "LOGLEVEL: is not a setting in .env. Did you mean LOG_LEVEL?",
      "PATH: is not a setting in .env",
    ]);
  });

  it("is reported together with every other mistake", () => {
    expect(() => readConfig({ PORT: "x" }, ["MAX_NODE: is not a setting"])).toThrow(/^MAX_NODE: is not a setting\nPORT: must be/);
  });

  it("has a beginning that a setting has too", () => {
    for (const prefix of OWN_PREFIXES) expect(VARIABLES.some((name) => name.startsWith(prefix))).toBe(true);
  });
});
