import { timingSafeEqual } from "node:crypto";
import { Rights } from "../../resolvers/index.js";
import { ClientPrincipal } from "../principal/clientPrincipal.js";
import type { TokenRecord } from "./tokenFile.js";
import { digestOf } from "./tokenText.js";

/** The valid bearer tokens and their clients. */
export class Tokens {
  readonly #byHash: ReadonlyMap<string, { readonly id: string; readonly digest: Buffer; readonly principal: ClientPrincipal }>;

  /** `isRevoked`: whether the token with this id is known to be revoked. */
  constructor(
    records: readonly TokenRecord[],
    private readonly isRevoked: (id: string) => boolean,
  ) {
    this.#byHash = new Map(
      records.map((record) => [
        record.hash,
        { id: record.id, digest: Buffer.from(record.hash, "base64url"), principal: principalOf(record) },
      ]),
    );
  }

  get ids(): ReadonlySet<string> {
    return new Set([...this.#byHash.values()].map(({ id }) => id));
  }

  /** The id of the token with this name; undefined if there is none. */
  idOf(name: string): string | undefined {
    return [...this.#byHash.values()].find(({ principal }) => principal.name === name)?.id;
  }

  /** The client of a token, expired or not; undefined for an unknown token. */
  find(token: string): ClientPrincipal | undefined {
    const digest = digestOf(token);
    const entry = this.#byHash.get(digest.toString("base64url"));
    const isKnown = entry !== undefined && timingSafeEqual(entry.digest, digest);
    return isKnown && !this.isRevoked(entry.id) ? entry.principal : undefined;
  }
}

const principalOf = ({ id, name, scopes, expiresAt, weight }: TokenRecord): ClientPrincipal =>
  new ClientPrincipal({
    id: `token:${id}`,
    name,
    rights: new Rights(scopes),
    expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
    ...(weight === undefined ? {} : { weight }),
  });
