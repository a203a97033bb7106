import type { TokenChange, TokenStore } from "./tokenStore.js";

/** One replica, which needs to be told nothing: it holds on to what was announced. */
export class MemoryTokens implements TokenStore {
  readonly #revoked = new Set<string>();
  readonly #listeners: ((change: TokenChange) => void)[] = [];

  isRevoked(id: string): boolean {
    return this.#revoked.has(id);
  }

  announce(change: TokenChange): void {
    for (const id of change.added) this.#revoked.delete(id);
    for (const id of change.revoked) this.#revoked.add(id);
    for (const listener of this.#listeners) listener(change);
  }

  onChange(listener: (change: TokenChange) => void): void {
    this.#listeners.push(listener);
  }
}
