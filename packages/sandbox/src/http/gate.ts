import { accountSettings } from "@exchange-graph/contract/account";
import type { Clock } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { HEADERS } from "@exchange-graph/contract/headers";
import { type QueryForm, signature, TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import type { Credential, Credentials } from "../credentials.js";
import { equalSecrets } from "../equalSecrets.js";
import { Refused } from "../refused.js";
import type { Account, Accounts } from "../world/accounts.js";
import type { Received } from "./answer.js";

/** Forms of a query that a signature may cover. */
export const SIGNED_QUERIES = ["either", "decoded", "encoded"] as const satisfies readonly (QueryForm | "either")[];
export type SignedQuery = (typeof SIGNED_QUERIES)[number];

/**
 * Authentication and authorization. The checks run in the exchange's own order, which a client can observe: the account mode is
 * checked before the signature, so 40084 and 40085 do not reveal anything about the key.
 */
export class Gate {
  constructor(
    readonly credentials: Credentials,
    readonly accounts: Accounts,
    readonly clock: Clock,
    /** May be changed at any time: clients sign either form, and the exchange has not always accepted both. */
    public signedQuery: SignedQuery = "either",
  ) {}

  /** The credential of a private call. Throws `Refused` for the first check that fails. */
  admit(endpoint: Endpoint, request: Received): Credential {
    const key = request.header(HEADERS.key);
    if (!key) throw new Refused(REFUSAL.missingKey);
    const credential = this.credentials.find(key);
    if (credential === undefined) throw new Refused(REFUSAL.unknownKey);
    if ((request.header(HEADERS.demo) === "1") !== credential.isDemo) throw new Refused(REFUSAL.wrongEnvironment);
    const account = this.accounts.of(credential.uid);
    checkMode(endpoint, account);
    const timestamp = this.#timestamp(request);
    this.#checkPassphrase(credential, request);
    this.#checkSignature(credential, request, timestamp);
    checkPermission(endpoint, credential);
    checkAudience(endpoint, account);
    return credential;
  }

  /** Checks the permissions of an authenticated client. Throws `Refused`. */
  allow(endpoint: Endpoint, credential: Credential): void {
    const account = this.accounts.of(credential.uid);
    checkMode(endpoint, account);
    checkPermission(endpoint, credential);
    checkAudience(endpoint, account);
  }

  #timestamp(request: Received): string {
    const timestamp = request.header(HEADERS.timestamp) ?? "";
    if (!/^\d{1,16}$/.test(timestamp)) throw new Refused(REFUSAL.badTimestamp);
    if (Math.abs(this.clock.now() - Number.parseInt(timestamp, 10)) > TIMESTAMP_WINDOW_MS)
      throw new Refused(REFUSAL.staleTimestamp);
    return timestamp;
  }

  #checkPassphrase(credential: Credential, request: Received): void {
    const passphrase = request.header(HEADERS.passphrase);
    if (!passphrase) throw new Refused(REFUSAL.missingPassphrase);
    if (!equalSecrets(passphrase, credential.passphrase)) throw new Refused(REFUSAL.wrongPassphrase);
  }

  /** The signature covers the query as sent, or percent-decoded: clients use both. A plus sign remains a plus sign. */
  #checkSignature({ secret }: Credential, request: Received, timestamp: string): void {
    const sign = request.header(HEADERS.sign);
    if (!sign) throw new Refused(REFUSAL.missingSignature);
    const method = request.method === "POST" ? "POST" : "GET";
    const signs = (target: string | undefined) =>
      target !== undefined && equalSecrets(sign, signature(secret, { timestamp, method, target, body: request.body }));
    if (this.signedQuery !== "decoded" && signs(request.target)) return;
    if (this.signedQuery !== "encoded" && signs(readable(request))) return;
    throw new Refused(REFUSAL.wrongSignature);
  }
}

/** An account that is changing its mode is served by neither API version, except for its settings. */
function checkMode(endpoint: Endpoint, { mode }: Account): void {
  if (endpoint.serves === "BOTH") return;
  if (mode === "upgrading" || mode === "switching") {
    if (endpoint.name !== accountSettings.name) throw new Refused(REFUSAL.accountChanging);
  } else if (mode === "classic" && endpoint.serves === "UNIFIED") throw new Refused(REFUSAL.classicAccount);
  else if (mode === "unified" && endpoint.serves === "CLASSIC") throw new Refused(REFUSAL.unifiedAccount);
}

function checkPermission({ permissions }: Endpoint, credential: Credential): void {
  if (permissions === undefined || permissions.some((permission) => credential.permissions.includes(permission))) return;
  throw new Refused(REFUSAL.missingPermission, permissions.join(" or "));
}

function checkAudience({ audience }: Endpoint, { isNdBroker }: Account): void {
  if (audience === "nd-broker" && !isNdBroker) throw new Refused(REFUSAL.notABroker);
  if (audience === "not-nd-broker" && isNdBroker) throw new Refused(REFUSAL.brokerExcluded);
}

/** Path and percent-decoded query; `undefined` if the query is not valid percent-encoding. */
function readable({ path, query, target }: Received): string | undefined {
  if (query === "") return target;
  try {
    return `${path}?${decodeURIComponent(query)}`;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
