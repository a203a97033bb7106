import { createPublicKey } from "node:crypto";
import type { Clock } from "@exchange-graph/contract/clock";
import { jsonIn } from "@exchange-graph/contract/json";
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWK,
  type JWTVerifyGetKey,
} from "jose";
import { z } from "zod";
import type { JwtKeys } from "../../config/clientSettings.js";
import { jwtSecret, readSecretFile } from "../../config/secrets.js";
import type { Secret } from "../../datasources/index.js";
import { changeableByOthers, type GuardedFile, readGuardedJson } from "../../files/guardedFile.js";
import type { WatchedFiles } from "../../files/watchedFiles.js";

/** The keys that verify JWTs. */
export interface KeySource {
  readonly key: JWTVerifyGetKey;
  /**
   * Fixed by the kind of keys. A token names its algorithm itself; a public key used as a shared secret would let anyone sign.
   */
  readonly algorithms: readonly string[];
  /** Whether the keys are there, for keys that have to be fetched. Fetches them if not, and after a fetch that failed. */
  readonly status?: (() => Promise<KeyStatus>) | undefined;
  close(): void;
}

export interface KeyStatus {
  readonly areThere: boolean;
  readonly hasFailed: boolean;
}

/** Dependencies of the keys at run time. */
export interface KeyParts {
  readonly clock: Clock;
  readonly files: WatchedFiles;
  /** Called when keys have changed: verified tokens may no longer be valid. */
  changed(): void;
  /** Called when keys could not be fetched, and for keys that cannot be used; once for the same reason. */
  failed(message: string, error?: unknown): void;
}

const SYMMETRIC = ["HS256"];
const ASYMMETRIC = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

const FETCH_TIMEOUT_MS = 5_000;
/** Maximum size of a key set; issuers have a few keys of one or two kilobytes. */
const MAX_KEY_SET_BYTES = 1_048_576;
/** Interval at which the issuer's keys are fetched. */
const REFRESH_EVERY_MS = 600_000;
/** A token with an unknown key triggers a fetch, but not more often than this. */
const UNKNOWN_KEY_PAUSE_MS = 30_000;

/** Kinds of keys that a JWT may be signed with. A set may have others, which are not used. */
const SIGNING_KINDS = ["RSA", "EC", "OKP"];
const MIN_RSA_BITS = 2_048;

/** Why a key cannot verify any JWT: all that were signed with it would be refused without a word. */
function mistakeIn(key: { readonly kty: string }): string | undefined {
  if (!SIGNING_KINDS.includes(key.kty)) return undefined;
  if ("d" in key) return "must be a public key, and is a private one";
  try {
    const { modulusLength = MIN_RSA_BITS } = createPublicKey({ key, format: "jwk" }).asymmetricKeyDetails ?? {};
    return modulusLength < MIN_RSA_BITS ? `must be an RSA key of at least ${MIN_RSA_BITS} bits` : undefined;
  } catch {
    return "must be a public key, and cannot be read as one";
  }
}

const publicKey = z.looseObject({ kty: z.string() }).superRefine((key, { addIssue }) => {
  const mistake = mistakeIn(key);
  if (mistake !== undefined) addIssue(mistake);
});
/** A set may have keys that cannot be used: its issuer serves other programs too. */
const fetchedSet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });
const keySet = z.looseObject({ keys: z.array(publicKey) }, { error: "must be a JSON Web Key Set" });

export type OpenKeys = (keys: JwtKeys, parts: KeyParts) => KeySource;

/** Opens the keys. Throws an `Error` that names the file if it cannot be read. */
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
  if ("mistakes" in first) throw new Error(`${setting}: ${path}: ${first.mistakes.join("; ")}`);
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
    gone: () => {
      take(NO_KEY);
      return "every JWT is refused";
    },
  });
  return { key: (header, token) => key(header, token), algorithms, close: () => watched.close() };
}

/** For a missing file: no token is valid. */
const NO_KEY: JWTVerifyGetKey = () => {
  throw new errors.JWKSNoMatchingKey();
};

/** The issuer's keys could not be fetched: this says nothing about a token. */
export class KeysNotFetched extends Error {}

/** Fetched keys stay valid while the issuer cannot be reached. */
function fromAddress(url: URL, { clock, changed, failed }: KeyParts): KeySource {
  let hasFailed = false;
  let reported: string | undefined;
  const report = (message: string, error?: unknown): void => {
    const reason = `${message}: ${error}`;
    if (reason !== reported) failed(message, error);
    reported = reason;
  };
  const fetchKeys: FetchImplementation = async (_, options) => {
    try {
      const { usable, mistakes } = await fetchKeySet(url, options);
      hasFailed = false;
      if (mistakes.length > 0) report(`keys of JWTs cannot be used: ${mistakes.join("; ")}`);
      else reported = undefined;
      return Response.json({ keys: usable });
    } catch (error) {
      hasFailed = true;
      report("the keys of JWTs could not be fetched", error);
      throw new KeysNotFetched("the keys of JWTs could not be fetched", { cause: error });
    }
  };
  const remote = createRemoteJWKSet(url, {
    timeoutDuration: FETCH_TIMEOUT_MS,
    [customFetch]: fetchKeys,
    cooldownDuration: UNKNOWN_KEY_PAUSE_MS,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  const reload = (): Promise<void> => remote.reload().then(changed, unlessNotFetched);
  const book = (): (() => void) => clock.after(REFRESH_EVERY_MS, refresh);
  const refresh = (): void => {
    cancel = book();
    reload().catch((error: unknown) => failed("the keys of JWTs could not be taken into use", error));
  };
  let cancel = book();
  const status = async (): Promise<KeyStatus> => {
    if (hasFailed || remote.jwks() === undefined) await reload();
    return { areThere: remote.jwks() !== undefined, hasFailed };
  };
  return { key: remote, algorithms: ASYMMETRIC, status, close: () => cancel() };
}

/** A failed fetch has been reported when it failed. */
function unlessNotFetched(error: unknown): void {
  if (!(error instanceof KeysNotFetched)) throw error;
}

/** The keys of a fetched set that can be used, and what is wrong with the others. */
async function fetchKeySet(url: URL, options: Parameters<FetchImplementation>[1]) {
  const response = await fetch(url, options);
  const text = await boundedText(response);
  if (response.status !== 200) throw new Error(`their address answered with the status ${response.status}`);
  const read = fetchedSet.safeParse(jsonIn(text));
  if (!read.success) throw new Error("the answer of their address is not a JSON Web Key Set");
  const usable: JWK[] = [];
  const mistakes: string[] = [];
  for (const [place, key] of read.data.keys.entries()) {
    const mistake = mistakeIn(key);
    if (mistake === undefined) usable.push(key);
    else mistakes.push(`.keys[${place}] ${mistake}`);
  }
  return { usable, mistakes };
}

/**
 * A body of at most `MAX_KEY_SET_BYTES`, counted after decompression; a longer one fails without being read further. `jose` reads
 * a whole body into memory before checking it.
 */
async function boundedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the transfer.
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_KEY_SET_BYTES) throw new Error(`their address answered with more than ${MAX_KEY_SET_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
