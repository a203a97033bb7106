import type { Clock } from "@exchange-graph/contract/clock";
import { type DeniableClaims, type Denial, DenyList } from "../jwt/denyList.js";

/** Changes of bearer tokens, by their ids, which are no secrets, and denials of JWTs. */
export interface TokenChange {
  readonly revoked: readonly string[];
  /** Ids of added tokens, including those that were revoked before. */
  readonly added: readonly string[];
  readonly denied: readonly Denial[];
}

/**
 * Announces changes of tokens between replicas. Each replica reads the rights of tokens from its own file. An announced
 * revocation also applies to replicas whose file still has the token. The last announced change of a token applies. A denial of
 * JWTs cannot be withdrawn, and expires.
 */
export interface TokenStore {
  /** Whether any replica has revoked this token. */
  isRevoked(id: string): boolean;
  /** Whether any replica has denied a JWT with these claims. */
  isDenied(claims: DeniableClaims): boolean;
  /** Announces changes to all replicas, including this one. */
  announce(change: TokenChange): void;
  /** Calls the listener with changes from any replica. */
  onChange(listener: (change: TokenChange) => void): void;
}

/** A single replica: announcements are only stored. */
export class MemoryTokens implements TokenStore {
  readonly #revoked = new Set<string>();
  readonly #denied: DenyList;
  readonly #listeners: ((change: TokenChange) => void)[] = [];

  constructor(clock: Clock) {
    this.#denied = new DenyList(clock);
  }

  isRevoked(id: string): boolean {
    return this.#revoked.has(id);
  }

  isDenied(claims: DeniableClaims): boolean {
    return this.#denied.refuses(claims);
  }

  announce({ revoked, added, denied }: TokenChange): void {
    for (const id of added) this.#revoked.delete(id);
    for (const id of revoked) this.#revoked.add(id);
    const change = { revoked, added, denied: this.#denied.add(denied) };
    if (Object.values(change).some((some) => some.length > 0)) for (const listener of this.#listeners) listener(change);
  }

  onChange(listener: (change: TokenChange) => void): void {
    this.#listeners.push(listener);
  }
}
