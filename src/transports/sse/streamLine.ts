import type { ServerResponse } from "node:http";
import { Frames } from "../../engine/subscriptions/frames.js";
import { type Backlog, MAX_OWED_BYTES, onceDrained, type SubscriberSink } from "../../engine/subscriptions/subscriberSink.js";
import { endIfStalled } from "../http/endIfStalled.js";

/** Where the results of one operation leave over an event stream. */
export interface StreamLine extends SubscriberSink {
  /** Nobody waits for its results any more. */
  readonly isGone: boolean;
  onceGone(task: () => void): void;
  /** Ends it in order, after one last result if there is one. */
  end(payload?: string): void;
}

/** An event stream of its own: it ends with its operation. */
export class ResponseLine implements StreamLine {
  readonly backlog: Backlog = { bytes: 0 };

  constructor(private readonly response: ServerResponse) {}

  get isOpen(): boolean {
    return this.response.writable;
  }

  get isGone(): boolean {
    return this.response.destroyed;
  }

  get owedBytes(): number {
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

/** One operation of several on an event stream. */
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

  get owedBytes(): number {
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
    if (this.owedBytes > MAX_OWED_BYTES) this.cut();
    else if (this.isOpen) {
      const last = payload === undefined ? "" : new Frames([payload]).eventStreamOf(this.id);
      this.response.write(`${last}event: complete\ndata: ${JSON.stringify({ id: this.id })}\n\n`);
    }
    this.leave();
  }

  /** The client wants no more of it, or is gone. */
  leave(): void {
    if (this.isGone) return;
    this.isGone = true;
    for (const task of this.#whenGone) task();
  }

  cut(): void {
    this.response.destroy();
  }
}
