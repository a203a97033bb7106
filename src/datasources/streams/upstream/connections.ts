import { channels } from "@exchange-graph/contract/channels";
import type { Argument, Channel } from "@exchange-graph/contract/channels/channel";
import { loginFrame } from "@exchange-graph/contract/channels/frame";
import { SOCKET_LIMITS, socketPath } from "@exchange-graph/contract/channels/limits";
import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { Fault } from "../../fault.js";
import { Budget } from "../../scheduler/budget.js";
import { Link, type TopicHandle, type TopicSink } from "./link.js";
import type { SocketState } from "./socket.js";
import type { Timings } from "./timings.js";

/** Where a topic is: its socket, its argument, and whose it is when it is private. */
export interface Topic {
  readonly socket: Pick<Channel, "apiVersion" | "access">;
  readonly argument: Argument;
  readonly account: ExchangeAccount | undefined;
}

/** One connection as an operator sees it. */
export interface ConnectionState {
  readonly apiVersion: Channel["apiVersion"];
  readonly access: Channel["access"];
  readonly account: string | undefined;
  readonly state: SocketState;
  /** Topics of the link that the connection serves. */
  readonly topics: number;
}

/** The channel that an argument names: one of those that we know, since the name becomes a label. */
const channelNamed = (argument: Argument): string =>
  channels.find((channel) => channel.parameters(argument) !== undefined)?.name ?? "(other)";

interface ConnectionsOptions {
  /** The exchange's WebSocket address; the paths of the four sockets are put behind it. */
  readonly wsUrl: URL;
  readonly clock: Clock;
  /** The exchange's time, Unix ms: logins carry it. */
  readonly exchangeNow: () => number;
  /** Between 0 and 1; spreads reconnections. */
  readonly random: () => number;
  readonly timings: Timings;
  readonly instrumentation: Instrumentation;
}

/** Connections and attempts that we leave unused: somebody else may share our address. */
const SPARE_CONNECTIONS = 20;
const SPARE_CONNECTS = 50;
/** Attempts per window. */
const CONNECTS = SOCKET_LIMITS.connects.limit - SPARE_CONNECTS;
/**
 * Half of the attempts are there at once. The other half is given out at a pace that lasts for a whole window, so that a
 * line that keeps breaking never has to wait for the window's end.
 */
const PACED_CONNECTS = CONNECTS / 2;
const PACE_MS = SOCKET_LIMITS.connects.windowMs / PACED_CONNECTS;

interface Group {
  readonly topic: Pick<Topic, "socket" | "account">;
  readonly links: Set<Link>;
}

/**
 * Spreads topics over as few connections as the exchange's limits and its advice allow: one group of connections for
 * each API version of the public side, and one for each account. A connection without topics is closed.
 */
export class Connections {
  readonly #groups = new Map<string, Group>();
  readonly #connects = new Budget(CONNECTS, SOCKET_LIMITS.connects.windowMs);
  #connectedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: ConnectionsOptions) {}

  /** Follows a topic from now on. Throws `RATE_LIMITED` when all connections are full. */
  follow(topic: Topic, sink: TopicSink): TopicHandle {
    const { socket, account, argument } = topic;
    const key = `${socket.apiVersion} ${socket.access} ${account?.name ?? ""}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { topic: { socket, account }, links: new Set() };
      this.#groups.set(key, group);
    }
    return this.#linkFor(key, group).add(argument, sink);
  }

  /** Every connection there is. */
  states(): readonly ConnectionState[] {
    return [...this.#groups.values()].flatMap(({ topic: { socket, account }, links }) =>
      [...links].flatMap((link) =>
        [...link.sockets].map(({ state }) => ({ ...socket, account: account?.name, state, topics: link.size })),
      ),
    );
  }

  /** The account has another key: its connections are replaced by such as are logged in with that. */
  relogin(account: ExchangeAccount): void {
    for (const link of this.#linksOf(account)) link.relogin();
  }

  /** Ends the connections of an account that is there no more, at once. */
  leave(account: ExchangeAccount): void {
    for (const link of this.#linksOf(account)) link.close();
  }

  close(): void {
    for (const { links } of [...this.#groups.values()]) for (const link of [...links]) link.close();
  }

  #linksOf({ name }: ExchangeAccount): Link[] {
    return [...this.#groups.values()].flatMap(({ topic, links }) => (topic.account?.name === name ? [...links] : []));
  }

  #linkFor(key: string, group: Group): Link {
    const links = [...group.links];
    const roomy = links.find((link) => link.size < SOCKET_LIMITS.advisedChannels);
    if (roomy !== undefined) return roomy;
    if (this.states().length < SOCKET_LIMITS.connections - SPARE_CONNECTIONS) return this.#openLink(key, group);
    const [emptiest] = links.sort((a, b) => a.size - b.size);
    if (emptiest === undefined || emptiest.size >= SOCKET_LIMITS.channels)
      throw new Fault("RATE_LIMITED", "every connection that the exchange allows is full");
    return emptiest;
  }

  #openLink(key: string, group: Group): Link {
    const { wsUrl, clock, random, timings, instrumentation } = this.options;
    const { socket, account } = group.topic;
    const link = new Link({
      url: `${wsUrl.href.replace(/\/+$/, "")}${socketPath(socket.apiVersion, socket.access)}`,
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
