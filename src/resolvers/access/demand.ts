import { Fault } from "../../datasources/index.js";
import { isAccountBound, type Scope } from "../../schema/scopes.js";
import type { Principal } from "./principal.js";

/**
 * Throws `FORBIDDEN` if the scope is not granted, or with an account, not for that one. Accounts that the client does not see are
 * never passed: for that client they do not exist.
 */
export function demand({ rights }: Principal, scope: Scope, account?: string): void {
  if (!rights.has(scope)) throw new Fault("FORBIDDEN", `this needs the scope ${scope}`, { scope });
  if (account === undefined || !isAccountBound(scope) || rights.on(scope, account)) return;
  throw new Fault("FORBIDDEN", `this needs the scope ${scope} for the account ${account}`, { scope });
}
