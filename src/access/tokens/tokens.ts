import { timingSafeEqual } from "node:crypto";
import { Rights } from "../../resolvers/index.js";
import { ClientPrincipal } from "../principal/clientPrincipal.js";
import type { TokenRecord } from "./tokenFile.js";
import { digestOf } from "./tokenText.js";

/** The bearer tokens that are known, as their clients. */
export class Tokens {
  readonly #byHash: ReadonlyMap<string, { readonly id: string; readonly digest: Buffer; readonly principal: ClientPrincipal }>;

  /** `isRevoked` says of which tokens, by their identifiers, somebody knows that they have been taken back. */
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

  /** The identifiers of all tokens. */
  get ids(): ReadonlySet<string> {
    return new Set([...this.#byHash.values()].map(({ id }) => id));
  }

  /** Whose token this is, if it is one, expired or not. */
  find(token: string): ClientPrincipal | undefined {
    const digest = digestOf(token);
    const known = this.#byHash.get(digest.toString("base64url"));
    const isKnown = known !== undefined && timingSafeEqual(known.digest, digest);
    return isKnown && !this.isRevoked(known.id) ? known.principal : undefined;
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
