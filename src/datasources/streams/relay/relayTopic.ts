import type { Clock } from "@exchange-graph/contract/clock";
import { Fault } from "../../fault.js";
import type { Entry, RelayStore } from "../../ports/relayStore.js";
import type { Connections, Topic } from "../upstream/connections.js";
import type { TopicHandle, TopicSink } from "../upstream/link.js";
import { EntryPublisher } from "./entryPublisher.js";
import { EntryReader } from "./entryReader.js";
import type { Message } from "./message.js";

/** What a topic needs of its replica. */
export interface RelayParts {
  readonly connections: Pick<Connections, "follow">;
  readonly store: RelayStore;
  readonly clock: Clock;
  /** The store has failed in a way that is no loss of connection. */
  readonly report: (error: unknown) => void;
}

/** What a topic asks of its group. */
interface Owner {
  readonly name: string;
  /** The log has lost an entry, or the lease is somebody else's: another one begins. */
  lost(fence: number): void;
  /** The topic is over. */
  ended(key: string): void;
}

/** A state that is asked for anew is asked for at most so often. */
const RENEW_MS = 1_000;

/** One of the exchange's topics at one replica: followed at the exchange, or as another replica passes it on. */
export class RelayTopic {
  /** Who listens here; nobody where the topic is followed for other replicas alone. */
  #sink: TopicSink | undefined;
  #isUp = false;
  // At the exchange.
  #handle: TopicHandle | undefined;
  #isUpstreamUp = false;
  #renewedAt = Number.NEGATIVE_INFINITY;
  readonly #publisher: EntryPublisher;
  // Behind another replica.
  readonly #reader: EntryReader;
  #source = {};

  constructor(
    private readonly parts: RelayParts,
    private readonly owner: Owner,
    readonly key: string,
    private readonly topic: Topic,
  ) {
    const { store, report } = parts;
    const lost = (fence: number) => owner.lost(fence);
    const isUp = () => this.#isUpstreamUp;
    this.#publisher = new EntryPublisher({ store, report, lost, isUp }, owner.name, key, topic);
    this.#reader = new EntryReader({ store, report }, owner.name, key, {
      begins: () => {
        if (this.#handle === undefined) this.#setUp(false);
        this.#source = {};
      },
      take: (message) => this.#take(message),
      unreadable: () => {
        this.#setUp(false);
        this.renew();
      },
      broke: () => this.#setUp(false),
    });
  }

  get isListenedTo(): boolean {
    return this.#sink !== undefined;
  }

  /** Does the exchange push it to this replica at this moment? */
  get isUpstreamUp(): boolean {
    return this.#handle !== undefined && this.#isUpstreamUp;
  }

  listen(sink: TopicSink): void {
    if (this.#sink !== undefined) throw new Error(`${this.key} is followed already`);
    this.#sink = sink;
    this.#isUp = false;
    if (this.#handle === undefined) return;
    // It has been followed for others so far: its first state is in the past.
    this.parts.clock.after(0, () => {
      if (this.#sink !== sink || !this.#isUpstreamUp) return;
      this.#setUp(true);
      this.#renewState();
    });
  }

  unlisten(): void {
    this.#sink = undefined;
  }

  /** Follows it at the exchange, and passes it on to whoever wants it. */
  lead(fence: number): void {
    if (this.#publisher.fence === fence) return;
    this.#leaveLog();
    this.#publisher.lead(fence);
    if (this.#handle === undefined) this.#open();
  }

  /** Follows it at the exchange for this replica alone. */
  alone(): void {
    this.#leaveLog();
    this.#publisher.stop();
    if (this.#handle === undefined) this.#open();
  }

  /** Follows what another replica passes on. What is followed at the exchange is left as soon as that has begun. */
  follow(): void {
    if (this.#reader.isReading) return;
    this.#publisher.stop();
    this.#reader.start();
  }

  /** Nothing is heard of the replica that leads: the truth may have moved on. */
  suspend(): void {
    this.#publisher.stop();
    this.#leaveLog();
  }

  /** Do other replicas want it? Whoever is the first of them begins with a new state. */
  wanted(isWanted: boolean): void {
    if (this.#publisher.wanted(isWanted) && this.#isUpstreamUp) this.#renewState();
  }

  /** How far the log of whoever leads is. */
  compare(head: Pick<Entry, "fence" | "seq"> | undefined): void {
    this.#reader.compare(head);
  }

  /** Asks for a new state. */
  renew(source?: object): void {
    if (!this.#reader.isReading) this.#handle?.renew(source);
    else this.parts.store.notify(this.owner.name, `renew ${this.key}`);
  }

  /** Another replica asks for a new state. */
  renewForOthers(): void {
    const now = this.parts.clock.now();
    if (this.#publisher.fence === undefined || now - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = now;
    this.#handle?.renew();
  }

  close(): void {
    this.#sink = undefined;
    this.#leaveLog();
    this.#handle?.close();
    this.#handle = undefined;
  }

  #open(): void {
    this.#isUpstreamUp = false;
    try {
      this.#handle = this.parts.connections.follow(this.topic, {
        push: (push, source) => {
          this.#sink?.push(push, source);
          if (!this.#publisher.push(push)) this.renewForOthers();
        },
        up: () => this.#upstream(true),
        down: () => this.#upstream(false),
        failed: (fault) => this.#failed(fault),
      });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#failed(error);
    }
  }

  /** The state of a private topic is read over REST by whoever needs it. */
  #renewState(): void {
    if (this.topic.socket.access === "public") this.#handle?.renew();
  }

  #upstream(isUp: boolean): void {
    this.#isUpstreamUp = isUp;
    this.#setUp(isUp);
    this.#publisher.upstream();
  }

  #failed(fault: Fault): void {
    this.#publisher.failed({ kind: "failed", fault });
    this.#end(fault);
  }

  #end(fault: Fault): void {
    const sink = this.#sink;
    this.owner.ended(this.key);
    sink?.failed(fault);
  }

  #setUp(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    if (isUp) this.#sink?.up();
    else this.#sink?.down();
  }

  #leaveLog(): void {
    if (!this.#reader.isReading) return;
    this.#reader.stop();
    if (this.#handle === undefined) this.#setUp(false);
  }

  #take(message: Message): void {
    switch (message.kind) {
      case "up":
        this.#leaveUpstream();
        this.#setUp(true);
        return;
      case "down":
        if (this.#handle === undefined) this.#setUp(false);
        return;
      case "push":
        this.#leaveUpstream();
        this.#setUp(true);
        this.#sink?.push(message.push, this.#source);
        return;
      case "failed":
        this.#end(message.fault);
    }
  }

  /** What was followed here until another replica has begun is a stream of its own: its state does not go on with the other's. */
  #leaveUpstream(): void {
    if (this.#handle === undefined) return;
    this.#handle.close();
    this.#handle = undefined;
    this.#setUp(false);
  }
}
