import { loginSignature, TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import type { Credential, Credentials } from "../credentials.js";
import { equalSecrets } from "../equalSecrets.js";
import { SOCKET_REFUSAL, type SocketRefusal } from "./socketRefusals.js";
import type { LoginClaim } from "./socketRequest.js";

/** A Unix time below this is in seconds: in milliseconds it would lie before March 1973. */
const SECONDS_BELOW = 100_000_000_000;

type LoginOutcome = { readonly credential: Credential } | { readonly refusal: SocketRefusal };

/** Checks a login in the exchange's order: key, passphrase, timestamp, its age, signature. `now` is Unix ms. */
export function checkLogin(claim: LoginClaim, credentials: Credentials, now: number): LoginOutcome {
  const credential = credentials.find(claim.apiKey);
  if (credential === undefined) return { refusal: SOCKET_REFUSAL.wrongKey };
  if (!equalSecrets(claim.passphrase, credential.passphrase)) return { refusal: SOCKET_REFUSAL.wrongPassphrase };
  if (!/^\d{1,16}$/.test(claim.timestamp)) return { refusal: SOCKET_REFUSAL.badTimestamp };
  const stated = Number.parseInt(claim.timestamp, 10);
  const at = stated < SECONDS_BELOW ? stated * 1000 : stated;
  if (Math.abs(now - at) > TIMESTAMP_WINDOW_MS) return { refusal: SOCKET_REFUSAL.staleTimestamp };
  if (!equalSecrets(claim.sign, loginSignature(credential.secret, claim.timestamp))) {
    return { refusal: SOCKET_REFUSAL.wrongSignature };
  }
  return { credential };
}
