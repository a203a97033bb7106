import type { Clock } from "@exchange-graph/contract/clock";
import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import type { JwtKeys } from "../../config/clients.js";
import { jwtSecret, readSecretFile } from "../../config/secrets.js";
import type { Secret } from "../../datasources/index.js";
import { changeableByOthers, type GuardedFile, readGuardedJson } from "../../files/guardedFile.js";
import type { WatchedFiles } from "../../files/watchedFiles.js";

/** What JWTs are checked with. */
export interface KeySource {
  readonly key: JWTVerifyGetKey;
  /**
   * Fixed by the kind of keys: a token names its algorithm itself, and a public key taken for a shared secret would let
   * everybody sign.
   */
  readonly algorithms: readonly string[];
  close(): void;
}

/** What keys need while the gateway runs. */
export interface KeyParts {
  readonly clock: Clock;
  readonly files: WatchedFiles;
  /** Tokens that were good may be no more. */
  changed(): void;
  /** Keys could not be fetched. */
  failed(message: string, error?: unknown): void;
}

const SYMMETRIC = ["HS256"];
const ASYMMETRIC = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

const FETCH_TIMEOUT_MS = 5_000;
/** Issuers have a handful of keys, of a kilobyte or two each. */
const MAX_KEY_SET_BYTES = 1_048_576;
/** How often the issuer's keys are fetched. */
const REFRESH_EVERY_MS = 600_000;
/** A token whose key is not known has them fetched at once, but not more often than this. */
const UNKNOWN_KEY_PAUSE_MS = 30_000;

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) }, { error: "must be a JSON Web Key Set" });

/** Opens the keys. Throws an `Error` that names the file when it cannot be read. */
export function openKeys(keys: JwtKeys, parts: KeyParts): KeySource {
  if (keys.kind === "url") return fromAddress(keys.url, parts);
  if (keys.kind === "secret") return { ...SHARED, key: keyOf(keys.secret), close: () => undefined };
  if (keys.kind === "secretFile") {
    const read = () => readSecretFile(keys.path, jwtSecret);
    return fromFile("JWT_SECRET_FILE", keys.path, read, parts, { ...SHARED, keyOf });
  }
  const read = () => readGuardedJson(keys.path, changeableByOthers, keySet);
  return fromFile("JWT_JWKS_FILE", keys.path, read, parts, { algorithms: ASYMMETRIC, keyOf: createLocalJWKSet });
}

const SHARED = { algorithms: SYMMETRIC };

function keyOf(secret: Secret): JWTVerifyGetKey {
  const bytes = Buffer.from(secret.reveal());
  return async () => bytes;
}

function fromFile<T>(
  setting: string,
  path: string,
  read: () => GuardedFile<T>,
  { files, changed }: KeyParts,
  { algorithms, keyOf }: Pick<KeySource, "algorithms"> & { readonly keyOf: (content: T) => JWTVerifyGetKey },
): KeySource {
  const first = read();
  if ("mistakes" in first) throw new Error(`${path}: ${first.mistakes.join("; ")}`);
  let key = keyOf(first.content);
  const take = (next: JWTVerifyGetKey): void => {
    key = next;
    changed();
  };
  const watched = files.watch({
    setting,
    paths: [path],
    read,
    changed: (content) => take(keyOf(content)),
    gone: () => take(NO_KEY),
  });
  return { key: (header, token) => key(header, token), algorithms, close: () => watched.close() };
}

/** Of a file that is gone: nobody is let in by it. */
const NO_KEY: JWTVerifyGetKey = () => {
  throw new errors.JWKSNoMatchingKey();
};

/** Keys that were fetched once stay good while the issuer cannot be reached. */
function fromAddress(url: URL, { clock, changed, failed }: KeyParts): KeySource {
  const remote = createRemoteJWKSet(url, {
    timeoutDuration: FETCH_TIMEOUT_MS,
    [customFetch]: boundedFetch(MAX_KEY_SET_BYTES),
    cooldownDuration: UNKNOWN_KEY_PAUSE_MS,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  const book = (): (() => void) => clock.after(REFRESH_EVERY_MS, refresh);
  const refresh = (): void => {
    cancel = book();
    remote.reload().then(changed, (error: unknown) => failed("the keys of JWTs could not be fetched", error));
  };
  let cancel = book();
  return { key: remote, algorithms: ASYMMETRIC, close: () => cancel() };
}

/**
 * Fetches bodies of at most `maxBytes`, counted as they are unpacked: what is longer is not read on, and fails. `jose` reads
 * a whole body into memory before it looks at it.
 */
const boundedFetch =
  (maxBytes: number): FetchImplementation =>
  async (url, options) => {
    const { body, status, statusText, headers } = await fetch(url, options);
    const parts: Uint8Array[] = [];
    let bytes = 0;
    // Leaving the loop ends the transfer.
    for await (const part of body ?? []) {
      bytes += part.byteLength;
      if (bytes > maxBytes) throw new Error(`${url} answered with more than ${maxBytes} bytes`);
      parts.push(part);
    }
    return new Response(status === 204 || status === 304 ? null : Buffer.concat(parts), { status, statusText, headers });
  };
