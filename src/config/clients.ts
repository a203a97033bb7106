import type { Secret } from "../datasources/secret.js";
import { isLoopback } from "./loopback.js";

/** Where the keys are that JWTs are checked with. What a kind of key is used with is fixed by its kind, never by a token. */
export type JwtKeys =
  /** One secret that the issuer shares with this gateway: HMAC. */
  | { readonly kind: "secret"; readonly secret: Secret }
  /** The same in a file that is read again whenever it changes. */
  | { readonly kind: "secretFile"; readonly path: string }
  /** Public keys in a file that is read again whenever it changes. */
  | { readonly kind: "file"; readonly path: string }
  /** Public keys at an address of the issuer's. */
  | { readonly kind: "url"; readonly url: URL };

/** Whose JWTs are taken, and what they are checked with. */
export interface JwtSettings {
  readonly keys: JwtKeys;
  readonly issuer: string;
  readonly audience: string;
  /** How far the issuer's clock may be from ours. */
  readonly clockToleranceMs: number;
  /** The claim that names accounts. */
  readonly accountsClaim: string;
}

/** How clients are authenticated. At least one of the two ways is set. */
export interface ClientSettings {
  /** The file of bearer tokens. */
  readonly tokensPath: string | undefined;
  readonly jwt: JwtSettings | undefined;
}

/** The variables that are about clients, as they are once each is right by itself. */
interface ClientVariables {
  readonly CLIENTS_FILE?: string | undefined;
  readonly JWT_SECRET?: Secret | undefined;
  readonly JWT_SECRET_FILE?: string | undefined;
  readonly JWT_JWKS_FILE?: string | undefined;
  readonly JWT_JWKS_URL?: URL | undefined;
  readonly JWT_ISSUER?: string | undefined;
  readonly JWT_AUDIENCE?: string | undefined;
  readonly JWT_CLOCK_TOLERANCE_MS: number;
  readonly JWT_ACCOUNTS_CLAIM: string;
}

/** `undefined` when no clients are configured. */
export function clientSettings(variables: ClientVariables): ClientSettings | undefined {
  const { CLIENTS_FILE: tokensPath, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = variables;
  const keys = keysOf(variables);
  const jwt =
    keys === undefined || issuer === undefined || audience === undefined
      ? undefined
      : {
          keys,
          issuer,
          audience,
          clockToleranceMs: variables.JWT_CLOCK_TOLERANCE_MS,
          accountsClaim: variables.JWT_ACCOUNTS_CLAIM,
        };
  return tokensPath === undefined && jwt === undefined ? undefined : { tokensPath, jwt };
}

function keysOf(variables: ClientVariables): JwtKeys | undefined {
  const { JWT_SECRET: secret, JWT_SECRET_FILE: secretPath, JWT_JWKS_FILE: path, JWT_JWKS_URL: url } = variables;
  if (secret !== undefined) return { kind: "secret", secret };
  if (secretPath !== undefined) return { kind: "secretFile", path: secretPath };
  if (path !== undefined) return { kind: "file", path };
  return url === undefined ? undefined : { kind: "url", url };
}

const KEYS = ["JWT_SECRET", "JWT_SECRET_FILE", "JWT_JWKS_FILE", "JWT_JWKS_URL"] as const;
const CLAIMS = ["JWT_ISSUER", "JWT_AUDIENCE"] as const;

/** Settings of clients that are right one by one and wrong together; `given` are the variables that are set. */
export function clientContradictions(given: Readonly<Record<string, string>>): string[] {
  const has = (name: string): boolean => Object.hasOwn(given, name);
  const keys = KEYS.filter((name) => has(name) && !(name === "JWT_SECRET_FILE" && has("JWT_SECRET")));
  const claims = CLAIMS.filter(has);
  const [key, other] = keys;
  const found: string[] = [];
  if (key !== undefined && other !== undefined) found.push(`${other}: cannot stand beside ${key}: JWTs have keys of one kind`);
  if (key !== undefined)
    found.push(...CLAIMS.filter((name) => !claims.includes(name)).map((name) => `${name}: is missing, it goes with ${key}`));
  else if (claims[0] !== undefined) found.push(`${claims[0]}: needs keys to check JWTs with: set one of ${KEYS.join(", ")}`);
  const url = given.JWT_JWKS_URL;
  if (url !== undefined && URL.canParse(url) && new URL(url).protocol === "http:" && !isLoopback(new URL(url).hostname))
    found.push("JWT_JWKS_URL: must be https: its answer decides which tokens are valid");
  return found;
}
