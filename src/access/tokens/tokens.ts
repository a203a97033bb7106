import { timingSafeEqual } from "node:crypto";
import { Rights } from "../../resolvers/index.js";
import { Caller } from "../principal/caller.js";
import type { TokenRecord } from "./tokenFile.js";
import { digestOf } from "./tokenText.js";

/** The bearer tokens that are known, as their callers. */
export class Tokens {
  readonly #byHash: ReadonlyMap<string, { readonly digest: Buffer; readonly caller: Caller }>;

  constructor(records: readonly TokenRecord[]) {
    this.#byHash = new Map(
      records.map((record) => [record.hash, { digest: Buffer.from(record.hash, "base64url"), caller: callerOf(record) }]),
    );
  }

  /** Whose token this is, if it is one, expired or not. */
  find(token: string): Caller | undefined {
    const digest = digestOf(token);
    const known = this.#byHash.get(digest.toString("base64url"));
    return known !== undefined && timingSafeEqual(known.digest, digest) ? known.caller : undefined;
  }
}

const callerOf = ({ id, name, scopes, expiresAt, weight }: TokenRecord): Caller =>
  new Caller({
    principal: `token:${id}`,
    name,
    rights: new Rights(scopes),
    expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
    ...(weight === undefined ? {} : { weight }),
  });
