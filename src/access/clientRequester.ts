import { clientGone, Fault, type Requester } from "../datasources/index.js";
import type { Clients } from "./clients.js";
import { ANONYMOUS_CLIENT, type ClientPrincipal } from "./principal/clientPrincipal.js";
import type { Presence } from "./principal/presence.js";
import { KEYS_MISSING, RIGHTS_CHANGED } from "./principal/unauthenticated.js";

/** Key under which a client's calls take turns. Without configured clients it is the address. */
export const clientOf = ({ id: principalId }: ClientPrincipal, address: string | undefined): string =>
  principalId === ANONYMOUS_CLIENT.id ? `address:${address ?? ""}` : principalId;

/** A client that waits for an answer. Nothing more is sent for it once it has disconnected or its token has changed. */
export class ClientRequester implements Requester {
  #tasks: Set<(why: Fault) => void> | undefined;
  #unwatch: (() => void) | undefined;

  constructor(
    private readonly clients: Pick<Clients, "identify" | "watch">,
    private readonly token: string | undefined,
    /** As identified when the request arrived. */
    private readonly principal: ClientPrincipal,
    readonly client: string,
    private readonly presence: Presence,
  ) {}

  get weight(): number {
    return this.principal.weight;
  }

  refusal(): Fault | undefined | Promise<Fault | undefined> {
    if (this.presence.isGone) return clientGone();
    const found = this.clients.identify(this.token);
    return found instanceof Promise ? found.then((later) => this.#judged(later)) : this.#judged(found);
  }

  onceRefused(task: (why: Fault) => void): () => void {
    if (this.presence.isGone) {
      task(clientGone());
      return () => undefined;
    }
    this.#tasks ??= new Set();
    this.#tasks.add(task);
    this.#unwatch ??= this.#watch();
    return () => {
      this.#tasks?.delete(task);
      if (this.#tasks?.size === 0) this.#stop();
    };
  }

  /** While keys cannot be fetched, a token that was valid when its request arrived counts as valid. */
  #judged(found: ClientPrincipal | Fault): Fault | undefined {
    if (found instanceof Fault) return found === KEYS_MISSING ? undefined : found;
    return found.key === this.principal.key ? undefined : RIGHTS_CHANGED;
  }

  #watch(): () => void {
    const end = (why: Fault): void => {
      const tasks = [...(this.#tasks ?? [])];
      this.#stop();
      for (const task of tasks) task(why);
    };
    const stops = [this.presence.onceGone(() => end(clientGone())), this.clients.watch(this.token, this.principal, end)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  #stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#tasks = undefined;
  }
}
