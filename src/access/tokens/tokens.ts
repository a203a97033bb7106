import { timingSafeEqual } from "node:crypto";
import { Rights } from "../../resolvers/index.js";
import { ClientPrincipal } from "../principal/clientPrincipal.js";
import type { TokenRecord } from "./tokenFile.js";
import { digestOf } from "./tokenText.js";

/** The bearer tokens that are known, as their clients. */
export class Tokens {
  readonly #byHash: ReadonlyMap<string, { readonly digest: Buffer; readonly principal: ClientPrincipal }>;

  constructor(records: readonly TokenRecord[]) {
    this.#byHash = new Map(
      records.map((record) => [record.hash, { digest: Buffer.from(record.hash, "base64url"), principal: principalOf(record) }]),
    );
  }

  /** Whose token this is, if it is one, expired or not. */
  find(token: string): ClientPrincipal | undefined {
    const digest = digestOf(token);
    const known = this.#byHash.get(digest.toString("base64url"));
    return known !== undefined && timingSafeEqual(known.digest, digest) ? known.principal : undefined;
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
