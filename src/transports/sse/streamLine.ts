import type { ServerResponse } from "node:http";
import { Frames } from "../../engine/subscriptions/frames.js";
import { type Backlog, MAX_UNSENT_BYTES, onceDrained, type SubscriberSink } from "../../engine/subscriptions/subscriberSink.js";
import { endIfStalled } from "../http/writeAnswer.js";

/** Destination of one operation's results on an event stream. */
export interface StreamLine extends SubscriberSink {
  /** Whether the client no longer waits for results. */
  readonly isGone: boolean;
  onceGone(task: () => void): void;
  /** Completes it, after a last result if there is one. */
  end(payload?: string): void;
}

/** A stream for one operation, which ends with it. */
export class ResponseLine implements StreamLine {
  readonly backlog: Backlog = { bytes: 0 };

  constructor(private readonly response: ServerResponse) {}

  get isOpen(): boolean {
    return this.response.writable;
  }

  get isGone(): boolean {
    return this.response.destroyed;
  }

  get unsentBytes(): number {
    return this.response.writableLength;
  }

  write(frames: Frames): void {
    this.response.write(frames.eventStream);
  }

  onceDrained(task: () => void): () => void {
    return onceDrained(this.response, task);
  }

  onceGone(task: () => void): void {
    this.response.once("close", task);
  }

  end(payload?: string): void {
    if (!this.response.writable) return;
    const last = payload === undefined ? "" : new Frames([payload]).eventStream;
    this.response.end(`${last}event: complete\ndata: \n\n`);
    endIfStalled(this.response);
  }

  cut(): void {
    this.response.destroy();
  }
}

/** One of several operations on an event stream. */
export class SharedLine implements StreamLine {
  readonly #whenGone: (() => void)[] = [];
  isGone = false;

  constructor(
    private readonly id: string,
    private readonly response: ServerResponse,
    readonly backlog: Backlog,
  ) {}

  get isOpen(): boolean {
    return !this.isGone && this.response.writable;
  }

  get unsentBytes(): number {
    return this.response.writableLength;
  }

  write(frames: Frames): void {
    this.response.write(frames.eventStreamOf(this.id));
  }

  onceDrained(task: () => void): () => void {
    return onceDrained(this.response, task);
  }

  onceGone(task: () => void): void {
    this.#whenGone.push(task);
  }

  end(payload?: string): void {
    if (this.unsentBytes > MAX_UNSENT_BYTES) this.cut();
    else if (this.isOpen) {
      const last = payload === undefined ? "" : new Frames([payload]).eventStreamOf(this.id);
      this.response.write(`${last}event: complete\ndata: ${JSON.stringify({ id: this.id })}\n\n`);
    }
    this.leave();
  }

  /** The client has ended the operation or disconnected. */
  leave(): void {
    if (this.isGone) return;
    this.isGone = true;
    for (const task of this.#whenGone) task();
  }

  cut(): void {
    this.response.destroy();
  }
}
