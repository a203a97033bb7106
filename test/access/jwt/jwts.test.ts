import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@exchange-graph/contract/clock";
import { exportSPKI, importJWK } from "jose";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Jwts } from "../../../src/access/jwt/jwts.js";
import { BAD_TOKEN, KEYS_MISSING } from "../../../src/access/principal/bearer.js";
import { ClientPrincipal } from "../../../src/access/principal/clientPrincipal.js";
import type { JwtKeys } from "../../../src/config/clientSettings.js";
import { Secret } from "../../../src/datasources/index.js";
import { WatchedFiles } from "../../../src/files/watchedFiles.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { ownInstrumentation } from "../../support/searchedTelemetry.js";
import { AUDIENCE, type Claims, claimsOf, ISSUER, type JwtIssuer, jwtIssuer, signedWith } from "../support/jwtIssuer.js";

const NOW = Date.UTC(2026, 10, 21, 12);
const NOW_S = NOW / 1_000;
const TOLERANCE_MS = 30_000;
const SECRET = "a secret of more than thirty-two bytes";

const clock = new ManualClock(NOW);
let issuer: JwtIssuer;
let folder: string;
let open: Jwts[] = [];

beforeAll(async () => {
  issuer = await jwtIssuer(() => NOW);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jwks-"));
});
afterEach(() => {
  for (const jwts of open) jwts.close();
  open = [];
  rmSync(folder, { recursive: true });
});

function jwtsWith(keys: JwtKeys, failures: unknown[] = []): Jwts {
  const settings = { keys, issuer: ISSUER, audience: AUDIENCE, clockToleranceMs: TOLERANCE_MS, accountsClaim: "accounts" };
  const instrumentation = ownInstrumentation();
  listen(instrumentation, instrumentation.fileChange, ({ setting, mistakes }) => {
    if (mistakes !== undefined) failures.push([`${setting}: ${mistakes.join("; ")}`]);
  });
  const files = new WatchedFiles(clock, instrumentation);
  const jwts = new Jwts(settings, {
    clock,
    files,
    isDenied: () => false,
    changed: () => undefined,
    failed: (...failure) => failures.push(failure),
  });
  open.push(jwts);
  return jwts;
}

function fromFile(keySet: object = issuer.keySet): Jwts {
  const path = join(folder, "keys.json");
  writeFileSync(path, JSON.stringify(keySet), { mode: 0o600 });
  return jwtsWith({ kind: "file", path });
}

const withSecret = (): Jwts => jwtsWith({ kind: "secret", secret: new Secret(SECRET) });

describe("a JWT", () => {
  it("is a client with the scopes and accounts of its claims", async () => {
    const principal = await fromFile().verify(
      await issuer.sign({ scope: "read:market trade openid", accounts: ["main"], weight: 7 }),
    );
    expect(principal).toBeInstanceOf(ClientPrincipal);
    expect(principal).toMatchObject({
      id: "jwt:desk",
      name: "desk",
      weight: 7,
      expiresAt: NOW + 300_000 + TOLERANCE_MS,
      rights: { grants: { "read:market": "*", trade: ["main"] } },
    });
  });

  it.each<[string, Claims, object]>([
    ["all accounts", { accounts: "*" }, { "read:market": "*", "read:account": "*" }],
    ["no claim about accounts", { accounts: null }, { "read:market": "*" }],
    [
      "accounts by scope",
      { accounts: { "read:account": ["classic"], trade: "*" } },
      { "read:market": "*", "read:account": ["classic"] },
    ],
    ["no scopes", { scope: null }, {}],
  ])("says for which accounts it is good: %s", async (_, claims, grants) => {
    expect(await fromFile().verify(await issuer.sign(claims))).toMatchObject({ rights: { grants } });
  });

  it.each<[string, Claims]>([
    ["has expired", { exp: NOW_S - 31 }],
    ["is not valid yet", { nbf: NOW_S + 31 }],
    ["never expires", { exp: null }],
    ["expires after the end of days", { exp: 1e300 }],
    ["is of another issuer", { iss: "https://other.example" }],
    ["names no issuer", { iss: null }],
    ["is for another audience", { aud: "another" }],
    ["has no audience", { aud: null }],
    ["has no subject", { sub: null }],
    ["has an empty subject", { sub: "" }],
    ["has accounts that are none", { accounts: 7 }],
    ["has a weight that is none", { weight: 0 }],
    ["has scopes that are no text", { scope: ["trade"] }],
  ])("is not accepted if it %s", async (_, claims) => {
    expect(await fromFile().verify(await issuer.sign(claims))).toBe(BAD_TOKEN);
    expect(await withSecret().verify(await signedWith(SECRET, claims, NOW))).toBe(BAD_TOKEN);
  });

  it.each<[string, Claims]>([
    ["has expired", { exp: NOW_S - 29 }],
    ["is not valid yet", { nbf: NOW_S + 29 }],
  ])("may have been written by a clock that is a little wrong: it %s", async (_, claims) => {
    expect(await fromFile().verify(await issuer.sign(claims))).toBeInstanceOf(ClientPrincipal);
  });

  it("is not accepted without its issuer's signature", async () => {
    const jwts = fromFile();
    const stranger = await jwtIssuer(() => NOW);
    const good = await issuer.sign({});
    const [header, , signature] = good.split(".");
    const forged = [header, Buffer.from(JSON.stringify(claimsOf({ sub: "root" }, NOW))).toString("base64url"), signature].join(
      ".",
    );
    for (const token of [await stranger.sign({}), forged, good.slice(0, -4), `${good}x`, "a.b.c", "", "x".repeat(9_000)])
      expect(await jwts.verify(token)).toBe(BAD_TOKEN);
  });
});

describe("the algorithm of a JWT", () => {
  it("cannot be none", async () => {
    const header = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    const claims = Buffer.from(JSON.stringify(claimsOf({}, NOW))).toString("base64url");
    for (const jwts of [fromFile(), withSecret()]) expect(await jwts.verify(`${header}.${claims}.`)).toBe(BAD_TOKEN);
  });

  it("cannot use a public key as a shared secret", async () => {
    const rsa = await jwtIssuer(() => NOW, "RS256");
    const [jwk] = rsa.keySet.keys;
    if (jwk === undefined) throw new Error("no key");
    const jwts = fromFile(rsa.keySet);
    expect(await jwts.verify(await rsa.sign({}))).toBeInstanceOf(ClientPrincipal);
    const key = await importJWK(jwk, "RS256", { extractable: true });
    if (key instanceof Uint8Array) throw new Error("not a public key");
    for (const known of [await exportSPKI(key), JSON.stringify(jwk), jwk.n ?? ""])
      expect(await jwts.verify(await signedWith(known, {}, NOW))).toBe(BAD_TOKEN);
  });

  it("is not accepted from a shared secret among the public keys", async () => {
    const shared = { kty: "oct", k: Buffer.from(SECRET).toString("base64url"), alg: "HS256", kid: "shared" };
    expect(await fromFile({ keys: [shared] }).verify(await signedWith(SECRET, {}, NOW))).toBe(BAD_TOKEN);
  });

  it("must be HS256 under a shared secret", async () => {
    expect(await withSecret().verify(await signedWith(SECRET, {}, NOW))).toBeInstanceOf(ClientPrincipal);
    const long = SECRET.repeat(4);
    const jwts = jwtsWith({ kind: "secret", secret: new Secret(long) });
    expect(await jwts.verify(await signedWith(long, {}, NOW, "HS512"))).toBe(BAD_TOKEN);
    expect(await jwts.verify(await issuer.sign({}))).toBe(BAD_TOKEN);
  });
});

describe("a file of keys", () => {
  it.each<[string, object, string]>([
    ["private", { d: "AQ" }, "must be a public key, and is a private one"],
    ["too short", { n: "!" }, "must be an RSA key of at least 2048 bits"],
    ["without its modulus", { n: undefined }, "must be a public key, and cannot be read as one"],
  ])("with a key that is %s is not taken into use: the former keys stay in effect", async (_, part, mistake) => {
    const rsa = await jwtIssuer(() => NOW, "RS256");
    const failures: unknown[] = [];
    const path = join(folder, "keys.json");
    writeFileSync(path, JSON.stringify(rsa.keySet), { mode: 0o600 });
    const jwts = jwtsWith({ kind: "file", path }, failures);
    const [key] = rsa.keySet.keys;
    writeFileSync(
      path,
      JSON.stringify({
        keys: [
          { kty: "oct", k: "AQ" },
          { ...key, ...part },
        ],
      }),
    );
    clock.advance(1_000);
    await expect.poll(() => failures).toEqual([[`JWT_JWKS_FILE: .keys[1] ${mistake}`]]);
    expect(await jwts.verify(await rsa.sign({}))).toBeInstanceOf(ClientPrincipal);
    expect(() => jwtsWith({ kind: "file", path })).toThrow(`JWT_JWKS_FILE: ${path}: .keys[1] ${mistake}`);
  });
});

describe("a token in another form", () => {
  it.each<[string, (token: string) => string]>([
    ["padding", (token) => `${token}=`],
    ["more padding", (token) => `${token}==`],
    ["padding within", (token) => token.replace(".", "=.")],
    ["the other alphabet", (token) => `${token}+/`],
    ["a last character that means the same", (token) => token.slice(0, -1) + sameBits(token.at(-1) ?? "")],
    ["a space", (token) => `${token} `],
  ])("is refused in spite of lenient decoders: %s", async (_what, changed) => {
    const jwts = withSecret();
    const token = await signedWith(SECRET, {}, NOW);
    expect(await jwts.verify(token)).toBeInstanceOf(ClientPrincipal);
    expect(await jwts.verify(changed(token))).toBe(BAD_TOKEN);
  });
});

/** In base64url, only four bits of the last character of 32 bytes are significant. */
function sameBits(last: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet.charAt(alphabet.indexOf(last) ^ 1);
}

describe("keys at an address", () => {
  async function served(answer: () => string | undefined) {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked++;
      const body = answer();
      response.writeHead(body === undefined ? 500 : 200, { "content-type": "application/json" }).end(body);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    return { url: new URL(`http://127.0.0.1:${port}/keys`), asked: () => asked, close: () => server.close() };
  }

  it("are fetched once, however many tokens come", async () => {
    const keys = await served(() => JSON.stringify(issuer.keySet));
    const jwts = jwtsWith({ kind: "url", url: keys.url });
    const tokens = await Promise.all([issuer.sign({}), issuer.sign({ sub: "other" }), issuer.sign({ sub: "third" })]);
    expect((await Promise.all(tokens.map((token) => jwts.verify(token)))).every((one) => one instanceof ClientPrincipal)).toBe(
      true,
    );
    const unknown = await jwtIssuer(() => NOW, "ES256", "second");
    for (let n = 0; n < 5; n++) expect(await jwts.verify(await unknown.sign({}))).toBe(BAD_TOKEN);
    expect(keys.asked()).toBe(1);
    keys.close();
  });

  it("that cannot be fetched do not make a token invalid, and the failure is reported", async () => {
    const keys = await served(() => undefined);
    const failures: unknown[] = [];
    const jwts = jwtsWith({ kind: "url", url: keys.url }, failures);
    expect(await jwts.verify(await issuer.sign({}))).toBe(KEYS_MISSING);
    expect(failures).toHaveLength(1);
    keys.close();
  });

  it("that cannot be used refuse their own tokens alone, and are reported once", async () => {
    const rsa = await jwtIssuer(() => NOW, "RS256", "rsa");
    const keys = await served(() =>
      JSON.stringify({
        keys: [...issuer.keySet.keys, { ...rsa.keySet.keys[0], n: "AQAB" }, { kty: "EC", kid: "empty" }, { kty: "?" }],
      }),
    );
    const failures: unknown[] = [];
    const jwts = jwtsWith({ kind: "url", url: keys.url }, failures);
    for (let n = 0; n < 2; n++) {
      expect(await jwts.verify(await issuer.sign({}))).toBeInstanceOf(ClientPrincipal);
      expect(await jwts.verify(await rsa.sign({}))).toBe(BAD_TOKEN);
      expect(await jwts.verify(await issuer.sign({}, { kid: "empty" }))).toBe(BAD_TOKEN);
    }
    expect(failures).toEqual([
      [
        "keys of JWTs cannot be used: .keys[1] must be an RSA key of at least 2048 bits; .keys[2] must be a public key, and cannot be read as one",
        undefined,
      ],
    ]);
    keys.close();
  });

  it.each(['{"error":"not found"}', "[]", '{"keys":["key"]}', "<html></html>"])(
    "that are no key set (%s) do not make a token invalid, which is reported once until they are one again",
    async (wrong) => {
      let body = wrong;
      const keys = await served(() => body);
      const failures: unknown[] = [];
      const jwts = jwtsWith({ kind: "url", url: keys.url }, failures);
      const token = await issuer.sign({ exp: NOW_S + 86_400 });
      for (let n = 0; n < 3; n++) expect(await jwts.verify(token)).toBe(KEYS_MISSING);
      expect(failures).toEqual([
        ["the keys of JWTs could not be fetched", new Error("the answer of their address is not a JSON Web Key Set")],
      ]);
      expect(await jwts.keyStatus?.()).toEqual({ areThere: false, hasFailed: true });
      body = JSON.stringify(issuer.keySet);
      expect(await jwts.keyStatus?.()).toEqual({ areThere: true, hasFailed: false });
      expect(await jwts.verify(token)).toBeInstanceOf(ClientPrincipal);
      body = wrong;
      clock.advance(600_000);
      await expect.poll(() => failures).toHaveLength(2);
      expect(await jwts.keyStatus?.()).toEqual({ areThere: true, hasFailed: true });
      expect(await jwts.verify(token)).toBeInstanceOf(ClientPrincipal);
      keys.close();
    },
  );

  it("are not read beyond the maximum size of a key set", async () => {
    let sent = 0;
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        // 300 MB, unless the client disconnects.
        for (; sent < 300; sent++) if (!response.write(Buffer.alloc(1_048_576, " "))) return void response.once("drain", more);
        response.end();
      };
      more();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const failures: unknown[] = [];
    const { port } = server.address() as AddressInfo;
    const jwts = jwtsWith({ kind: "url", url: new URL(`http://127.0.0.1:${port}/keys`) }, failures);
    expect(await jwts.verify(await issuer.sign({}))).toBe(KEYS_MISSING);
    expect(failures).toHaveLength(1);
    expect(sent).toBeLessThan(50);
    server.closeAllConnections();
    server.close();
  });

  it("are fetched again every ten minutes, and stay valid if that fails", async () => {
    let body: string | undefined = JSON.stringify(issuer.keySet);
    const keys = await served(() => body);
    const failures: unknown[] = [];
    const jwts = jwtsWith({ kind: "url", url: keys.url }, failures);
    const token = await issuer.sign({ exp: NOW_S + 3_600 });
    expect(await jwts.verify(token)).toBeInstanceOf(ClientPrincipal);
    body = undefined;
    clock.advance(600_000);
    await expect.poll(() => failures).toHaveLength(1);
    expect(await jwts.verify(token)).toBeInstanceOf(ClientPrincipal);
    body = JSON.stringify({ keys: [] });
    clock.advance(600_000);
    await expect.poll(() => keys.asked()).toBe(3);
    await expect.poll(() => jwts.verify(token)).toBe(BAD_TOKEN);
    keys.close();
  });
});
