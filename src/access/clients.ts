import type { Clock } from "@exchange-graph/contract/clock";
import type { ClientSettings } from "../config/clientSettings.js";
import { lruByWeight } from "../datasources/errors/index.js";
import { Fault } from "../datasources/index.js";
import type { GuardedFile } from "../files/guardedFile.js";
import type { WatchedFile, WatchedFiles } from "../files/watchedFiles.js";
import { denialOf } from "./jwt/denyList.js";
import type { KeySource, OpenKeys } from "./jwt/jwtKeys.js";
import { Jwts } from "./jwt/jwts.js";
import { BAD_TOKEN, KEYS_MISSING, NO_TOKEN, RIGHTS_CHANGED } from "./principal/bearer.js";
import { ANONYMOUS_CLIENT, type ClientPrincipal } from "./principal/clientPrincipal.js";
import { readTokenFile, type TokenFile } from "./tokens/tokenFile.js";
import { MemoryTokens, type TokenStore } from "./tokens/tokenStore.js";
import { Tokens } from "./tokens/tokens.js";
import { TOKEN_PREFIX } from "./tokens/tokenText.js";

export interface Clients {
  /** The client of a token, or of a request without one (`undefined`). Synchronous for a cached token. */
  identify(token: string | undefined): ClientPrincipal | Fault | Promise<ClientPrincipal | Fault>;
  /** Why no client can have this principal; undefined if one can. */
  unknown(principal: string): string | undefined;
  /**
   * Watches an open connection: calls `end` once its token is revoked or expired (`UNAUTHENTICATED`), or its rights have changed
   * (`FORBIDDEN`). The returned function stops it.
   */
  watch(token: string | undefined, principal: ClientPrincipal, end: (why: Fault) => void): () => void;
  /** Whether the keys of JWTs are there; undefined if none have to be fetched. */
  readonly keyStatus?: KeySource["status"];
  close(): void;
}

/** No clients are configured: every request has all scopes. */
export const NO_CLIENTS: Clients = {
  identify: () => ANONYMOUS_CLIENT,
  unknown: (principal) =>
    principal === ANONYMOUS_CLIENT.id ? undefined : `must be ${ANONYMOUS_CLIENT.id}: no clients are configured`,
  watch: () => () => undefined,
  close: () => undefined,
};

/**
 * Total characters of tokens whose clients are cached, so that they are not hashed or verified with every request: ten thousand
 * JWTs of usual size. A client counts as some hundred characters.
 */
const CACHED_TEXT = 8_000_000;
const CLIENT_WEIGHT = 300;
const tokenCache = () => lruByWeight<ClientPrincipal>(CACHED_TEXT, (_, token) => token.length + CLIENT_WEIGHT);
/** Interval at which open connections are checked. */
const LOOK_EVERY_MS = 60_000;

interface Watched {
  readonly token: string | undefined;
  readonly principal: ClientPrincipal;
  readonly end: (why: Fault) => void;
  cancel: () => void;
}

interface ClientsParts {
  readonly clock: Clock;
  readonly files: WatchedFiles;
  /** Reads the file of tokens. Default: from the disk. */
  readonly readTokens?: (path: string) => GuardedFile<TokenFile>;
  /** Opens the keys of JWTs. Default: those of the settings. */
  readonly openKeys?: OpenKeys | undefined;
  /** Called when the tokens of the file have changed. */
  readonly changed?: () => void;
  /** Called when the keys of JWTs cannot be fetched; the former keys stay in effect. */
  readonly report: (message: string, error?: unknown) => void;
  /** Shares revoked tokens with other replicas. Default: none. */
  readonly tokens?: TokenStore | undefined;
}

/** Clients with bearer tokens, JWTs, or both. */
export class ConfiguredClients implements Clients {
  #tokens: Tokens;
  readonly #file: WatchedFile | undefined;
  readonly #jwts: Jwts | undefined;
  #verified = tokenCache();
  readonly #watched = new Set<Watched>();

  readonly #clock: Clock;

  /** Throws an `Error` that names the file if one cannot be read. */
  constructor(
    { tokensPath, jwt }: ClientSettings,
    {
      clock,
      files,
      readTokens = readTokenFile,
      report,
      openKeys,
      changed = () => undefined,
      tokens = new MemoryTokens(clock),
    }: ClientsParts,
  ) {
    this.#clock = clock;
    const tokensOf = (records: TokenFile["tokens"]) => new Tokens(records, (id) => tokens.isRevoked(id));
    const { tokens: first, deniedJwts = [] } =
      tokensPath === undefined ? { tokens: [] } : contentOf(tokensPath, readTokens(tokensPath));
    this.#tokens = tokensOf(first);
    if (deniedJwts.length > 0) tokens.announce({ ...NOTHING, denied: deniedJwts.map(denialOf) });
    /** Ids in the last file that could be read. An unreadable file on this replica revokes no tokens elsewhere. */
    let named = this.#tokens.ids;
    const take = ({ tokens: records, deniedJwts = [] }: TokenFile): void => {
      const before = named;
      this.#tokens = tokensOf(records);
      named = this.#tokens.ids;
      this.#changed();
      changed();
      const revoked = [...before].filter((id) => !named.has(id) && !tokens.isRevoked(id));
      const added = [...named].filter((id) => !before.has(id));
      const change = { revoked, added, denied: deniedJwts.map(denialOf) };
      if (Object.values(change).some((some) => some.length > 0)) tokens.announce(change);
    };
    tokens.onChange(() => {
      this.#changed();
      this.look().catch((error: unknown) => report("the file of tokens could not be checked", error));
    });
    this.#file =
      tokensPath === undefined
        ? undefined
        : files.watch({
            setting: "CLIENTS_FILE",
            paths: [tokensPath],
            read: () => readTokens(tokensPath),
            changed: take,
            gone: () => {
              this.#tokens = tokensOf([]);
              this.#changed();
              changed();
              return "every token is refused";
            },
          });
    this.#jwts =
      jwt &&
      new Jwts(jwt, {
        clock,
        files,
        openKeys,
        isDenied: (claims) => tokens.isDenied(claims),
        changed: () => this.#changed(),
        failed: report,
      });
  }

  identify(token: string | undefined): ClientPrincipal | Fault | Promise<ClientPrincipal | Fault> {
    if (token === undefined) return NO_TOKEN;
    const cached = this.#verified.get(token);
    if (cached !== undefined) return this.#unlessExpired(cached);
    if (!token.startsWith(TOKEN_PREFIX)) return this.#jwts === undefined ? BAD_TOKEN : this.#verify(token, this.#jwts);
    const found = this.#tokens.find(token);
    if (found === undefined) return BAD_TOKEN;
    this.#verified.set(token, found);
    return this.#unlessExpired(found);
  }

  unknown(principal: string): string | undefined {
    const [, kind, name = ""] = /^(token|jwt):(.*)$/s.exec(principal) ?? [];
    if (kind === "jwt") return this.#jwts === undefined ? "must be token:<id>: no JWTs are configured" : undefined;
    if (kind === undefined) return "must be token:<id> or jwt:<subject>: every request needs a token";
    if (this.#tokens.ids.has(name)) return undefined;
    const id = this.#tokens.idOf(name);
    return id === undefined
      ? "must be the id of a token in CLIENTS_FILE"
      : `must be token:${id}, the id of the token with this name`;
  }

  watch(token: string | undefined, principal: ClientPrincipal, end: (why: Fault) => void): () => void {
    const watched: Watched = { token, principal, end, cancel: () => undefined };
    this.#watched.add(watched);
    this.#book(watched);
    return () => this.#leave(watched);
  }

  get keyStatus(): KeySource["status"] {
    return this.#jwts?.keyStatus;
  }

  /** Number of connections and waiting requests that are watched. */
  get watched(): number {
    return this.#watched.size;
  }

  /** Checks the file of tokens now instead of at the next interval. */
  async look(): Promise<void> {
    await this.#file?.look();
  }

  close(): void {
    this.#file?.close();
    this.#jwts?.close();
    for (const watched of this.#watched) this.#leave(watched);
  }

  #unlessExpired(principal: ClientPrincipal): ClientPrincipal | Fault {
    return principal.expiresAt === null || this.#clock.now() < principal.expiresAt ? principal : BAD_TOKEN;
  }

  async #verify(token: string, jwts: Jwts): Promise<ClientPrincipal | Fault> {
    const cache = this.#verified;
    const verified = await jwts.verify(token);
    // The cache is not filled if the keys have changed meanwhile, which cleared it.
    if (!(verified instanceof Fault) && cache === this.#verified) cache.set(token, verified);
    return verified;
  }

  #changed(): void {
    this.#verified = tokenCache();
    for (const watched of this.#watched) this.#look(watched);
  }

  #book(watched: Watched): void {
    const left = (watched.principal.expiresAt ?? Number.POSITIVE_INFINITY) - this.#clock.now();
    watched.cancel = this.#clock.after(Math.min(left, LOOK_EVERY_MS), () => this.#look(watched));
  }

  #look(watched: Watched): void {
    const found = this.identify(watched.token);
    if (!(found instanceof Promise)) this.#judge(watched, found);
    else void found.then((later) => this.#judge(watched, later));
  }

  #judge(watched: Watched, found: ClientPrincipal | Fault): void {
    if (!this.#watched.has(watched)) return;
    watched.cancel();
    const isSame = !(found instanceof Fault) && found.key === watched.principal.key;
    if (isSame || found === KEYS_MISSING) this.#book(watched);
    else {
      this.#leave(watched);
      watched.end(found instanceof Fault ? found : RIGHTS_CHANGED);
    }
  }

  #leave(watched: Watched): void {
    watched.cancel();
    this.#watched.delete(watched);
  }
}

const NOTHING = { revoked: [], added: [], denied: [] };

function contentOf(path: string, read: GuardedFile<TokenFile>): TokenFile {
  if ("mistakes" in read) throw new Error(`CLIENTS_FILE: ${path}: ${read.mistakes.join("; ")}`);
  return read.content;
}
