import { Fault } from "../../datasources/index.js";
import { isAccountBound, type Scope } from "../../schema/scopes.js";
import { Rights } from "./rights.js";

/** The client, as far as answers depend on it. */
export interface Principal {
  /** Null for an unknown client. */
  readonly name: string | null;
  readonly rights: Rights;
  /** When these rights expire, Unix ms; null if they do not. */
  readonly expiresAt: number | null;
}

/** The client of every request to a gateway without configured clients. */
export const ANYONE: Principal = { name: null, rights: Rights.ALL, expiresAt: null };

/**
 * Throws `FORBIDDEN` if the scope is not granted, or with an account, not for that one. Accounts that the client does not see are
 * never passed: for that client they do not exist.
 */
export function demand({ rights }: Principal, scope: Scope, account?: string): void {
  if (!rights.has(scope)) throw new Fault("FORBIDDEN", `this needs the scope ${scope}`, { scope });
  if (account === undefined || !isAccountBound(scope) || rights.on(scope, account)) return;
  throw new Fault("FORBIDDEN", `this needs the scope ${scope} for the account ${account}`, { scope });
}
