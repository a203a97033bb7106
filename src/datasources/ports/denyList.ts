import { createHash } from "node:crypto";
import type { Clock } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";

/** JWTs that are refused before they expire: the one with an identifier, or all of a subject that were issued before a moment. */
export interface Denial {
  /** `id:` or `subject:`, and the SHA-256 of the claim `jti` or `sub`, base64url. */
  readonly key: string;
  /** Of a subject: what was issued before, Unix s; 0 for an identifier. */
  readonly issuedBefore: number;
  /** When all of them have expired, Unix ms: the denial is forgotten then. */
  readonly until: number;
}

/** The claims that a JWT can be denied by. */
export interface DeniableClaims {
  readonly jti?: string | undefined;
  readonly sub: string;
  /** Unix s. */
  readonly iat?: number | undefined;
}

/** Twice what a file can hold. */
export const MAX_DENIALS = 10_000;

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");
const idKey = (jti: string): string => `id:${digest(jti)}`;
const subjectKey = (sub: string): string => `subject:${digest(sub)}`;

export const denialOfId = (jti: string, until: number): Denial => ({ key: idKey(jti), issuedBefore: 0, until });

export const denialOfSubject = (sub: string, issuedBefore: number, until: number): Denial => ({
  key: subjectKey(sub),
  issuedBefore,
  until,
});

/** A denial as one word, for stores. */
export const wordOf = ({ key, issuedBefore, until }: Denial): string => `${key}:${issuedBefore}:${until}`;

/** Reads what `wordOf` has written; nothing where it is something else. */
export function denialFrom(word: string): Denial | undefined {
  const [, key, issuedBefore = "", until = ""] = /^((?:id|subject):[\w-]{43}):(\d{1,15}):(\d{1,15})$/.exec(word) ?? [];
  if (key === undefined) return undefined;
  return { key, issuedBefore: Number.parseInt(issuedBefore, 10), until: Number.parseInt(until, 10) };
}

/**
 * The denials that a replica knows. They only grow, and expire, so lists of several replicas are put together in any order. Beyond
 * `MAX_DENIALS` those that were added first go.
 */
export class DenyList {
  readonly #denials = new LRUCache<string, Denial>({ max: MAX_DENIALS });

  constructor(private readonly clock: Clock) {}

  /** Adds them; gives those that say something new. */
  add(denials: readonly Denial[]): readonly Denial[] {
    return denials.filter((denial) => this.#add(denial));
  }

  /** Is a JWT with these claims refused? One of a denied subject that does not say when it was issued is. */
  refuses({ jti, sub, iat = Number.NEGATIVE_INFINITY }: DeniableClaims): boolean {
    if (this.#denials.size === 0) return false;
    if (jti !== undefined && this.#holding(idKey(jti)) !== undefined) return true;
    const ofSubject = this.#holding(subjectKey(sub));
    return ofSubject !== undefined && iat < ofSubject.issuedBefore;
  }

  /** Those that still hold. */
  all(): readonly Denial[] {
    return [...this.#denials.values()].filter(({ until }) => this.clock.now() < until);
  }

  #holding(key: string): Denial | undefined {
    const denial = this.#denials.peek(key);
    return denial !== undefined && this.clock.now() < denial.until ? denial : undefined;
  }

  #add({ key, issuedBefore, until }: Denial): boolean {
    if (until <= this.clock.now()) return false;
    const known = this.#holding(key);
    if (known !== undefined && known.issuedBefore >= issuedBefore && known.until >= until) return false;
    this.#denials.set(key, {
      key,
      issuedBefore: Math.max(issuedBefore, known?.issuedBefore ?? 0),
      until: Math.max(until, known?.until ?? 0),
    });
    return true;
  }
}
