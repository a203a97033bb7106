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
