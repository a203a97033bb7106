import { LRUCache } from "lru-cache";
import { type DeniableClaims, DenyList, denialFrom, MAX_DENIALS, wordOf } from "../../../../src/access/jwt/denyList.js";
import type { TokenChange, TokenStore } from "../../../../src/access/tokens/tokenStore.js";
import type { RedisEngine } from "./redisEngine.js";
import { NOW, SAME_EPOCH, script } from "./script.js";

const WITHIN_MS = 1_000;
/** Ten times the tokens of the largest file: the oldest revocations are dropped first. */
const MAX_REVOKED = 10_000;

/**
 * KEYS: epoch, version, revoked tokens, added ones, denials of JWTs. ARGV: epoch, channel, and pairs of an action and a token:
 * `revoked`, `added`, or `restored`, which revokes a token unless it was added since Redis was emptied; or `denied` and a denial,
 * which expires.
 */
const ANNOUNCE = script(
  "announce",
  `${NOW}${SAME_EPOCH}
  local notice = {}
  for at = 3, #ARGV, 2 do
    local done, token = ARGV[at], ARGV[at + 1]
    if done == 'added' then
      redis.call('ZREM', KEYS[3], token)
      redis.call('ZADD', KEYS[4], now, token)
    elseif done == 'denied' then
      redis.call('ZADD', KEYS[5], string.match(token, '%d+$'), token)
    elseif done == 'revoked' or not redis.call('ZSCORE', KEYS[4], token) then
      redis.call('ZREM', KEYS[4], token)
      redis.call('ZADD', KEYS[3], now, token)
      done = 'revoked'
    else
      done = nil
    end
    if done then notice[#notice + 1] = done .. ' ' .. token end
  end
  for _, key in ipairs({ KEYS[3], KEYS[4] }) do redis.call('ZREMRANGEBYRANK', key, 0, -${MAX_REVOKED + 1}) end
  redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', now)
  redis.call('ZREMRANGEBYRANK', KEYS[5], 0, -${MAX_DENIALS + 1})
  redis.call('INCR', KEYS[2])
  redis.call('PUBLISH', ARGV[2], 'tokens ' .. table.concat(notice, ' '))
`,
);

/** KEYS: epoch, version, revoked tokens, added ones, denials of JWTs. Returns the version, the revoked tokens and the denials. */
const REVOKED = script(
  "revoked",
  `${NOW}${SAME_EPOCH}
  return {
    redis.call('GET', KEYS[2]) or '0', redis.call('ZRANGE', KEYS[3], 0, -1), redis.call('ZRANGEBYSCORE', KEYS[5], now, '+inf')
  }
`,
);

/**
 * Revocations for all replicas: at once by a notice, and by the version in the next beat if the notice was lost. A replica
 * restores what it knows in a Redis that was emptied.
 */
export class RedisTokens implements TokenStore {
  readonly #revoked = new Set<string>();
  readonly #denied: DenyList;
  readonly #listeners: ((change: TokenChange) => void)[] = [];
  /** Changes that Redis does not have yet. */
  readonly #pending = new LRUCache<string, "revoked" | "added" | "restored" | "denied">({ max: MAX_REVOKED + MAX_DENIALS });
  #version = "";
  #reading: Promise<void> | undefined;

  constructor(private readonly engine: RedisEngine) {
    this.#denied = new DenyList(engine.clock);
    engine.on({
      up: (isNew) => {
        if (isNew) this.#scheduleAll();
        this.#version = "";
        this.#announcePending();
      },
      beat: (version) => this.#received(version),
    });
    engine.onNotice("tokens", (text) => this.#noticed(text));
  }

  isRevoked(id: string): boolean {
    return this.#revoked.has(id);
  }

  isDenied(claims: DeniableClaims): boolean {
    return this.#denied.refuses(claims);
  }

  announce(change: TokenChange): void {
    const { denied } = this.#take(change);
    for (const id of change.revoked) this.#pending.set(id, "revoked");
    for (const id of change.added) this.#pending.set(id, "added");
    // A denial that is known here was forwarded when it became known.
    for (const denial of denied) this.#pending.set(wordOf(denial), "denied");
    this.#announcePending();
  }

  onChange(listener: (change: TokenChange) => void): void {
    this.#listeners.push(listener);
  }

  #scheduleAll(): void {
    for (const id of this.#revoked) if (!this.#pending.has(id)) this.#pending.set(id, "restored");
    for (const denial of this.#denied.all()) this.#pending.set(wordOf(denial), "denied");
  }

  #announcePending(): void {
    if (this.#pending.size === 0 || !this.engine.isUp) return;
    const pending = [...this.#pending.entries()];
    const args = [this.engine.channel, ...pending.flatMap(([id, is]) => [is, id])];
    const announced = () => {
      for (const [id, is] of pending) if (this.#pending.peek(id) === is) this.#pending.delete(id);
    };
    this.engine.run(ANNOUNCE, this.#keys(), args, WITHIN_MS).then(announced).catch(this.engine.report);
  }

  /** A notice contains the change. */
  #noticed(text: string): void {
    const parts = text.split(" ");
    const tokens = (done: string) => parts.filter((_, at) => at % 2 === 1 && parts[at - 1] === done);
    this.#take({ revoked: tokens("revoked"), added: tokens("added"), denied: denialsIn(tokens("denied")) });
  }

  /** All revocations are read whenever their version has changed. */
  #received(version: string): void {
    if (version === this.#version || this.#pending.size > 0) return;
    this.#reading ??= this.#read()
      .catch(this.engine.report)
      .finally(() => {
        this.#reading = undefined;
      });
  }

  async #read(): Promise<void> {
    const reply = await this.engine.run(REVOKED, this.#keys(), [], WITHIN_MS);
    if (this.#pending.size > 0 || !Array.isArray(reply)) return;
    const [version, ids, denied]: unknown[] = reply;
    const revoked = new Set(textsOf(ids));
    this.#version = String(version);
    const added = [...this.#revoked].filter((id) => !revoked.has(id));
    this.#take({ revoked: [...revoked], added, denied: denialsIn(textsOf(denied)) });
  }

  /** Applies and forwards the new part of a change, and returns it. */
  #take({ revoked, added, denied }: TokenChange): TokenChange {
    const change = {
      revoked: revoked.filter((id) => !this.#revoked.has(id)),
      added: added.filter((id) => this.#revoked.has(id) || !revoked.includes(id)),
      denied: this.#denied.add(denied),
    };
    for (const id of change.added) this.#revoked.delete(id);
    for (const id of change.revoked) this.#revoked.add(id);
    if (Object.values(change).some((some) => some.length > 0)) for (const listener of this.#listeners) listener(change);
    return change;
  }

  #keys(): readonly string[] {
    return ["version", "revoked", "added", "denied"].map((what) => this.engine.key("tokens", what));
  }
}

const textsOf = (reply: unknown): readonly string[] => (Array.isArray(reply) ? reply.map(String) : []);

/** Words in the format of another version are ignored. */
const denialsIn = (parts: readonly string[]) => parts.map(denialFrom).filter((denial) => denial !== undefined);
