import type { Clock } from "@exchange-graph/contract/clock";
import { Fault } from "../../fault.js";
import type { Entry, RelayStore } from "../../ports/relayStore.js";
import type { Connections, Topic } from "../upstream/connections.js";
import type { TopicHandle, TopicSink } from "../upstream/link.js";
import { type Message, readMessage, writeMessage } from "./message.js";
import { type Retained, retainedOf } from "./retained.js";

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

/** So many entries after a state the next one is put down, well within what the store keeps of a log. */
const KEEP_EVERY = 128;
/** Entries that wait while the log is read. */
const MAX_BUFFERED = 2_000;
/** A state that is asked for anew is asked for at most so often. */
const RENEW_MS = 1_000;

type Position = Pick<Entry, "fence" | "seq">;
const NOWHERE: Position = { fence: 0, seq: 0 };

/** One of the exchange's topics at one replica: followed at the exchange, or as another replica passes it on. */
export class RelayTopic {
  /** Who listens here; nobody where the topic is followed for other replicas alone. */
  #sink: TopicSink | undefined;
  #isUp = false;
  // At the exchange.
  #handle: TopicHandle | undefined;
  #isUpstreamUp = false;
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** The lease under which it is passed on; nothing while it is not. */
  #fence: number | undefined;
  #seq = 0;
  #isWanted = false;
  #retained: Retained | undefined;
  // Behind another replica.
  #stopHearing: (() => void) | undefined;
  #position = NOWHERE;
  #lastHead = NOWHERE;
  /** Entries that came while the log was being read; nothing while it is not. */
  #buffered: Entry[] | undefined;
  /** Different after each new beginning: what was asked for before it counts no more. */
  #joining = 0;
  #source = {};
  #isClosed = false;

  constructor(
    private readonly parts: RelayParts,
    private readonly owner: Owner,
    readonly key: string,
    private readonly topic: Topic,
  ) {}

  get isListenedTo(): boolean {
    return this.#sink !== undefined;
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
    if (this.#fence === fence) return;
    this.#leaveLog();
    this.#fence = fence;
    this.#seq = 0;
    this.#isWanted = false;
    if (this.#handle === undefined) this.#open();
  }

  /** Follows it at the exchange for this replica alone. */
  alone(): void {
    this.#leaveLog();
    this.#fence = undefined;
    this.#isWanted = false;
    if (this.#handle === undefined) this.#open();
  }

  /** Follows what another replica passes on. What is followed at the exchange is left as soon as that has begun. */
  follow(): void {
    if (this.#stopHearing !== undefined) return;
    this.#fence = undefined;
    this.#isWanted = false;
    this.#stopHearing = this.parts.store.hear(this.owner.name, this.key, (entry) => this.#heard(entry));
    this.#rejoin();
  }

  /** Nothing is heard of the replica that leads: the truth may have moved on. */
  suspend(): void {
    if (this.#stopHearing === undefined) return;
    this.#leaveLog();
  }

  /** Do other replicas want it? Whoever is the first of them begins with a new state. */
  wanted(isWanted: boolean): void {
    if (this.#isWanted === isWanted) return;
    this.#isWanted = isWanted;
    this.#retained = isWanted ? retainedOf(this.topic) : undefined;
    if (!isWanted) return;
    this.#publish({ kind: this.#isUpstreamUp ? "up" : "down" });
    if (this.#isUpstreamUp) this.#renewState();
  }

  /** How far the log is: what was there at the last look and has not come by now was lost on its way. */
  compare(head: Position | undefined): void {
    if (this.#stopHearing === undefined || this.#buffered !== undefined) return;
    const { fence, seq } = this.#lastHead;
    if (fence > this.#position.fence) this.#rejoin();
    else if (fence === this.#position.fence && seq > this.#position.seq) this.#catchUp();
    this.#lastHead = head ?? NOWHERE;
  }

  /** Asks for a new state. */
  renew(source?: object): void {
    if (this.#stopHearing === undefined) this.#handle?.renew(source);
    else this.parts.store.notify(this.owner.name, `renew ${this.key}`);
  }

  /** Another replica asks for a new state. */
  renewForOthers(): void {
    const now = this.parts.clock.now();
    if (this.#fence === undefined || now - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = now;
    this.#handle?.renew();
  }

  close(): void {
    this.#isClosed = true;
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
          if (this.#isWanted && this.#retained?.take(push) === false) this.renewForOthers();
          this.#publish({ kind: "push", push });
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
    if (!isUp) this.#retained = this.#isWanted ? retainedOf(this.topic) : undefined;
    this.#publish({ kind: isUp ? "up" : "down" });
  }

  #failed(fault: Fault): void {
    this.#publish({ kind: "failed", fault });
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

  #publish(message: Message): void {
    const fence = this.#fence;
    if (fence === undefined || !this.#isWanted) return;
    const { name } = this.owner;
    const seq = ++this.#seq;
    this.#stored(fence, this.parts.store.publish(name, this.key, { fence, seq, text: writeMessage(message) }));
    if (message.kind === "push" && seq % KEEP_EVERY !== 0) return;
    const push = this.#isUpstreamUp ? this.#retained?.current() : undefined;
    const state: Message = push === undefined ? { kind: this.#isUpstreamUp ? "up" : "down" } : { kind: "push", push };
    this.#stored(
      fence,
      this.parts.store.keep(name, this.key, fence, { seq, text: writeMessage(state) }).then(() => true),
    );
  }

  /** An entry of which nobody knows whether it stands would be a gap that nobody sees: the log ends with it. */
  #stored(fence: number, task: Promise<boolean>): void {
    task.then(
      (isStored) => {
        if (!isStored) this.owner.lost(fence);
      },
      (error: unknown) => {
        this.parts.report(error);
        this.owner.lost(fence);
      },
    );
  }

  #leaveLog(): void {
    if (this.#stopHearing === undefined) return;
    this.#stopHearing();
    this.#stopHearing = undefined;
    this.#joining++;
    this.#buffered = undefined;
    this.#position = NOWHERE;
    this.#lastHead = NOWHERE;
    if (this.#handle === undefined) this.#setUp(false);
  }

  #heard(entry: Entry): void {
    if (this.#buffered !== undefined) {
      if (this.#buffered.length < MAX_BUFFERED) this.#buffered.push(entry);
      else this.#rejoin();
      return;
    }
    const { fence, seq } = this.#position;
    if (entry.fence < fence || (entry.fence === fence && entry.seq <= seq)) return;
    if (entry.fence === fence && entry.seq === seq + 1) this.#take(entry);
    else if (entry.fence > fence && entry.seq === 1) this.#begin(entry);
    else if (entry.fence === fence) this.#catchUp(entry);
    else this.#rejoin();
  }

  #begin(entry: Entry): void {
    if (this.#handle === undefined) this.#setUp(false);
    this.#source = {};
    this.#take(entry);
  }

  #take({ fence, seq, text }: Entry): void {
    this.#position = { fence, seq };
    const message = readMessage(text);
    if (message === undefined) {
      this.parts.report(new Error(`an entry of ${this.key} cannot be read`));
      this.#setUp(false);
      this.renew();
    } else this.#apply(message);
  }

  #apply(message: Message): void {
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
      case "failed": {
        const sink = this.#sink;
        this.owner.ended(this.key);
        sink?.failed(message.fault);
      }
    }
  }

  /** What was followed here until another replica has begun is a stream of its own: its state does not go on with the other's. */
  #leaveUpstream(): void {
    if (this.#handle === undefined) return;
    this.#handle.close();
    this.#handle = undefined;
    this.#setUp(false);
  }

  /** Reads what was missed. Where the log does not reach back so far, a new beginning is made. */
  #catchUp(next?: Entry): void {
    const { fence, seq } = this.#position;
    this.#read(next === undefined ? [] : [next], async () => {
      const missed = (await this.parts.store.since(this.owner.name, this.key, seq)).filter((entry) => entry.fence === fence);
      return () => {
        for (const entry of missed) if (entry.seq === this.#position.seq + 1) this.#take(entry);
        return this.#position.seq > seq;
      };
    });
  }

  #rejoin(): void {
    this.#read([], async () => {
      const { head, kept, entries } = await this.parts.store.join(this.owner.name, this.key);
      return () => {
        // Where the topic was refused, whoever leads tries again for whoever wants it now.
        if (head === undefined || hasFailed(entries.at(-1))) return true;
        const ours = entries.filter(({ fence }) => fence === head.fence);
        const start = kept?.seq ?? 0;
        const later = ours.filter(({ seq }) => seq > start);
        if (start < head.seq && later[0]?.seq !== start + 1) return false;
        this.#begin({ fence: head.fence, seq: start, text: kept?.text ?? writeMessage({ kind: "down" }) });
        for (const entry of later) if (entry.seq === this.#position.seq + 1) this.#take(entry);
        return this.#position.seq >= head.seq;
      };
    });
  }

  /** Buffers what comes while the store is asked. Where that leads nowhere, it is begun anew with the next look. */
  #read(buffered: Entry[], ask: () => Promise<() => boolean>): void {
    const joining = ++this.#joining;
    this.#buffered = buffered;
    ask().then(
      (apply) => {
        if (joining !== this.#joining || this.#isClosed) return;
        const isWhole = apply();
        const waiting = this.#buffered ?? [];
        this.#buffered = undefined;
        if (!isWhole) this.#broke();
        else for (const entry of waiting) if (joining === this.#joining) this.#heard(entry);
      },
      (error: unknown) => {
        if (joining !== this.#joining || this.#isClosed) return;
        this.#buffered = undefined;
        this.parts.report(error);
        this.#broke();
      },
    );
  }

  /** What is known cannot be made whole now: it stands as interrupted, and the next look begins anew. */
  #broke(): void {
    this.#setUp(false);
    this.#position = NOWHERE;
    this.#lastHead = { fence: Number.MAX_SAFE_INTEGER, seq: 0 };
  }
}

const hasFailed = (entry: Entry | undefined): boolean => entry !== undefined && readMessage(entry.text)?.kind === "failed";
