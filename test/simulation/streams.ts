import type { SandboxInMemory } from "@exchange-graph/sandbox";
import type { FaultRule } from "@exchange-graph/sandbox/control/faults";
import type { ClientPrincipal } from "../../src/access/principal/clientPrincipal.js";
import type { AccountName, ListenerTerms, StreamAction } from "./actions.js";
import { Listener, type ListenerWorld, type ServingGateway, subscriptionTo } from "./listener.js";
import type { Past } from "./past.js";
import type { Profile } from "./profile.js";
import { streamOf } from "./random.js";
import type { Replica } from "./replica.js";
import { SocketNetwork } from "./sockets.js";
import { StreamAuditor, type StreamInvariant, type User } from "./streamAuditor.js";
import type { VirtualTime } from "./time.js";

/** Interval at which what is live is compared with the exchange. */
const LOOK_MS = 1_000;

interface Parts {
  readonly seed: number;
  readonly profile: Profile;
  /** Everything that clients will listen to. */
  readonly listeners: readonly ListenerTerms[];
  readonly time: VirtualTime;
  readonly exchange: SandboxInMemory;
  readonly past: Past;
  /** The gateways that serve now, by place. */
  readonly replicas: () => readonly (Replica | undefined)[];
  readonly principal: (client: string) => ClientPrincipal;
  /** Present name of an account. */
  readonly nameOf: (account: AccountName) => string;
  readonly userOf: (name: string) => User | undefined;
  readonly fail: (invariant: StreamInvariant, text: string) => void;
  readonly failed: (error: unknown) => void;
  readonly trace: (line: string) => void;
  readonly emitted: (client: string, gateway: ServingGateway | undefined, account: string | undefined) => void;
}

/** The streams of a run: the connections of gateways to the exchange, and the clients that listen. */
export class StreamWorld {
  readonly sockets: SocketNetwork;
  readonly #auditor: StreamAuditor;
  readonly #listeners: Listener[] = [];

  constructor(private readonly parts: Parts) {
    const { time, exchange, seed, trace, profile } = parts;
    this.sockets = new SocketNetwork(time, exchange, seed, trace);
    this.#auditor = new StreamAuditor({ ...parts, isLossy: profile.streams?.isLossy === true });
    for (const terms of parts.listeners) this.#auditor.listens(terms);
    if (profile.streams !== undefined) this.#look();
  }

  get heardEvents(): number {
    return this.#auditor.heardEvents;
  }

  act(action: StreamAction): void {
    const { time, exchange } = this.parts;
    switch (action.kind) {
      case "listen":
        this.#listen(action);
        return;
      case "hop":
        this.#pick(action.listener)?.hop(action.place, action.awayMs);
        return;
      case "sluggish":
        this.#pick(action.listener)?.pause(action.forMs);
        return;
      case "sockets":
        this.sockets.strike(action.fault);
        return;
      case "pushes": {
        const { fault, probability, forMs } = action;
        const rule = exchange.faults.add({ fault, probability } as FaultRule);
        time.at("faults", time.now + forMs, () => exchange.faults.remove(rule));
      }
    }
  }

  /** A process is gone, or closes its connections. */
  lost(replica: Replica): void {
    for (const listener of this.#listeners) listener.lost(replica);
  }

  /** The exchange's clock has jumped from this time. */
  jumped(from: number): void {
    this.#auditor.jumped(from);
  }

  /** A process gets no time to run: its listeners cannot be told anything. */
  paused(replica: Replica, forMs: number): void {
    for (const listener of this.#listeners) listener.deafened(replica, forMs);
  }

  /** Faults are over: from now on everything has to work again. */
  calm(): void {
    this.sockets.calm();
  }

  /** Called when everything must work again. */
  checkEnd(): void {
    this.#auditor.checkEnd(this.#listeners);
  }

  close(): void {
    for (const listener of this.#listeners) listener.close();
  }

  #pick(place: number): Listener | undefined {
    return this.#listeners[place % Math.max(1, this.#listeners.length)];
  }

  #listen({ terms, place }: Extract<StreamAction, { kind: "listen" }>): void {
    const { time, seed } = this.parts;
    const name = `listener ${this.#listeners.length}`;
    const world: ListenerWorld = {
      time,
      random: streamOf(seed, name),
      subscribe: async (listener, at, after, sink, asking) => {
        const replicas = this.parts.replicas().filter((replica) => replica !== undefined);
        const gateway = replicas[at % Math.max(1, replicas.length)];
        if (gateway === undefined) return undefined;
        asking(gateway);
        const { topic, accounts, market, isLatest } = listener.terms;
        const isPublic = topic === "ticker" || topic === "book";
        const variables = isPublic
          ? { category: market.category.replace("-", "_"), symbol: market.symbol }
          : { accounts: accounts.map((account) => this.parts.nameOf(account)), pace: { mode: isLatest ? "LATEST" : "ALL" } };
        const client = this.parts.principal(listener.terms.client);
        const subscription = await gateway.subscribe(
          client,
          subscriptionTo(listener.terms),
          variables,
          topic === "fills" ? after : undefined,
          sink,
        );
        return { ...subscription, gateway };
      },
    };
    this.#listeners.push(new Listener(name, terms, place, world, this.#auditor));
  }

  #look(): void {
    const { time } = this.parts;
    time.at("auditor", time.now + LOOK_MS, () => {
      this.#auditor.look();
      this.#look();
    });
  }
}
