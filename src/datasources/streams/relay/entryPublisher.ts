import type { Push } from "@exchange-graph/contract/channels/channel";
import type { RelayStore } from "../../ports/relayStore.js";
import type { Topic } from "../upstream/connections.js";
import { type Message, writeMessage } from "./message.js";
import { type Retained, retainedOf } from "./retained.js";

/** So many entries after a state the next one is put down, well within what the store keeps of a log. */
const KEEP_EVERY = 128;

interface PublisherParts {
  readonly store: RelayStore;
  readonly report: (error: unknown) => void;
  /** The log has lost an entry, or the lease is somebody else's: another one begins. */
  readonly lost: (fence: number) => void;
  /** Does the exchange push it at this moment? */
  readonly isUp: () => boolean;
}

/** Passes a topic on to other replicas under the lease of its group, as long as one of them wants it. */
export class EntryPublisher {
  /** The lease under which it is passed on; nothing while it is not. */
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

  lead(fence: number): void {
    this.#fence = fence;
    this.#seq = 0;
    this.#isWanted = false;
  }

  stop(): void {
    this.#fence = undefined;
    this.#isWanted = false;
  }

  /** Do other replicas want it? True where they begin to: whoever is the first of them needs a new state. */
  wanted(isWanted: boolean): boolean {
    if (this.#isWanted === isWanted) return false;
    this.#isWanted = isWanted;
    this.#retained = isWanted ? retainedOf(this.topic) : undefined;
    if (isWanted) this.#publish({ kind: this.parts.isUp() ? "up" : "down" });
    return isWanted;
  }

  /** The exchange pushes it from now on, or does not. */
  upstream(): void {
    const isUp = this.parts.isUp();
    if (!isUp) this.#retained = this.#isWanted ? retainedOf(this.topic) : undefined;
    this.#publish({ kind: isUp ? "up" : "down" });
  }

  /** False where the push shows that something is missing. */
  push(push: Push): boolean {
    const isWhole = !this.#isWanted || this.#retained?.take(push) !== false;
    this.#publish({ kind: "push", push });
    return isWhole;
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
    if (message.kind === "push" && seq % KEEP_EVERY !== 0) return;
    const isUp = this.parts.isUp();
    const push = isUp ? this.#retained?.current() : undefined;
    const state: Message = push === undefined ? { kind: isUp ? "up" : "down" } : { kind: "push", push };
    this.#stored(
      fence,
      store.keep(this.group, this.key, fence, { seq, text: writeMessage(state) }).then(() => true),
    );
  }

  /** An entry of which nobody knows whether it stands would be a gap that nobody sees: the log ends with it. */
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
