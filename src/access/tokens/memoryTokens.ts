import type { Clock } from "@exchange-graph/contract/clock";
import { type DeniableClaims, DenyList } from "../jwt/denyList.js";
import type { TokenChange, TokenStore } from "./tokenStore.js";

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
