import { Fault } from "../../datasources/index.js";
import { isAccountBound, type Scope } from "../../schema/scopes.js";
import type { Principal } from "./principal.js";

/**
 * Throws `FORBIDDEN` when the scope is not granted at all or, where an account is given, not for that one. Accounts that
 * the client does not see never reach this: for that client there is no account of that name.
 */
export function demand({ rights }: Principal, scope: Scope, account?: string): void {
  if (!rights.has(scope)) throw new Fault("FORBIDDEN", `this needs the scope ${scope}`, { scope });
  if (account === undefined || !isAccountBound(scope) || rights.on(scope, account)) return;
  throw new Fault("FORBIDDEN", `this needs the scope ${scope} for the account ${account}`, { scope });
}
