import { ANYONE, type Principal } from "../../resolvers/access/principal.js";

/** A client with a stable id, for quotas, limits and logs. */
interface Identity extends Principal {
  /** `anyone`, `token:<id>` or `jwt:<subject>`. */
  readonly id: string;
  /** Share of a client's calls when clients compete for a rate limit. Default: 1. */
  readonly weight?: number;
}

export const MAX_WEIGHT = 100;

/**
 * Everything that an answer may depend on besides the operation. A request's context is made from its client alone, and answers
 * are shared per client key, so a new property has to be part of both.
 *
 * There is one per token, not one per request, so its key is computed once.
 */
export class ClientPrincipal implements Identity {
  readonly id: string;
  readonly name: Identity["name"];
  readonly rights: Identity["rights"];
  readonly expiresAt: Identity["expiresAt"];
  /** A whole number from 1 to `MAX_WEIGHT`. Answers do not depend on it, so it is not part of the key. */
  readonly weight: number;
  /** Equal for clients with equal answers to equal operations, and different otherwise. Contains no line breaks. */
  readonly key: string;
  #listener: ClientPrincipal | undefined;

  constructor({ id: principalId, name, rights, expiresAt, weight = 1 }: Identity) {
    this.id = principalId;
    this.name = name;
    this.rights = rights;
    this.expiresAt = expiresAt;
    this.weight = weight;
    this.key = JSON.stringify({ principalId, name, rights, expiresAt });
  }

  /**
   * The principal that events of a subscription depend on: the rights of listeners without their identity. Equal for clients with
   * equal rights, so that one execution serves all of them.
   */
  get asListener(): ClientPrincipal {
    this.#listener ??= new ClientPrincipal({ id: "listener", name: null, rights: this.rights, expiresAt: null });
    return this.#listener;
  }
}

/** The client of every request to a gateway without configured clients. */
export const ANONYMOUS_CLIENT = new ClientPrincipal({ id: "anyone", ...ANYONE });
