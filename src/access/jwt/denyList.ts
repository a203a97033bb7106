import { createHash } from "node:crypto";
import type { Clock } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";
import { z } from "zod";

/** A denial of JWTs before their expiry: of the one with an id, or of all of a subject that were issued before a time. */
export interface Denial {
  /** `id:` or `subject:`, followed by the SHA-256 of the claim `jti` or `sub`, base64url. */
  readonly key: string;
  /** For a subject: JWTs issued before this time are denied, Unix s. 0 for an id. */
  readonly issuedBefore: number;
  /** Expiry of the last of them, Unix ms: the denial is dropped then. */
  readonly until: number;
}

/** The claims by which a JWT can be denied. */
export interface DeniableClaims {
  readonly jti?: string | undefined;
  readonly sub: string;
  /** Unix s. */
  readonly iat?: number | undefined;
}

/** Twice the maximum of a file. */
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

/** Parses the result of `wordOf`; undefined for anything else. */
export function denialFrom(word: string): Denial | undefined {
  const [, key, issuedBefore = "", until = ""] = /^((?:id|subject):[\w-]{43}):(\d{1,15}):(\d{1,15})$/.exec(word) ?? [];
  if (key === undefined) return undefined;
  return { key, issuedBefore: Number.parseInt(issuedBefore, 10), until: Number.parseInt(until, 10) };
}

/**
 * The denials known to a replica. Denials are only added, and expire, so lists of several replicas can be merged in any order.
 * Beyond `MAX_DENIALS` the oldest are dropped.
 */
export class DenyList {
  readonly #denials = new LRUCache<string, Denial>({ max: MAX_DENIALS });

  constructor(private readonly clock: Clock) {}

  /** Adds denials; returns those that were new. */
  add(denials: readonly Denial[]): readonly Denial[] {
    return denials.filter((denial) => this.#add(denial));
  }

  /** Whether a JWT with these claims is denied. Without `iat`, a JWT of a denied subject is. */
  refuses({ jti, sub, iat = Number.NEGATIVE_INFINITY }: DeniableClaims): boolean {
    if (this.#denials.size === 0) return false;
    if (jti !== undefined && this.#holding(idKey(jti)) !== undefined) return true;
    const ofSubject = this.#holding(subjectKey(sub));
    return ofSubject !== undefined && iat < ofSubject.issuedBefore;
  }

  /** The denials that have not expired. */
  all(): readonly Denial[] {
    return [...this.#denials.values()].filter(({ until }) => this.clock.now() < until);
  }

  #holding(key: string): Denial | undefined {
    const denial = this.#denials.peek(key);
    return denial !== undefined && this.clock.now() < denial.until ? denial : undefined;
  }

  #add({ key, issuedBefore, until }: Denial): boolean {
    if (until <= this.clock.now()) return false;
    const existing = this.#holding(key);
    if (existing !== undefined && existing.issuedBefore >= issuedBefore && existing.until >= until) return false;
    this.#denials.set(key, {
      key,
      issuedBefore: Math.max(issuedBefore, existing?.issuedBefore ?? 0),
      until: Math.max(until, existing?.until ?? 0),
    });
    return true;
  }
}

/** Maximum number of entries in a file. */
const MAX_DENIED = 5_000;
/** A JWT may be accepted for this long after its expiry: the maximum of `JWT_CLOCK_TOLERANCE_MS`. */
const MAX_TOLERANCE_MS = 300_000;
const MS_PER_S = 1_000;

const claim = z.string().min(1, "must not be empty").max(1_000, "must have at most 1000 characters");
const moment = z.iso.datetime();

const deniedJwt = z.union(
  [
    z.strictObject({ jti: claim, expiresAt: moment }),
    z.strictObject({ sub: claim.max(256, "must have at most 256 characters"), issuedBefore: moment, expiresAt: moment }),
  ],
  { error: "must have jti and expiresAt, or sub, issuedBefore and expiresAt, times in ISO 8601" },
);

/** A denied JWT, or denied JWTs of a subject, as stored in the file. */
export type DeniedJwt = z.infer<typeof deniedJwt>;

export const deniedJwts = z.array(deniedJwt).max(MAX_DENIED, `must have at most ${MAX_DENIED} entries`);

/** The denial that replicas share. `issuedBefore` is rounded up to a full second, because `iat` has whole seconds. */
export function denialOf(denied: DeniedJwt): Denial {
  const until = Date.parse(denied.expiresAt) + MAX_TOLERANCE_MS;
  if ("jti" in denied) return denialOfId(denied.jti, until);
  return denialOfSubject(denied.sub, Math.ceil(Date.parse(denied.issuedBefore) / MS_PER_S), until);
}

/** Whether the denial has no effect any more. */
export const isOver = (denied: DeniedJwt, now: number): boolean => denialOf(denied).until <= now;
