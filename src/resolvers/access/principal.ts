import { Fault } from "../../datasources/index.js";
import { isAccountBound, SCOPE_NAMES, type Scope } from "../../schema/scopes.js";

/** The accounts that a scope is granted for: all, or these names. */
type GrantedAccounts = "*" | readonly string[];

/** Scopes with the accounts that each is granted for. A missing scope is not granted. */
export type Grants = { readonly [S in Scope]?: GrantedAccounts | undefined };

export class Rights {
  static readonly ALL = new Rights(Object.fromEntries(SCOPE_NAMES.map((scope) => [scope, "*"])));

  /** The grants in a fixed order: equal rights have equal texts. */
  readonly grants: Grants;
  readonly #accounts = new Map<Scope, "*" | ReadonlySet<string>>();
  /** Accounts for which any scope is granted. */
  readonly #visible = new Set<string>();
  readonly #seesAll: boolean;

  constructor(grants: Grants) {
    for (const scope of SCOPE_NAMES) {
      const granted = grants[scope];
      if (granted === undefined || granted.length === 0) continue;
      if (granted === "*" || !isAccountBound(scope)) this.#accounts.set(scope, "*");
      else {
        this.#accounts.set(scope, new Set([...granted].sort()));
        for (const name of granted) this.#visible.add(name);
      }
    }
    this.#seesAll = [...this.#accounts].some(([scope, accounts]) => isAccountBound(scope) && accounts === "*");
    this.grants = Object.fromEntries(
      [...this.#accounts].map(([scope, accounts]) => [scope, accounts === "*" ? accounts : [...accounts]]),
    );
  }

  /** Whether the scope is granted for any account. */
  has(scope: Scope): boolean {
    return this.#accounts.has(scope);
  }

  /** Whether the scope is granted for the account with this name. */
  on(scope: Scope, account: string): boolean {
    const accounts = this.#accounts.get(scope);
    return accounts !== undefined && (accounts === "*" || accounts.has(account));
  }

  /** Whether any scope is granted for the account with this name. Otherwise the account does not exist for the client. */
  sees(account: string): boolean {
    return this.#seesAll || this.#visible.has(account);
  }

  toJSON(): Grants {
    return this.grants;
  }
}

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
