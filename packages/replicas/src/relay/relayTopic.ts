import type { Push } from "@exchange-graph/contract/channels/channel";
import type { Clock } from "@exchange-graph/contract/clock";
import type { Fault } from "../../../../src/datasources/errors/index.js";
import type { Topic, TopicHandle, TopicSink, UpstreamConnections } from "../../../../src/datasources/streams/index.js";
import { EntryPublisher } from "./entryPublisher.js";
import { EntryReader } from "./entryReader.js";
import type { Message } from "./message.js";
import type { RelayEntry, RelayStore } from "./relayStore.js";
import { opensWithState, stateAfter } from "./retained.js";

export interface RelayParts {
  readonly connections: Pick<UpstreamConnections, "follow">;
  readonly store: RelayStore;
  readonly clock: Clock;
  /** Called for an error of the store other than a lost connection. */
  readonly report: (error: unknown) => void;
}

interface TopicGroup {
  readonly name: string;
  /** The log has lost an entry, or another replica has the lease: a new lease begins. */
  lost(fence: number): void;
  ended(key: string): void;
  prepared(): void;
}

/** Minimum interval of requests for a new snapshot. */
const RENEW_MS = 1_000;

/** One of the exchange's topics on one replica: subscribed at the exchange, or read from another replica. */
export class RelayTopic {
  /** The listener; undefined if the topic is followed for other replicas only. */
  #sink: TopicSink | undefined;
  #isUp = false;
  // At the exchange.
  #handle: TopicHandle | undefined;
  #isUpstreamUp = false;
  /** Whether pushes are overdue: those of the exchange, and those for the listener. */
  #isUpstreamStalled = false;
  #isStalled = false;
  /** Time of its last push, by the exchange's clock, Unix ms; null if that has none. */
  #pushedAt: number | null = null;
  /** Whether it is subscribed at the exchange in addition to the log, so that this replica can lead without a gap. */
  #isPreparing = false;
  #renewedAt = Number.NEGATIVE_INFINITY;
  readonly #publisher: EntryPublisher;
  // From another replica.
  /** Whether it has pushed the state that updates change, if there is one. */
  #hasState = false;
  readonly #reader: EntryReader;
  #source = {};

  constructor(
    private readonly parts: RelayParts,
    private readonly owner: TopicGroup,
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
      stateAfter: (log) => stateAfter(topic, log),
      isBehind: (state) => state.some((message) => message.kind === "push" && this.#isPast(message.push)),
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

  /** Whether the exchange pushes it to this replica now. */
  get isUpstreamUp(): boolean {
    return this.#handle !== undefined && this.#isUpstreamUp && !this.#isUpstreamStalled;
  }

  listen(sink: TopicSink): void {
    if (this.#sink !== undefined) throw new Error(`${this.key} is followed already`);
    this.#sink = sink;
    this.#isUp = false;
    this.#isStalled = false;
    if (this.#handle === undefined) return;
    // It was followed for other replicas so far: its first snapshot has already been pushed.
    this.parts.clock.after(0, () => {
      if (this.#sink !== sink || !this.#isUpstreamUp) return;
      this.#setUp(true);
      this.#setStalled(this.#isUpstreamStalled);
      this.#renewState();
    });
  }

  unlisten(): void {
    this.#sink = undefined;
  }

  /**
   * Subscribes at the exchange, and publishes the topic to replicas that want it. `published`: number of entries that its log has
   * under this lease; `head`: end of the former leader's log.
   */
  lead(fence: number, published: number, head?: Pick<RelayEntry, "fence" | "seq">): void {
    if (this.#publisher.fence === fence) return;
    this.#publisher.lead(fence, published);
    this.#goUpstream(!this.#isPreparing || this.#reader.hasAll(head));
  }

  /** Subscribes at the exchange for this replica only. */
  alone(): void {
    this.#publisher.stop();
    this.#goUpstream(!this.#isPreparing);
  }

  /** The leader is about to stop: also subscribes at the exchange until this replica or another one leads. */
  prepare(): void {
    if (!this.#reader.isReading || this.#handle !== undefined) return;
    this.#isPreparing = true;
    this.#publisher.prepare();
    this.#open();
  }

  /** Whether this replica could lead without a gap. */
  get isPrepared(): boolean {
    return this.#handle !== undefined && this.#publisher.isPrepared;
  }

  /** Another replica leads, or the exchange refuses a second subscription. */
  abandon(): void {
    if (!this.#isPreparing) return;
    this.#isPreparing = false;
    this.#publisher.stop();
    this.#handle?.close();
    this.#handle = undefined;
  }

  /** Reads what the replica with this lease publishes. A subscription at the exchange is ended as soon as that has begun. */
  follow(fence: number): void {
    if (!this.#reader.isReading) this.#publisher.stop();
    this.#reader.follow(fence);
  }

  /** The leader sends nothing: the data may be out of date. */
  suspend(): void {
    this.abandon();
    this.#publisher.stop();
    this.#leaveLog();
  }

  /** Whether other replicas want it. The first of them starts with a new snapshot. */
  wanted(isWanted: boolean): void {
    if (this.#publisher.wanted(isWanted) && this.#isUpstreamUp) this.#renewState();
  }

  /** Nobody wants it: who does later, under the same lease, does not begin with what is old by then. Returns its number of entries. */
  end(): number {
    this.#publisher.wanted(false);
    return this.#publisher.published;
  }

  /** Compares with the head of the leader's log. */
  compare(head: Pick<RelayEntry, "fence" | "seq"> | undefined): void {
    this.#reader.compare(head);
  }

  /** Requests a new snapshot. */
  renew(source?: object): void {
    const isOwn = this.#isPreparing && source !== undefined && source !== this.#source;
    if (isOwn || !this.#reader.isReading) this.#handle?.renew(source);
    else this.parts.store.notify(this.owner.name, `renew ${this.key}`);
  }

  /** Another replica requests a new snapshot. */
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

  /** `isWhole`: the exchange's pushes continue what was read. */
  #goUpstream(isWhole: boolean): void {
    this.#isPreparing = false;
    if (!isWhole) this.#setUp(false);
    this.#leaveLog();
    if (this.#handle === undefined) this.#open();
    else {
      this.#setUp(this.#isUpstreamUp);
      this.#setStalled(this.#isUpstreamStalled);
    }
  }

  #open(): void {
    this.#isUpstreamUp = false;
    this.#isUpstreamStalled = false;
    this.#pushedAt = null;
    this.#handle = this.parts.connections.follow(this.topic, {
      push: (push, source) => {
        // Published before it is delivered here, so that the log has everything that this replica's listeners got.
        const isWhole = this.#publisher.push(push);
        this.#pushedAt = push.time;
        this.#sink?.push(push, source);
        if (!isWhole) this.renewForOthers();
        if (this.#isPreparing) this.owner.prepared();
      },
      up: () => this.#upstream(true),
      down: () => this.#upstream(false),
      stalled: (isStalled) => {
        this.#isUpstreamStalled = isStalled;
        if (!this.#isPreparing) this.#setStalled(isStalled);
        this.#publisher.stalled(isStalled);
      },
      failed: (fault) => this.#failed(fault),
    });
  }

  /** Without a subscription there is no snapshot to request, and pushes in the meantime would be missed. */
  #renewState(): void {
    if (opensWithState(this.topic)) this.#handle?.renew();
  }

  #upstream(isUp: boolean): void {
    this.#isUpstreamUp = isUp;
    this.#isUpstreamStalled = false;
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

  /** The log is interrupted, which matters if listeners depend on it. */
  #interrupted(): void {
    if (this.#handle === undefined || this.#isPreparing) this.#setUp(false);
  }

  #setUp(isUp: boolean): void {
    if (!isUp) this.#hasState = false;
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    this.#isStalled = false;
    if (isUp) this.#sink?.up();
    else this.#sink?.down();
  }

  #setStalled(isStalled: boolean): void {
    if (!this.#isUp || this.#isStalled === isStalled) return;
    this.#isStalled = isStalled;
    this.#sink?.stalled(isStalled);
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
        this.#hasState ||= message.push.action === "snapshot" || !opensWithState(this.topic);
        // Without the state that it changes, an update means nothing.
        if (!this.#hasState) return;
        this.#sink?.push(message.push, this.#source);
        return;
      case "stalled":
      case "caughtUp":
        this.#setStalled(message.kind === "stalled");
        return;
      case "failed":
        this.#end(message.fault);
    }
  }

  /** Whether listeners have newer data, from the subscription that is used until another replica has begun. */
  #isPast({ time }: Push): boolean {
    if (!this.isUpstreamUp || this.#isPreparing || this.#pushedAt === null || time === null) return false;
    return time < this.#pushedAt;
  }

  /**
   * The subscription that was used until another replica had begun is a separate stream, which the other's snapshot does not
   * continue.
   */
  #leaveUpstream(): void {
    if (this.#handle === undefined || this.#isPreparing) return;
    this.#handle.close();
    this.#handle = undefined;
    this.#setUp(false);
  }
}
