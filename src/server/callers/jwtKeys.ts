import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import type { Clock } from "../../clock.js";
import { changeableByOthers, readGuardedJson } from "../../guardedFile.js";
import type { JwtKeys } from "../../settings/callers.js";
import { WatchedFile } from "./watchedFile.js";

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

/** What befalls keys while the gateway runs. */
export interface KeyObserver {
  /** Tokens that were good may be no more. */
  changed(): void;
  failed(message: string, error?: unknown): void;
}

const SYMMETRIC = ["HS256"];
const ASYMMETRIC = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

const FETCH_TIMEOUT_MS = 5_000;
/** How often the issuer's keys are fetched. */
const REFRESH_EVERY_MS = 600_000;
/** A token whose key is not known has them fetched at once, but not more often than this. */
const UNKNOWN_KEY_PAUSE_MS = 30_000;

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) }, { error: "must be a JSON Web Key Set" });

/** Opens the keys. Throws an `Error` that names the file when it cannot be read. */
export function openKeys(keys: JwtKeys, clock: Clock, observer: KeyObserver): KeySource {
  if (keys.kind === "file") return fromFile(keys.path, clock, observer);
  if (keys.kind === "url") return fromAddress(keys.url, clock, observer);
  const secret = Buffer.from(keys.secret.reveal());
  return { key: async () => secret, algorithms: SYMMETRIC, close: () => undefined };
}

function fromFile(path: string, clock: Clock, { changed, failed }: KeyObserver): KeySource {
  const read = () => readGuardedJson(path, changeableByOthers, keySet);
  const first = read();
  if ("mistakes" in first) throw new Error(`${path}: ${first.mistakes.join("; ")}`);
  let local = createLocalJWKSet(first.content);
  const watched = new WatchedFile(
    path,
    {
      read,
      changed(content) {
        local = createLocalJWKSet(content ?? { keys: [] });
        changed();
      },
      failed: (mistakes) => failed(`${path}: ${mistakes.join("; ")}`),
    },
    clock,
  );
  return { key: (header, token) => local(header, token), algorithms: ASYMMETRIC, close: () => watched.close() };
}

/** Keys that were fetched once stay good while the issuer cannot be reached. */
function fromAddress(url: URL, clock: Clock, { changed, failed }: KeyObserver): KeySource {
  const remote = createRemoteJWKSet(url, {
    timeoutDuration: FETCH_TIMEOUT_MS,
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
