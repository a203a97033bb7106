import type { Push } from "@exchange-graph/contract/channels/channel";
import type { Topic } from "../../../../src/datasources/streams/index.js";
import { type Message, writeMessage } from "./message.js";
import type { RelayStore } from "./relayStore.js";
import { opensWithState, type Retained, retainedOf } from "./retained.js";

/** Number of entries after which a new snapshot is stored, well within the length of the store's log. */
const KEEP_EVERY = 128;

interface PublisherParts {
  readonly store: RelayStore;
  readonly report: (error: unknown) => void;
  /** Called when the log has lost an entry, or another replica has the lease: a new lease begins. */
  readonly lost: (fence: number) => void;
  /** Whether the exchange pushes the topic now. */
  readonly isUp: () => boolean;
}

/** Publishes a topic to other replicas under the lease of its group, as long as one of them wants it. */
export class EntryPublisher {
  /** Fence of the lease; undefined while it is not published. */
  #fence: number | undefined;
  #seq = 0;
  #isWanted = false;
  #retained: Retained | undefined;

  constructor(
    private readonly parts: PublisherParts,
    private readonly group: string,
    private readonly key: string,
    private readonly topic: Topic,
  ) {}

  get fence(): number | undefined {
    return this.#fence;
  }

  /** Collects the snapshot for joining replicas in advance. */
  prepare(): void {
    this.#retained = retainedOf(this.topic);
  }

  /** Whether it could be published at once, with the snapshot for joining replicas. */
  get isPrepared(): boolean {
    const isThere = this.#retained?.current() !== undefined || !opensWithState(this.topic);
    return this.parts.isUp() && isThere;
  }

  /** Number of entries that the log has under this lease. */
  get published(): number {
    return this.#seq;
  }

  lead(fence: number, published: number): void {
    this.#fence = fence;
    this.#seq = published;
    this.#isWanted = false;
  }

  stop(): void {
    this.#fence = undefined;
    this.#isWanted = false;
    this.#retained = undefined;
  }

  /** Whether other replicas want the topic. Returns true if they begin to, and need a snapshot that is not known. */
  wanted(isWanted: boolean): boolean {
    if (this.#isWanted === isWanted) return false;
    if (!isWanted) {
      // A replica may still read although its request to lead has expired. It has to know that entries are missing from here on.
      this.#publish({ kind: "down" });
      this.#isWanted = false;
      this.#retained = undefined;
      return false;
    }
    this.#isWanted = true;
    this.#retained ??= retainedOf(this.topic);
    const state = this.#state();
    this.#publish(state);
    return state.kind !== "push";
  }

  /** The connection to the exchange has come up or gone down. */
  upstream(): void {
    const isUp = this.parts.isUp();
    if (!isUp && this.#retained !== undefined) this.#retained = retainedOf(this.topic);
    this.#publish({ kind: isUp ? "up" : "down" });
  }

  /** False if the push shows that a message is missing. */
  push(push: Push): boolean {
    const isWhole = this.#retained?.take(push) !== false;
    this.#publish({ kind: "push", push });
    return isWhole;
  }

  /** The exchange's pushes are overdue, or have all arrived. */
  stalled(isStalled: boolean): void {
    this.#publish({ kind: isStalled ? "stalled" : "caughtUp" });
  }

  failed(message: Extract<Message, { kind: "failed" }>): void {
    this.#publish(message);
  }

  #publish(message: Message): void {
    const fence = this.#fence;
    if (fence === undefined || !this.#isWanted) return;
    const { store } = this.parts;
    const seq = ++this.#seq;
    this.#stored(fence, store.publish(this.group, this.key, { fence, seq, text: writeMessage(message) }));
    // A joining replica has to read the entry that pushes are overdue.
    if (message.kind === "stalled" || (message.kind === "push" && seq % KEEP_EVERY !== 0)) return;
    const text = writeMessage(message.kind === "down" ? message : this.#state());
    this.#stored(
      fence,
      store.keep(this.group, this.key, fence, { seq, text }).then(() => true),
    );
  }

  /** What a joining replica begins with. */
  #state(): Message {
    const isUp = this.parts.isUp();
    const push = isUp ? this.#retained?.current() : undefined;
    return push === undefined ? { kind: isUp ? "up" : "down" } : { kind: "push", push };
  }

  /** An entry that was possibly not stored would be an undetected gap, so it ends the log. */
  #stored(fence: number, task: Promise<boolean>): void {
    task.then(
      (isStored) => {
        if (!isStored) this.parts.lost(fence);
      },
      (error: unknown) => {
        this.parts.report(error);
        this.parts.lost(fence);
      },
    );
  }
}
