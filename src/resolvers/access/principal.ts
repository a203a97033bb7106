import { Rights } from "./rights.js";

/** Whoever asks, as far as an answer may depend on it. */
export interface Principal {
  /** Null for somebody whom nobody knows. */
  readonly name: string | null;
  readonly rights: Rights;
  /** When these rights end, Unix ms; null where they do not end by themselves. */
  readonly expiresAt: number | null;
}

/** Whoever can reach a gateway that has no clients configured. */
export const ANYONE: Principal = { name: null, rights: Rights.ALL, expiresAt: null };
