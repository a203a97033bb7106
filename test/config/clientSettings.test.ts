import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { ConfigError } from "../../src/config/configError.js";

const SECRET = "a secret of more than thirty-two bytes";
const CLAIMS = { JWT_ISSUER: "https://issuer.example", JWT_AUDIENCE: "exchange-graph" };

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

describe("clients", () => {
  it("are not configured unless there is a file of tokens or keys for JWTs", () => {
    expect(readConfig({}).clients).toBeUndefined();
    expect(readConfig({ JWT_CLOCK_TOLERANCE_MS: "0" }).clients).toBeUndefined();
  });

  it("are known by the tokens of a file", () => {
    expect(readConfig({ CLIENTS_FILE: "clients.json" }).clients).toEqual({ tokensPath: "clients.json", jwt: undefined });
  });

  it.each([
    ["a shared secret", { JWT_SECRET: SECRET }, { kind: "secret" }],
    ["keys in a file", { JWT_JWKS_FILE: "keys.json" }, { kind: "file", path: "keys.json" }],
    [
      "keys at an address",
      { JWT_JWKS_URL: "https://issuer.example/keys" },
      { kind: "url", url: new URL("https://issuer.example/keys") },
    ],
    ["keys on this machine", { JWT_JWKS_URL: "http://127.0.0.1:8080/keys" }, { kind: "url" }],
  ])("are known by JWTs, checked with %s", (_, keys, expected) => {
    expect(readConfig({ ...keys, ...CLAIMS }).clients).toMatchObject({
      tokensPath: undefined,
      jwt: {
        keys: expected,
        issuer: "https://issuer.example",
        audience: "exchange-graph",
        clockToleranceMs: 30_000,
        accountsClaim: "accounts",
      },
    });
  });

  it("are known by both together", () => {
    const { clients } = readConfig({ CLIENTS_FILE: "clients.json", JWT_SECRET: SECRET, ...CLAIMS });
    expect(clients).toMatchObject({ tokensPath: "clients.json", jwt: { keys: { kind: "secret" } } });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      "keys of two kinds",
      { JWT_SECRET: SECRET, JWT_JWKS_FILE: "keys.json", ...CLAIMS },
      /^JWT_JWKS_FILE: cannot be combined with JWT_SECRET/,
    ],
    ["no issuer", { JWT_SECRET: SECRET, JWT_AUDIENCE: "a" }, /^JWT_ISSUER: is required together with JWT_SECRET/],
    ["no audience", { JWT_SECRET: SECRET, JWT_ISSUER: "i" }, /^JWT_AUDIENCE: is required/],
    ["no keys", { ...CLAIMS }, /^JWT_ISSUER: requires a key/],
    ["a short secret", { JWT_SECRET: "short", ...CLAIMS }, /^JWT_SECRET: must have at least 32 bytes$/],
    ["keys over plain HTTP", { JWT_JWKS_URL: "http://issuer.example/keys", ...CLAIMS }, /^JWT_JWKS_URL: must be https/],
    [
      "a tolerance of hours",
      { JWT_SECRET: SECRET, JWT_CLOCK_TOLERANCE_MS: "3600000", ...CLAIMS },
      /^JWT_CLOCK_TOLERANCE_MS: must be/,
    ],
  ])("cannot be authenticated with %s", (_, env, mistake) => {
    const mistakes = mistakesOf(env);
    expect(mistakes).toEqual([expect.stringMatching(mistake)]);
    expect(mistakes.join()).not.toContain(SECRET);
  });
});
