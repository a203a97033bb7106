import type { Push } from "@exchange-graph/contract/channels/channel";
import type { RelayStore } from "../../ports/relayStore.js";
import type { Topic } from "../upstream/connections.js";
import { type Message, writeMessage } from "./message.js";
import { opensWithState, type Retained, retainedOf } from "./retained.js";

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

  /** Collects what a newcomer starts from: it is to be passed on soon. */
  prepare(): void {
    this.#retained = retainedOf(this.topic);
  }

  /** Could it be passed on at once, with the state that a newcomer starts from? */
  get isPrepared(): boolean {
    const isThere = this.#retained?.current() !== undefined || !opensWithState(this.topic);
    return this.parts.isUp() && isThere;
  }

  lead(fence: number): void {
    this.#fence = fence;
    this.#seq = 0;
    this.#isWanted = false;
  }

  stop(): void {
    this.#fence = undefined;
    this.#isWanted = false;
    this.#retained = undefined;
  }

  /** Do other replicas want it? True where they begin to, and need a state that is not known. */
  wanted(isWanted: boolean): boolean {
    if (this.#isWanted === isWanted) return false;
    if (!isWanted) {
      // Whoever reads on, because its wish ran out without its knowing, is to know that something is missing from here on.
      this.#publish({ kind: "down" });
      this.#isWanted = false;
      this.#retained = undefined;
      return false;
    }
    this.#isWanted = true;
    this.#retained ??= retainedOf(this.topic);
    const isUp = this.parts.isUp();
    const state = isUp ? this.#retained.current() : undefined;
    this.#publish(state === undefined ? { kind: isUp ? "up" : "down" } : { kind: "push", push: state });
    return state === undefined;
  }

  /** The exchange pushes it from now on, or does not. */
  upstream(): void {
    const isUp = this.parts.isUp();
    if (!isUp && this.#retained !== undefined) this.#retained = retainedOf(this.topic);
    this.#publish({ kind: isUp ? "up" : "down" });
  }

  /** False where the push shows that something is missing. */
  push(push: Push): boolean {
    const isWhole = this.#retained?.take(push) !== false;
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
    const isUp = message.kind !== "down" && this.parts.isUp();
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
