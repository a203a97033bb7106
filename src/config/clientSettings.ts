import type { Secret } from "../datasources/errors/index.js";
import { isLoopback } from "./loopback.js";
import type { Settings } from "./variables.js";

/** The keys that verify JWTs. The kind of the key fixes the algorithm; a token cannot choose it. */
export type JwtKeys =
  /** A secret shared with the issuer: HMAC. */
  | { readonly kind: "secret"; readonly secret: Secret }
  /** The same in a file, which is read again when it changes. */
  | { readonly kind: "secretFile"; readonly path: string }
  /** Public keys in a file, which is read again when it changes. */
  | { readonly kind: "file"; readonly path: string }
  /** Public keys at an address of the issuer. */
  | { readonly kind: "url"; readonly url: URL };

/** Authentication of clients. At least one of the two is set. */
export type ClientSettings = NonNullable<ReturnType<typeof clientSettings>>;

/** The accepted issuer and audience of JWTs, and the keys that verify them. */
export type JwtSettings = NonNullable<ClientSettings["jwt"]>;

/** `undefined` if no clients are configured. */
export function clientSettings(variables: Settings) {
  const { CLIENTS_FILE: tokensPath, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = variables;
  const keys = keysOf(variables);
  const jwt =
    keys === undefined || issuer === undefined || audience === undefined
      ? undefined
      : {
          keys,
          issuer,
          audience,
          /** Maximum difference between the issuer's clock and the gateway's, in ms. */
          clockToleranceMs: variables.JWT_CLOCK_TOLERANCE_MS,
          accountsClaim: variables.JWT_ACCOUNTS_CLAIM,
        };
  return tokensPath === undefined && jwt === undefined ? undefined : { tokensPath, jwt };
}

function keysOf(variables: Settings): JwtKeys | undefined {
  const { JWT_SECRET: secret, JWT_SECRET_FILE: secretPath, JWT_JWKS_FILE: path, JWT_JWKS_URL: url } = variables;
  if (secret !== undefined) return { kind: "secret", secret };
  if (secretPath !== undefined) return { kind: "secretFile", path: secretPath };
  if (path !== undefined) return { kind: "file", path };
  return url === undefined ? undefined : { kind: "url", url };
}

const KEYS = ["JWT_SECRET", "JWT_SECRET_FILE", "JWT_JWKS_FILE", "JWT_JWKS_URL"] as const;
const CLAIMS = ["JWT_ISSUER", "JWT_AUDIENCE"] as const;

/** Contradictions between settings of clients; `values` are the variables that are set. */
export function clientContradictions(values: Readonly<Record<string, string>>): string[] {
  const has = (name: string): boolean => Object.hasOwn(values, name);
  const keys = KEYS.filter((name) => has(name) && !(name === "JWT_SECRET_FILE" && has("JWT_SECRET")));
  const claims = CLAIMS.filter(has);
  const [key, other] = keys;
  const found: string[] = [];
  if (key !== undefined && other !== undefined) found.push(`${other}: cannot be combined with ${key}: set one of the two`);
  if (key !== undefined)
    found.push(...CLAIMS.filter((name) => !claims.includes(name)).map((name) => `${name}: is required together with ${key}`));
  else if (claims[0] !== undefined) found.push(`${claims[0]}: requires a key that verifies JWTs: set one of ${KEYS.join(", ")}`);
  const url = values.JWT_JWKS_URL;
  if (url !== undefined && URL.canParse(url) && new URL(url).protocol === "http:" && !isLoopback(new URL(url).hostname))
    found.push("JWT_JWKS_URL: must be https: its answer decides which tokens are valid");
  return found;
}
