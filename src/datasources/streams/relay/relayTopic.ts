import type { Clock } from "@exchange-graph/contract/clock";
import { Fault } from "../../fault.js";
import type { Entry, RelayStore } from "../../ports/relayStore.js";
import type { Connections, Topic } from "../upstream/connections.js";
import type { TopicHandle, TopicSink } from "../upstream/link.js";
import { EntryPublisher } from "./entryPublisher.js";
import { EntryReader } from "./entryReader.js";
import type { Message } from "./message.js";
import { opensWithState } from "./retained.js";

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
  /** What is prepared has come further. */
  prepared(): void;
}

/** A state is requested again at most this often. */
const RENEW_MS = 1_000;

/** One of the exchange's topics at one replica: followed at the exchange, or as another replica passes it on. */
export class RelayTopic {
  /** Who listens here; nobody where the topic is followed for other replicas alone. */
  #sink: TopicSink | undefined;
  #isUp = false;
  // At the exchange.
  #handle: TopicHandle | undefined;
  #isUpstreamUp = false;
  /** Is it followed at the exchange beside the log, so that this replica can lead without a gap? */
  #isPreparing = false;
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
        this.abandon();
        this.#interrupted();
        this.#source = {};
      },
      take: (message) => this.#take(message),
      unreadable: () => {
        this.#interrupted();
        this.renew();
      },
      broke: () => this.#interrupted(),
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

  /** Follows it at the exchange, and passes it on to whoever wants it. `head`: how far the log is of whoever led before. */
  lead(fence: number, head?: Pick<Entry, "fence" | "seq">): void {
    if (this.#publisher.fence === fence) return;
    this.#publisher.lead(fence);
    this.#goUpstream(!this.#isPreparing || this.#reader.hasAll(head));
  }

  /** Follows it at the exchange for this replica alone. */
  alone(): void {
    this.#publisher.stop();
    this.#goUpstream(!this.#isPreparing);
  }

  /** Whoever leads is about to stop: follows the topic at the exchange too, until this replica leads or another one does. */
  prepare(): void {
    if (!this.#reader.isReading || this.#handle !== undefined) return;
    this.#isPreparing = true;
    this.#publisher.prepare();
    this.#open();
  }

  /** Could this replica lead without a gap? */
  get isPrepared(): boolean {
    return this.#handle !== undefined && this.#publisher.isPrepared;
  }

  /** Another replica leads, or the exchange does not want the topic from this one as well. */
  abandon(): void {
    if (!this.#isPreparing) return;
    this.#isPreparing = false;
    this.#publisher.stop();
    this.#handle?.close();
    this.#handle = undefined;
  }

  /** Follows what another replica passes on. What is followed at the exchange is left as soon as that has begun. */
  follow(): void {
    if (this.#reader.isReading) return;
    this.#publisher.stop();
    this.#reader.start();
  }

  /** The leading replica sends nothing: the data may be out of date. */
  suspend(): void {
    this.abandon();
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
    const isOwn = this.#isPreparing && source !== undefined && source !== this.#source;
    if (isOwn || !this.#reader.isReading) this.#handle?.renew(source);
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

  /** `isWhole`: what comes from the exchange goes on with what was read. */
  #goUpstream(isWhole: boolean): void {
    this.#isPreparing = false;
    if (!isWhole) this.#setUp(false);
    this.#leaveLog();
    if (this.#handle === undefined) this.#open();
    else this.#setUp(this.#isUpstreamUp);
  }

  #open(): void {
    this.#isUpstreamUp = false;
    try {
      this.#handle = this.parts.connections.follow(this.topic, {
        push: (push, source) => {
          this.#sink?.push(push, source);
          if (!this.#publisher.push(push)) this.renewForOthers();
          if (this.#isPreparing) this.owner.prepared();
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

  /** Without a state there is nothing to ask for, and what came meanwhile would be missed. */
  #renewState(): void {
    if (opensWithState(this.topic)) this.#handle?.renew();
  }

  #upstream(isUp: boolean): void {
    this.#isUpstreamUp = isUp;
    if (!this.#isPreparing) this.#setUp(isUp);
    this.#publisher.upstream();
    if (this.#isPreparing) this.owner.prepared();
  }

  #failed(fault: Fault): void {
    if (this.#isPreparing) {
      this.abandon();
      return;
    }
    this.#publisher.failed({ kind: "failed", fault });
    this.#end(fault);
  }

  #end(fault: Fault): void {
    const sink = this.#sink;
    this.owner.ended(this.key);
    sink?.failed(fault);
  }

  /** The log does not go on, which matters where it is what listeners hear. */
  #interrupted(): void {
    if (this.#handle === undefined || this.#isPreparing) this.#setUp(false);
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
    if (!this.isUpstreamUp) this.#setUp(false);
  }

  #take(message: Message): void {
    switch (message.kind) {
      case "up":
        this.#leaveUpstream();
        this.#setUp(true);
        return;
      case "down":
        this.#interrupted();
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
    if (this.#handle === undefined || this.#isPreparing) return;
    this.#handle.close();
    this.#handle = undefined;
    this.#setUp(false);
  }
}
