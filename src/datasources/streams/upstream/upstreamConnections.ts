import type { Argument, Channel } from "@exchange-graph/contract/channels/channel";
import { loginFrame } from "@exchange-graph/contract/channels/frame";
import { SOCKET_LIMITS, socketPath } from "@exchange-graph/contract/channels/limits";
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

export interface ConnectionsOptions extends Omit<SocketOptions, "url" | "login"> {
  /** Base address of the exchange's WebSockets; the paths of the four sockets are appended. */
  readonly wsUrl: URL;
  /** The exchange's time, Unix ms. */
  readonly exchangeNow: () => number;
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

/** What the connections of a link are for: a socket of the exchange, and the account of a private one. */
type LinkPurpose = Pick<Topic, "socket" | "account">;

/**
 * Distributes topics over as few connections as the exchange's limits and recommendations allow: some for each API version of public
 * data, and some for each account. A connection without topics is closed.
 */
export class UpstreamConnections {
  readonly #links = new Map<Link, LinkPurpose>();
  readonly #connects = new Budget(CONNECTS, SOCKET_LIMITS.connects.windowMs);
  #connectedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: ConnectionsOptions) {}

  /**
   * Subscribes to a topic. A topic that is followed already is followed over another connection too: after a change of an account's
   * key, other replicas may still read the former stream. If all connections are full, it fails at once with `RATE_LIMITED`, and
   * has no handle.
   */
  follow(topic: Topic, sink: TopicSink): TopicHandle | undefined {
    const link = this.#linkFor(topic);
    if (link === undefined) sink.failed(new Fault("RATE_LIMITED", "all stream connections that the exchange allows are full"));
    return link?.add(topic.argument, sink);
  }

  states(): readonly ConnectionState[] {
    return [...this.#links].flatMap(([link, { socket, account }]) =>
      [...link.sockets].map(({ state }) => ({ ...socket, account: account?.name, state, topics: link.size })),
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
    for (const link of [...this.#links.keys()]) link.close();
  }

  #linksOf({ name }: ExchangeAccount): Link[] {
    return [...this.#links].flatMap(([link, { account }]) => (account?.name === name ? [link] : []));
  }

  /** Undefined if all connections are full. */
  #linkFor({ argument, ...purpose }: Topic): Link | undefined {
    const links = [...this.#links].flatMap(([link, its]) => (isSame(its, purpose) && !link.has(argument) ? [link] : []));
    const roomy = links.find((link) => link.size < SOCKET_LIMITS.advisedChannels);
    if (roomy !== undefined) return roomy;
    if (this.states().length < SOCKET_LIMITS.connections - SPARE_CONNECTIONS) return this.#openLink(purpose);
    const [emptiest] = links.sort((a, b) => a.size - b.size);
    return emptiest !== undefined && emptiest.size < SOCKET_LIMITS.channels ? emptiest : undefined;
  }

  #openLink(purpose: LinkPurpose): Link {
    const { socket, account } = purpose;
    const link = new Link({
      ...this.options,
      url: `${this.options.wsUrl.href.replace(/\/+$/, "")}${socketPath(socket.apiVersion, socket.access)}`,
      login: socket.access === "private" ? () => this.#login(account) : undefined,
      mayConnect: () => this.#mayConnect(),
      onIdle: () => this.#links.delete(link),
    });
    this.#links.set(link, purpose);
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

const isSame = ({ socket, account }: LinkPurpose, other: LinkPurpose): boolean =>
  socket.apiVersion === other.socket.apiVersion && socket.access === other.socket.access && account?.name === other.account?.name;
