import { createHmac, type webcrypto } from "node:crypto";
import type { Clock } from "@exchange-graph/contract/clock";
import { errors } from "jose";
import type { KeyParts, KeySource } from "../../src/access/jwt/jwtKeys.js";
import type { JwtSettings } from "../../src/config/clientSettings.js";
import { Secret } from "../../src/datasources/index.js";
import type { Backlog, SubscriberSink } from "../../src/engine/subscriptions/subscriberSink.js";
import { SCOPE_NAMES } from "../../src/schema/scopes.js";
import { CLIENTS } from "./actions.js";
import type { Call } from "./line.js";
import { oneOf, type Random, streamOf } from "./random.js";
import { checkAtOnce } from "./signatures.js";
import type { VirtualTime } from "./time.js";
import { nameOf, placeOf } from "./tokens.js";

const TOLERANCE_MS = 2_000;
/** How far the clock of a gateway may be from the world's, either way. */
const SKEW_MS = 1_500;
/** A gateway has applied an expiry, or a withdrawn key, within this time. */
const OWN_MS = 1_010;
/** A write that is in the journal by then is sent. */
const JOURNALED_MS = 500;
/** After PostgreSQL has suffered, entries of the journal may be late. */
const DISTURBED_MS = 20_000;
/** Intervals of a gateway, shorter than the product's so that a run has several. */
const REFRESH_MS = 15_000;
const UNKNOWN_KEY_PAUSE_MS = 3_000;
const FETCH_TIMEOUT_MS = 5_000;
const LATE_MS = 4_000;

const ISSUER = "https://issuer.invalid";
const AUDIENCE = "exchange-graph";

export const JWT_SETTINGS: JwtSettings = {
  keys: { kind: "secret", secret: new Secret("the model of the issuer has the keys") },
  ...{ issuer: ISSUER, audience: AUDIENCE, clockToleranceMs: TOLERANCE_MS, accountsClaim: "accounts" },
};

/** The issuer has not answered in time. */
export class IssuerSilent extends Error {
  override readonly name = "IssuerSilent";
}

interface Key {
  readonly kid: string;
  readonly secret: string;
  readonly imported: webcrypto.CryptoKey;
}

interface Jwt {
  readonly client: string;
  readonly kid: string;
  /** World time. */
  readonly expiresAt: number;
}

interface Parts {
  readonly time: VirtualTime;
  readonly seed: number;
  readonly fail: (invariant: "expired token", text: string) => void;
}

const KEYS = 8;

/**
 * Issues the JWTs of the clients: they expire, its keys rotate, and it answers late or not at all. Judges by its own records whom
 * gateways accept. Signatures are checked at once.
 */
export class Issuer {
  readonly #random: Random;
  readonly #keys: readonly Key[];
  #published: ReadonlyMap<string, Key>;
  /** The place of the key that signs. */
  #signing = 0;
  readonly #tokens = new Map<string, Jwt>();
  /** The token that a client asks with. */
  readonly #current = new Map<string, string>();
  /** The keys that each gateway has, by place. */
  readonly #fetched = new Map<number, ReadonlyMap<string, Key>>();
  /** When a gateway has lost a key: by place and key. */
  readonly #lostAt = new Map<string, number>();
  /** The tokens with which an order was given, by its `clientOid`. */
  readonly #orders = new Map<string, Jwt[]>();
  #troubleUntil = Number.NEGATIVE_INFINITY;
  #isSilent = false;
  #isCalm = false;
  #databaseSuffersUntil = Number.NEGATIVE_INFINITY;
  #serial = 0;

  private constructor(
    private readonly parts: Parts,
    keys: readonly Key[],
  ) {
    this.#random = streamOf(parts.seed, "issuer");
    this.#keys = keys;
    this.#published = new Map(keys.slice(0, 1).map((key) => [key.kid, key]));
  }

  static async open(parts: Parts): Promise<Issuer> {
    checkAtOnce();
    const keys = Array.from({ length: KEYS }, async (_, at): Promise<Key> => {
      const secret = `key ${at} of the issuer's, which nobody else has`;
      const algorithm = { name: "HMAC", hash: "SHA-256" };
      const imported = await crypto.subtle.importKey("raw", Buffer.from(secret), algorithm, false, ["verify"]);
      return { kid: `k${at}`, secret, imported };
    });
    return new Issuer(parts, await Promise.all(keys));
  }

  /** Whether this client has JWTs. */
  has(client: string): boolean {
    return CLIENTS.some((name) => name === client);
  }

  /** The token that a client asks with now: its last one, though it may have expired, or a new one. */
  tokenOf(client: string): string {
    const current = this.#current.get(client);
    const isUsed = current !== undefined && (this.#of(current).expiresAt > this.parts.time.now || this.#random.oneIn(4));
    if (current !== undefined && isUsed && !this.#random.oneIn(6)) return current;
    const token = this.#sign(client);
    this.#current.set(client, token);
    return token;
  }

  /** The keys change: another one signs now, and the former ones are withdrawn, or stay for a while. */
  rotate(isSudden: boolean, lagMs: number): void {
    if (this.#isCalm) return;
    const next = this.#keys[++this.#signing % KEYS];
    if (next === undefined) throw new RangeError("the issuer has no keys");
    const only: ReadonlyMap<string, Key> = new Map([[next.kid, next]]);
    this.#published = isSudden ? only : new Map([...this.#published, ...only]);
    if (!isSudden)
      this.parts.time.at("operator", this.parts.time.now + lagMs, () => {
        this.#published = new Map([...this.#published].filter(([kid]) => kid === this.#signingKey.kid));
      });
  }

  /** It answers late, or not at all. */
  trouble(isSilent: boolean, forMs: number): void {
    this.#isSilent = isSilent;
    this.#troubleUntil = this.parts.time.now + forMs;
  }

  calm(): void {
    this.#isCalm = true;
    this.#troubleUntil = Number.NEGATIVE_INFINITY;
  }

  databaseSuffers(forMs: number): void {
    this.#databaseSuffersUntil = Math.max(this.#databaseSuffersUntil, this.parts.time.now + 2 * forMs + DISTURBED_MS);
  }

  /** The keys as a gateway fetches them: again and again, and for a token whose key it does not know. */
  keysAt(place: number, clock: Clock, { changed, failed }: KeyParts): KeySource {
    let keys: ReadonlyMap<string, Key> = new Map();
    let fetchedAt = Number.NEGATIVE_INFINITY;
    let fetching: Promise<void> | undefined;
    this.#fetched.delete(place);
    const fetch = async (): Promise<void> => {
      await this.#answered(clock);
      keys = this.#published;
      fetchedAt = clock.now();
      this.#took(place, keys);
      changed();
    };
    const fetchOnce = (): Promise<void> => {
      fetching ??= fetch().finally(() => {
        fetching = undefined;
      });
      return fetching;
    };
    const book = (): (() => void) =>
      clock.after(REFRESH_MS, () => {
        cancel = book();
        fetchOnce().catch((error: unknown) => failed("the keys of JWTs could not be fetched", error));
      });
    let cancel = book();
    const key = async ({ kid = "" }: { readonly kid?: string }): Promise<webcrypto.CryptoKey> => {
      if (!keys.has(kid) && clock.now() - fetchedAt > UNKNOWN_KEY_PAUSE_MS) await fetchOnce();
      const found = keys.get(kid);
      if (found === undefined) throw new errors.JWKSNoMatchingKey();
      return found.imported;
    };
    return { key, algorithms: ["HS256"], close: () => cancel() };
  }

  /** A gateway accepts a token, or emits an event to a client that has shown it. */
  accepted(token: string, place: number, what: string): void {
    const jwt = this.#of(token);
    const why = this.#whyRefused(jwt, place, 0);
    if (why !== undefined) this.parts.fail("expired token", `gateway ${nameOf(place)} ${what} ${jwt.client}, ${why}`);
  }

  /** A gateway refuses a token, or ends what its client listens to. */
  refused(token: string, place: number): void {
    const { client, expiresAt, kid } = this.#of(token);
    const { now } = this.parts.time;
    const isValid = now + SKEW_MS < expiresAt + TOLERANCE_MS && this.#fetched.get(place)?.has(kid) === true;
    if (isValid)
      this.parts.fail("expired token", `gateway ${nameOf(place)} refuses ${client}, whose JWT is valid until ${expiresAt}`);
  }

  /** An order is given with a token. */
  gives(token: string, variables: Readonly<Record<string, unknown>>): void {
    for (const [, clientOid = ""] of JSON.stringify(variables).matchAll(/"clientOid":"([^"]+)"/g))
      this.#orders.set(clientOid, [...(this.#orders.get(clientOid) ?? []), this.#of(token)]);
  }

  /** A write leaves: it was in the journal before. */
  left({ body, endpoint, gateway, isWrite }: Call): void {
    if (!isWrite || this.#databaseSuffersUntil > this.parts.time.now) return;
    const place = placeOf(gateway);
    const given = typeof body.clientOid === "string" ? (this.#orders.get(body.clientOid) ?? []) : [];
    const why = given.map((jwt) => this.#whyRefused(jwt, place, JOURNALED_MS));
    const [first] = why;
    if (first !== undefined && !why.includes(undefined))
      this.parts.fail("expired token", `gateway ${gateway} sends ${endpoint} for ${given[0]?.client}, ${first}`);
  }

  get #signingKey(): Key {
    const key = this.#keys[this.#signing % KEYS];
    if (key === undefined) throw new RangeError("the issuer has no keys");
    return key;
  }

  #of(token: string): Jwt {
    const jwt = this.#tokens.get(token);
    if (jwt === undefined) throw new RangeError("the issuer has not issued this token");
    return jwt;
  }

  #sign(client: string): string {
    const { kid, secret } = this.#signingKey;
    const { now } = this.parts.time;
    const seconds = Math.floor(now / 1_000) + (this.#isCalm ? 3_600 : oneOf(this.#random, [1, 3, 8, 20, 40]));
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: client, exp: seconds, scope: SCOPE_NAMES.join(" "), accounts: "*" };
    const parts = [
      { alg: "HS256", kid },
      { ...claims, jti: `${this.#serial++}` },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const token = `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
    this.#tokens.set(token, { client, kid, expiresAt: seconds * 1_000 });
    return token;
  }

  async #answered(clock: Clock): Promise<void> {
    const isTroubled = this.parts.time.now < this.#troubleUntil;
    const isSilent = isTroubled && this.#isSilent;
    const afterMs = isSilent ? FETCH_TIMEOUT_MS : isTroubled ? LATE_MS : 30;
    await new Promise<void>((resolve) => clock.after(afterMs, resolve));
    if (isSilent) throw new IssuerSilent("the issuer has not answered");
  }

  #took(place: number, keys: ReadonlyMap<string, Key>): void {
    for (const kid of this.#fetched.get(place)?.keys() ?? [])
      if (!keys.has(kid)) this.#lostAt.set(`${place} ${kid}`, this.parts.time.now);
    for (const kid of keys.keys()) this.#lostAt.delete(`${place} ${kid}`);
    this.#fetched.set(place, keys);
  }

  /** Why a token must be refused by now; undefined if it need not. */
  #whyRefused({ expiresAt, kid }: Jwt, place: number, moreMs: number): string | undefined {
    const { now } = this.parts.time;
    if (now > expiresAt + TOLERANCE_MS + SKEW_MS + OWN_MS + moreMs) return `whose JWT has expired at ${expiresAt}`;
    const lostAt = this.#lostAt.get(`${place} ${kid}`);
    return lostAt !== undefined && now > lostAt + OWN_MS + moreMs
      ? `whose JWT has a key that was withdrawn by ${lostAt}`
      : undefined;
  }
}

/** Reports what is written for a client that has shown a token. */
export class JudgedSink implements SubscriberSink {
  constructor(
    private readonly sink: SubscriberSink,
    private readonly written: () => void,
  ) {}

  get isOpen(): boolean {
    return this.sink.isOpen;
  }

  get unsentBytes(): number {
    return this.sink.unsentBytes;
  }

  get backlog(): Backlog {
    return this.sink.backlog;
  }

  write(frames: Parameters<SubscriberSink["write"]>[0]): void {
    if (this.sink.isOpen) this.written();
    this.sink.write(frames);
  }

  onceDrained(task: () => void): () => void {
    return this.sink.onceDrained(task);
  }

  cut(): void {
    this.sink.cut();
  }
}
