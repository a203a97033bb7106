import type { Action } from "@exchange-graph/contract/channels/channel";
import type { Clock } from "@exchange-graph/contract/clock";
import type { WorldEvent } from "../world/worldEvents.js";
import type { MarketSource, Subject } from "./feeds/topicFeed.js";
import type { Listener } from "./listener.js";
import type { PushDelivery } from "./pushDelivery.js";
import { pushFrame } from "./socketMessages.js";

/** One subject with its listeners. Pushes are computed, written and encoded once for all of them. */
export class Topic {
  readonly #listeners = new Set<Listener>();
  readonly #argument: string;

  constructor(
    readonly subject: Subject,
    private readonly source: MarketSource,
    private readonly delivery: PushDelivery,
    private readonly clock: Clock,
  ) {
    this.#argument = JSON.stringify(subject.argument);
  }

  get isDeserted(): boolean {
    return this.#listeners.size === 0;
  }

  /** Whether it follows events of the world. */
  get isAttentive(): boolean {
    return this.source.notice !== undefined;
  }

  /** Adds a listener. An existing one is not added twice. */
  join(listener: Listener): void {
    if (this.#listeners.has(listener)) return;
    this.#listeners.add(listener);
    const data = this.source.opening();
    if (data !== undefined) listener.send(this.#frame("snapshot", data));
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  advance(): void {
    this.#push(this.source.advance());
  }

  notice(event: WorldEvent): void {
    this.#push(this.source.notice?.(event));
  }

  #push(data: string | undefined): void {
    if (data === undefined) return;
    this.delivery.push(this.#frame(this.subject.channel.continues, data), this.#listeners);
  }

  #frame(action: Action, data: string): string {
    return pushFrame(this.subject.channel, this.#argument, action, data, this.clock.now());
  }
}
