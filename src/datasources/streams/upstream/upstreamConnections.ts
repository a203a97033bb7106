import { channels } from "@exchange-graph/contract/channels";
import type { Argument, Channel } from "@exchange-graph/contract/channels/channel";
import { loginFrame } from "@exchange-graph/contract/channels/frame";
import { SOCKET_LIMITS, socketPath } from "@exchange-graph/contract/channels/limits";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import { Budget, type ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import { Link, type TopicHandle, type TopicSink } from "./link.js";
import type { SocketOptions, SocketState } from "./upstreamSocket.js";

/** A topic: its socket, its argument, and the account of a private one. */
export interface Topic {
  readonly socket: Pick<Channel, "apiVersion" | "access">;
  readonly argument: Argument;
  readonly account: ExchangeAccount | undefined;
}

/** State of one connection, for operators. */
export interface ConnectionState {
  readonly apiVersion: Channel["apiVersion"];
  readonly access: Channel["access"];
  readonly account: string | undefined;
  readonly state: SocketState;
  /** Number of topics of the connection's link. */
  readonly topics: number;
}

/** The channel of an argument, limited to known ones, because the name becomes a label. */
const channelNamed = (argument: Argument): string =>
  channels.find((channel) => channel.parameters(argument) !== undefined)?.name ?? "(other)";

export interface ConnectionsOptions extends Omit<SocketOptions, "url" | "login"> {
  /** Base address of the exchange's WebSockets; the paths of the four sockets are appended. */
  readonly wsUrl: URL;
  /** The exchange's time, Unix ms. */
  readonly exchangeNow: () => number;
  readonly instrumentation: Instrumentation;
}

/** Connections and attempts that are left unused, because other clients may share the address. */
const SPARE_CONNECTIONS = 20;
const SPARE_CONNECTS = 50;
/** Attempts per window. */
const CONNECTS = SOCKET_LIMITS.connects.limit - SPARE_CONNECTS;
/**
 * Half of the attempts are available at once. The other half is spread over the window, so that an unstable connection never has
 * to wait for the window's end.
 */
const PACED_CONNECTS = CONNECTS / 2;
const PACE_MS = SOCKET_LIMITS.connects.windowMs / PACED_CONNECTS;

interface Group {
  readonly topic: Pick<Topic, "socket" | "account">;
  readonly links: Set<Link>;
}

/**
 * Distributes topics over as few connections as the exchange's limits and recommendations allow: one group of connections for
 * each API version of public data, and one for each account. A connection without topics is closed.
 */
export class UpstreamConnections {
  readonly #groups = new Map<string, Group>();
  readonly #connects = new Budget(CONNECTS, SOCKET_LIMITS.connects.windowMs);
  #connectedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: ConnectionsOptions) {}

  /**
   * Subscribes to a topic. A topic that is followed already is followed over another connection too: after a change of an account's
   * key, other replicas may still read the former stream. Throws `RATE_LIMITED` if all connections are full.
   */
  follow(topic: Topic, sink: TopicSink): TopicHandle {
    const { socket, account, argument } = topic;
    const key = `${socket.apiVersion} ${socket.access} ${account?.name ?? ""}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { topic: { socket, account }, links: new Set() };
      this.#groups.set(key, group);
    }
    return this.#linkFor(key, group, argument).add(argument, sink);
  }

  states(): readonly ConnectionState[] {
    return [...this.#groups.values()].flatMap(({ topic: { socket, account }, links }) =>
      [...links].flatMap((link) =>
        [...link.sockets].map(({ state }) => ({ ...socket, account: account?.name, state, topics: link.size })),
      ),
    );
  }

  /** The account has another key: its connections are replaced by new ones that log in with it. */
  relogin(account: ExchangeAccount): void {
    for (const link of this.#linksOf(account)) link.relogin();
  }

  /** Closes the connections of a removed account at once. */
  leave(account: ExchangeAccount): void {
    for (const link of this.#linksOf(account)) link.close();
  }

  close(): void {
    for (const { links } of [...this.#groups.values()]) for (const link of [...links]) link.close();
  }

  #linksOf({ name }: ExchangeAccount): Link[] {
    return [...this.#groups.values()].flatMap(({ topic, links }) => (topic.account?.name === name ? [...links] : []));
  }

  #linkFor(key: string, group: Group, argument: Argument): Link {
    const links = [...group.links].filter((link) => !link.has(argument));
    const roomy = links.find((link) => link.size < SOCKET_LIMITS.advisedChannels);
    if (roomy !== undefined) return roomy;
    if (this.states().length < SOCKET_LIMITS.connections - SPARE_CONNECTIONS) return this.#openLink(key, group);
    const [emptiest] = links.sort((a, b) => a.size - b.size);
    if (emptiest === undefined || emptiest.size >= SOCKET_LIMITS.channels)
      throw new Fault("RATE_LIMITED", "all stream connections that the exchange allows are full");
    return emptiest;
  }

  #openLink(key: string, group: Group): Link {
    const { wsUrl, openWire, clock, random, timings, instrumentation } = this.options;
    const { socket, account } = group.topic;
    const link = new Link({
      url: `${wsUrl.href.replace(/\/+$/, "")}${socketPath(socket.apiVersion, socket.access)}`,
      openWire,
      clock,
      random,
      timings,
      login: socket.access === "private" ? () => this.#login(account) : undefined,
      mayConnect: () => this.#mayConnect(),
      onIdle: () => {
        group.links.delete(link);
        if (group.links.size === 0 && this.#groups.get(key) === group) this.#groups.delete(key);
      },
      onEnd: (end, cause) => instrumentation.disconnect.publish({ end, cause }),
      onUnreadable: () => instrumentation.unplacedPush.publish({ channel: undefined }),
      onUnplaced: (argument) => instrumentation.unplacedPush.publish({ channel: channelNamed(argument) }),
    });
    group.links.add(link);
    return link;
  }

  #login(account: ExchangeAccount | undefined): string {
    if (account === undefined) throw new Error("a private socket needs an account");
    const { apiKey, apiSecret, passphrase } = account.credentials;
    return loginFrame(
      { apiKey: apiKey.reveal(), secret: apiSecret.reveal(), passphrase: passphrase.reveal() },
      this.options.exchangeNow(),
    );
  }

  #mayConnect(): number {
    const now = this.options.clock.now();
    const wait = this.#connectedAt + PACE_MS - now;
    if (wait > 0 && this.#connects.left(now) <= PACED_CONNECTS) return wait;
    if (!this.#connects.take(now)) return Math.max(1, this.#connects.earliest(now, 0) - now);
    this.#connectedAt = now;
    this.#connects.settle(now);
    return 0;
  }
}
