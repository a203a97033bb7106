import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@exchange-graph/contract/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfiguredClients, NO_CLIENTS } from "../../src/access/clients.js";
import { BAD_TOKEN, NO_TOKEN, RIGHTS_CHANGED } from "../../src/access/principal/bearer.js";
import { ClientPrincipal } from "../../src/access/principal/clientPrincipal.js";
import { tokenCommand } from "../../src/access/tokens/tokenCommand.js";
import { MemoryTokens } from "../../src/access/tokens/tokenStore.js";
import { type Fault, Secret } from "../../src/datasources/index.js";
import { WatchedFiles } from "../../src/files/watchedFiles.js";
import { listen } from "../../src/instrumentation/instrumentation.js";
import { eventually } from "../support/eventually.js";
import { ownInstrumentation } from "../support/searchedTelemetry.js";
import { AUDIENCE, type Claims, ISSUER, jwtIssuer, signedWith } from "./support/jwtIssuer.js";

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const SECRET = "a secret of more than thirty-two bytes";

let clock: ManualClock;
let folder: string;
let path: string;
let clients: ConfiguredClients | undefined;
let failures: string[];

beforeEach(() => {
  clock = new ManualClock(NOW);
  folder = mkdtempSync(join(tmpdir(), "clients-"));
  path = join(folder, "clients.json");
  failures = [];
});
afterEach(() => {
  clients?.close();
  clients = undefined;
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]): string => tokenCommand(args, path, clock).out.trim();
const report = (message: string): void => {
  failures.push(message);
};
const parts = () => {
  const instrumentation = ownInstrumentation();
  listen(instrumentation, instrumentation.fileChange, ({ setting, mistakes }) => {
    if (mistakes !== undefined) report(`${setting}: ${mistakes.join("; ")}`);
  });
  const files = new WatchedFiles(clock, instrumentation);
  return { clock, files, report };
};

function open(): ConfiguredClients {
  clients = new ConfiguredClients({ tokensPath: path, jwt: undefined }, parts());
  return clients;
}

const JWT_SETTINGS = {
  keys: { kind: "secret", secret: new Secret(SECRET) } as const,
  issuer: ISSUER,
  audience: AUDIENCE,
  clockToleranceMs: 0,
  accountsClaim: "accounts",
};

/** Clients with JWTs signed by a shared secret, without a file of tokens. */
function openForJwts(): ConfiguredClients {
  clients = new ConfiguredClients({ tokensPath: undefined, jwt: JWT_SETTINGS }, parts());
  return clients;
}

/** Watches a connection of this token; the returned list receives the reasons for which it was ended. */
async function watched(of: ConfiguredClients, token: string): Promise<Fault[]> {
  const ends: Fault[] = [];
  const principal = await of.identify(token);
  if (!(principal instanceof ClientPrincipal)) throw principal;
  of.watch(token, principal, (why) => ends.push(why));
  return ends;
}

describe("unknown", () => {
  const WITHOUT_TOKEN = "must be token:<id> or jwt:<subject>: every request needs a token";

  it("names the rule for a principal that no client has, by the tokens of now", async () => {
    run("create", "desk", "--scope", "trade");
    const id = /([0-9a-f]{12})\s+desk\s/.exec(run("list"))?.[1] ?? "none";
    const running = open();
    expect(running.unknown(`token:${id}`)).toBeUndefined();
    expect(running.unknown("token:desk")).toBe(`must be token:${id}, the id of the token with this name`);
    expect(running.unknown("token:nobody")).toBe("must be the id of a token in CLIENTS_FILE");
    expect(running.unknown("jwt:desk")).toBe("must be token:<id>: no JWTs are configured");
    expect(running.unknown("anyone")).toBe(WITHOUT_TOKEN);
    run("revoke", "desk");
    await running.look();
    expect(running.unknown(`token:${id}`)).toBe("must be the id of a token in CLIENTS_FILE");
  });

  it("allows every subject of a JWT where those are configured, and anyone where no clients are", () => {
    const jwts = openForJwts();
    expect([jwts.unknown("jwt:whoever"), jwts.unknown("anyone")]).toEqual([undefined, WITHOUT_TOKEN]);
    expect(NO_CLIENTS.unknown("anyone")).toBeUndefined();
    expect(NO_CLIENTS.unknown("token:desk")).toBe("must be anyone: no clients are configured");
  });

  it("is asked again when the tokens of the file have changed", async () => {
    run("create", "desk", "--scope", "trade");
    let changes = 0;
    clients = new ConfiguredClients({ tokensPath: path, jwt: undefined }, { ...parts(), changed: () => changes++ });
    await clients.look();
    const before = changes;
    run("create", "other", "--scope", "trade");
    await clients.look();
    expect(changes).toBe(before + 1);
    rmSync(path);
    await clients.look();
    expect(changes).toBe(before + 2);
  });
});

describe("identify", () => {
  it("finds a client by its token synchronously, always as the same object", () => {
    const token = run("create", "desk", "--scope", "trade=main");
    const known = open().identify(token);
    expect(known).toMatchObject({ name: "desk", rights: { grants: { trade: ["main"] } } });
    expect(clients?.identify(token)).toBe(known);
  });

  it("reports a missing or an invalid token without further detail", () => {
    const token = run("create", "desk", "--scope", "trade");
    expect(open().identify(undefined)).toBe(NO_TOKEN);
    for (const wrong of ["", "exgt_", `${token}x`, "exgt_".padEnd(48, "A"), "a.b.c"])
      expect(clients?.identify(wrong)).toBe(BAD_TOKEN);
  });

  it("finds a client by a JWT, which is verified once and then found synchronously", async () => {
    const token = await signedWith(SECRET, {}, NOW);
    const first = openForJwts().identify(token);
    expect(first).toBeInstanceOf(Promise);
    expect(clients?.identify(token)).toBeInstanceOf(Promise);
    const principal = await first;
    expect(principal).toMatchObject({ id: "jwt:desk" });
    await clients?.identify(token);
    expect(clients?.identify(token)).toBeInstanceOf(ClientPrincipal);
  });

  it("rejects a token once it has expired, also after earlier use", () => {
    const token = run("create", "desk", "--scope", "trade", "--expires", "1h");
    const running = open();
    expect(running.identify(token)).toBeInstanceOf(ClientPrincipal);
    clock.advance(HOUR_MS - 1);
    expect(running.identify(token)).toBeInstanceOf(ClientPrincipal);
    clock.advance(1);
    expect(running.identify(token)).toBe(BAD_TOKEN);
  });

  it("rejects a JWT once it has expired, also after earlier use", async () => {
    const token = await signedWith(SECRET, { exp: (NOW + HOUR_MS) / 1_000 }, NOW);
    const running = openForJwts();
    await running.identify(token);
    clock.advance(HOUR_MS - 1);
    expect(running.identify(token)).toBeInstanceOf(ClientPrincipal);
    clock.advance(1);
    expect(running.identify(token)).toBe(BAD_TOKEN);
  });
});

describe("the file of tokens", () => {
  it("is read again when it changes, while the gateway runs", async () => {
    const first = run("create", "first", "--scope", "trade");
    const running = open();
    await running.look();
    expect(running.identify(first)).toBeInstanceOf(ClientPrincipal);
    const second = run("create", "second", "--scope", "trade");
    run("revoke", "first");
    clock.advance(1_000);
    await expect.poll(() => running.identify(second)).toBeInstanceOf(ClientPrincipal);
    expect(running.identify(first)).toBe(BAD_TOKEN);
    expect(failures).toEqual([]);
  });

  it("that becomes unreadable leaves the known tokens valid, and the error is reported", async () => {
    const token = run("create", "desk", "--scope", "trade");
    const running = open();
    await running.look();
    writeFileSync(path, "{");
    await running.look();
    chmodSync(path, 0o666);
    await running.look();
    expect(running.identify(token)).toBeInstanceOf(ClientPrincipal);
    expect(failures).toEqual(["CLIENTS_FILE: is not valid JSON", expect.stringContaining("chmod go-w")]);
  });

  it("that is deleted makes every token invalid", async () => {
    const token = run("create", "desk", "--scope", "trade");
    const running = open();
    rmSync(path);
    await running.look();
    expect(running.identify(token)).toBe(BAD_TOKEN);
    expect(failures).toEqual(["CLIENTS_FILE: is missing: every token is refused"]);
  });

  it("that cannot be read at the start prevents the start", () => {
    expect(open).toThrow(`CLIENTS_FILE: ${path}: cannot be read: ENOENT`);
  });
});

describe("a connection", () => {
  it("ends when its token is revoked, and no other one does", async () => {
    const first = run("create", "first", "--scope", "trade");
    const second = run("create", "second", "--scope", "trade");
    const running = open();
    await running.look();
    const [firsts, seconds] = [await watched(running, first), await watched(running, second)];
    run("revoke", "first");
    await running.look();
    expect(firsts).toEqual([BAD_TOKEN]);
    expect(seconds).toEqual([]);
  });

  it("ends when its token's rights change", async () => {
    const token = run("create", "desk", "--scope", "trade=main");
    const running = open();
    const ends = await watched(running, token);
    writeFileSync(path, readFileSync(path, "utf8").replace('"main"', '"classic"'));
    await running.look();
    expect(ends).toEqual([RIGHTS_CHANGED]);
  });

  it("ends when its token expires", async () => {
    const token = run("create", "desk", "--scope", "trade", "--expires", "1h");
    const ends = await watched(open(), token);
    clock.advance(HOUR_MS - 1);
    expect(ends).toEqual([]);
    clock.advance(1);
    expect(ends).toEqual([BAD_TOKEN]);
  });

  it("ends when its JWT expires", async () => {
    const ends = await watched(openForJwts(), await signedWith(SECRET, { exp: (NOW + 90_000) / 1_000 }, NOW));
    clock.advance(89_999);
    expect(ends).toEqual([]);
    clock.advance(1);
    await expect.poll(() => ends).toEqual([BAD_TOKEN]);
  });

  it("ends when the key that signed its JWT is taken out of the issuer's file", async () => {
    const issuer = await jwtIssuer(() => NOW);
    writeFileSync(path, JSON.stringify(issuer.keySet));
    const keys = { kind: "file", path } as const;
    const jwt = { keys, issuer: ISSUER, audience: AUDIENCE, clockToleranceMs: 0, accountsClaim: "accounts" };
    clients = new ConfiguredClients({ tokensPath: undefined, jwt }, parts());
    const ends = await watched(clients, await issuer.sign({}));
    writeFileSync(path, JSON.stringify({ keys: [] }));
    clock.advance(1_000);
    await expect.poll(() => ends).toEqual([BAD_TOKEN]);
  });

  it("ends when the shared secret that signed its JWT is replaced in its file", async () => {
    const jwtOf = (secret: string) => signedWith(secret, {}, NOW);
    writeFileSync(path, `${SECRET}\n`, { mode: 0o600 });
    const keys = { kind: "secretFile", path } as const;
    const jwt = { keys, issuer: ISSUER, audience: AUDIENCE, clockToleranceMs: 0, accountsClaim: "accounts" };
    clients = new ConfiguredClients({ tokensPath: undefined, jwt }, parts());
    const ends = await watched(clients, await jwtOf(SECRET));
    const next = "another secret of more than thirty-two bytes";
    expect(await clients.identify(await jwtOf(next))).toBe(BAD_TOKEN);
    writeFileSync(path, next, { mode: 0o600 });
    clock.advance(1_000);
    await expect.poll(() => ends).toEqual([BAD_TOKEN]);
    expect(await clients.identify(await jwtOf(next))).toBeInstanceOf(ClientPrincipal);
    expect(failures).toEqual([]);
  });

  it("that is no longer watched is not ended, and leaves nothing behind", async () => {
    const token = run("create", "desk", "--scope", "trade");
    const running = open();
    const before = clock.pending;
    const principal = await running.identify(token);
    if (!(principal instanceof ClientPrincipal)) throw principal;
    const ends: Fault[] = [];
    const leave = running.watch(token, principal, (why) => ends.push(why));
    leave();
    expect(clock.pending).toBe(before);
    run("revoke", "desk");
    await running.look();
    expect(ends).toEqual([]);
  });
});

it("a token that one replica's file loses is refused by the others at once, in spite of their files, until it is added again", async () => {
  const token = run("create", "desk", "--scope", "read:account");
  const full = readFileSync(path, "utf8");
  const elsewhere = join(folder, "elsewhere.json");
  writeFileSync(elsewhere, full, { mode: 0o600 });
  const tokens = new MemoryTokens(clock);
  const here = new ConfiguredClients({ tokensPath: path, jwt: undefined }, { ...parts(), tokens });
  const there = new ConfiguredClients({ tokensPath: elsewhere, jwt: undefined }, { ...parts(), tokens });
  await here.look();
  await there.look();
  const principal = there.identify(token);
  expect(principal).toBeInstanceOf(ClientPrincipal);
  const ended: Fault[] = [];
  if (principal instanceof ClientPrincipal) there.watch(token, principal, (why) => ended.push(why));
  writeFileSync(path, JSON.stringify({ tokens: [] }));
  await here.look();
  expect([there.identify(token), ended]).toEqual([BAD_TOKEN, [BAD_TOKEN]]);
  rmSync(path);
  await here.look();
  writeFileSync(path, full, { mode: 0o600 });
  await here.look();
  expect(there.identify(token)).toBeInstanceOf(ClientPrincipal);
  for (const one of [here, there]) one.close();
});

it("a file of tokens that is out of reach takes nothing back at other replicas", async () => {
  const token = run("create", "desk", "--scope", "read:account");
  const elsewhere = join(folder, "elsewhere.json");
  writeFileSync(elsewhere, readFileSync(path), { mode: 0o600 });
  const tokens = new MemoryTokens(clock);
  const here = new ConfiguredClients({ tokensPath: path, jwt: undefined }, { ...parts(), tokens });
  const there = new ConfiguredClients({ tokensPath: elsewhere, jwt: undefined }, { ...parts(), tokens });
  await here.look();
  rmSync(path);
  await here.look();
  expect([here.identify(token), there.identify(token)]).toEqual([BAD_TOKEN, expect.any(ClientPrincipal)]);
  for (const one of [here, there]) one.close();
});

it("a JWT is refused on all replicas once one's file denies it, by its id or its subject, open connections included", async () => {
  const jwt = JWT_SETTINGS;
  writeFileSync(path, JSON.stringify({ tokens: [] }), { mode: 0o600 });
  const tokens = new MemoryTokens(clock);
  const here = new ConfiguredClients({ tokensPath: path, jwt }, { ...parts(), tokens });
  const there = new ConfiguredClients({ tokensPath: undefined, jwt }, { ...parts(), tokens });
  const seconds = NOW / 1_000;
  const issued = (claims: Claims) => signedWith(SECRET, { iat: seconds - 60, ...claims }, NOW);
  const [one, other, old, fresh] = [
    await issued({ jti: "one" }),
    await issued({ jti: "other" }),
    await issued({ sub: "thief" }),
    await issued({ sub: "thief", iat: seconds }),
  ];
  const ends = await Promise.all(
    [here, there].flatMap((replica) => [one, other, old, fresh].map((token) => watched(replica, token))),
  );
  run("revoke", "--jti", "one", "--expires", "12h");
  run("revoke", "--subject", "thief", "--expires", new Date(NOW + HOUR_MS).toISOString());
  await here.look();
  const [refused, good] = [[BAD_TOKEN], []];
  await eventually(() => ends.flat().length === 4);
  expect(ends).toEqual([refused, good, refused, good, refused, good, refused, good]);
  for (const replica of [here, there]) {
    expect(await replica.identify(one)).toBe(BAD_TOKEN);
    expect(await replica.identify(old)).toBe(BAD_TOKEN);
    expect(await replica.identify(other)).toBeInstanceOf(ClientPrincipal);
    expect(await replica.identify(fresh)).toBeInstanceOf(ClientPrincipal);
  }
  // A gateway that starts with this file rejects both tokens from its first request on.
  const later = new ConfiguredClients({ tokensPath: path, jwt }, parts());
  expect([await later.identify(one), await later.identify(old)]).toEqual([BAD_TOKEN, BAD_TOKEN]);
  for (const replica of [here, there, later]) replica.close();
});
