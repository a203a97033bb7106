import { isAccountBound, SCOPE_NAMES, type Scope } from "../../schema/scopes.js";

/** The accounts that a scope is granted for: all that there are, or those of these names. */
type GrantedAccounts = "*" | readonly string[];

/** Scopes with the accounts that each is granted for. A scope that is left out is not granted. */
export type Grants = { readonly [S in Scope]?: GrantedAccounts | undefined };

/** What somebody may do. */
export class Rights {
  static readonly ALL = new Rights(Object.fromEntries(SCOPE_NAMES.map((scope) => [scope, "*"])));

  /** What they were made of, in one order: equal rights read the same. */
  readonly grants: Grants;
  readonly #accounts = new Map<Scope, "*" | ReadonlySet<string>>();
  /** Those that any scope is granted for. */
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

  /** Is the scope granted at all, for whatever accounts? */
  has(scope: Scope): boolean {
    return this.#accounts.has(scope);
  }

  /** Is the scope granted for the account of this name? */
  on(scope: Scope, account: string): boolean {
    const accounts = this.#accounts.get(scope);
    return accounts !== undefined && (accounts === "*" || accounts.has(account));
  }

  /** Is there anything that may be done with the account of this name? Where not, it is as if there were no such account. */
  sees(account: string): boolean {
    return this.#seesAll || this.#visible.has(account);
  }

  toJSON(): Grants {
    return this.grants;
  }
}
