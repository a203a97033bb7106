import { ANYONE, type Principal } from "../../resolvers/access/principal.js";

/** Somebody who asks, with a name that stays the same for as long as it is the same one: for budgets, limits and logs. */
interface Identity extends Principal {
  /** `anyone`, `token:<id>` or `jwt:<subject>`. */
  readonly id: string;
  /** How many turns at a time it has where clients wait for the same. Default: 1. */
  readonly weight?: number;
}

/** The largest weight. */
export const MAX_WEIGHT = 100;

/**
 * All that an answer may depend on besides the operation itself. A request's context is made of its client and of
 * nothing else, and answers are shared under the whole client, so whatever is added here is at once part of both.
 *
 * There is one for each token, not one for each request: its key is written once.
 */
export class ClientPrincipal implements Identity {
  readonly id: string;
  readonly name: Identity["name"];
  readonly rights: Identity["rights"];
  readonly expiresAt: Identity["expiresAt"];
  /** A whole number from 1 to `MAX_WEIGHT`. No answer depends on it, so it is no part of the key. */
  readonly weight: number;
  /** Equal for clients who get equal answers to equal operations, and for no others. Has no line ends. */
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
   * All that the events of a subscription depend on: what its listeners may do, not who they are. Equal for clients with
   * equal rights, so one execution serves them all.
   */
  get asListener(): ClientPrincipal {
    this.#listener ??= new ClientPrincipal({ id: "listener", name: null, rights: this.rights, expiresAt: null });
    return this.#listener;
  }
}

/** Whoever can reach the port of a gateway that has no clients configured. */
export const ANONYMOUS_CLIENT = new ClientPrincipal({ id: "anyone", ...ANYONE });
