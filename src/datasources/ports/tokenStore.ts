import type { DeniableClaims, Denial } from "./denyList.js";

/** Bearer tokens by their identifiers, which are no secrets, and JWTs that are refused before they expire. */
export interface TokenChange {
  /** Tokens that have been taken back. */
  readonly revoked: readonly string[];
  /** Tokens that have been added, or added again. */
  readonly added: readonly string[];
  readonly denied: readonly Denial[];
}

/**
 * Announcements about tokens between replicas. Each replica reads the rights of tokens from its own file. A revocation is announced, and
 * holds on replicas whose file still has the token. The last change of a token that was announced holds. A denial of JWTs cannot be
 * taken back, and ends by itself.
 */
export interface TokenStore {
  /** Has any replica taken this token back? */
  isRevoked(id: string): boolean;
  /** Has any replica denied a JWT with these claims? */
  isDenied(claims: DeniableClaims): boolean;
  /** Announces changes to all replicas, this one included. */
  announce(change: TokenChange): void;
  /** Hears of changes, whoever announced them. */
  onChange(listener: (change: TokenChange) => void): void;
}
