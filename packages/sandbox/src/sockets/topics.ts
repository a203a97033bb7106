import { keyOf } from "@exchange-graph/contract/channels/channel";
import { Beats } from "./beats.js";
import type { Subject } from "./feeds/topicFeed.js";
import { guarded } from "./guarded.js";
import type { Listener } from "./listener.js";
import { PushDelivery } from "./pushDelivery.js";
import type { SocketParts } from "./socketParts.js";
import { Topic } from "./topic.js";

interface Followed {
  readonly topic: Topic;
  readonly stop: () => void;
}

/** All topics with listeners. Nothing is computed for others. */
export class Topics {
  readonly #followed = new Map<string, Followed>();
  /** Topics that follow events. While there are any, the world is kept in step with the clock. */
  readonly #attentive = new Map<Topic, () => void>();
  readonly #beats: Beats;
  readonly #stopListening: () => void;
  #isSettling = false;

  constructor(private readonly parts: Pick<SocketParts, "clock" | "events" | "faults" | "marketMs" | "advance" | "report">) {
    const { clock, events, advance, report } = parts;
    this.#beats = new Beats(clock, advance, report);
    this.#stopListening = events.on((event) => {
      for (const topic of this.#attentive.keys()) guarded(report, () => topic.notice(event));
      this.#settleSoon();
    });
  }

  /** Adds a listener of a subject; `uid` is empty for a public one. The returned function removes it. */
  join(listener: Listener, subject: Subject, uid: string): () => void {
    const key = `${subject.channel.apiVersion}|${uid}|${keyOf(subject.argument)}`;
    this.parts.advance();
    const { topic, stop } = this.#followed.get(key) ?? this.#follow(key, subject, uid);
    topic.join(listener);
    return () => {
      topic.leave(listener);
      if (!topic.isDeserted || this.#followed.get(key)?.topic !== topic) return;
      stop();
      this.#followed.delete(key);
    };
  }

  close(): void {
    this.#stopListening();
    for (const { stop } of this.#followed.values()) stop();
    this.#followed.clear();
  }

  #follow(key: string, subject: Subject, uid: string): Followed {
    const { clock, faults, marketMs } = this.parts;
    const delivery = new PushDelivery(subject.channel.name, faults, clock);
    const topic = new Topic(subject, subject.follow(uid), delivery, clock);
    const { periodMs } = subject;
    const stopBeat = periodMs === undefined ? undefined : this.#beats.join(periodMs, () => topic.advance());
    if (topic.isAttentive)
      this.#attentive.set(
        topic,
        this.#beats.join(marketMs, () => undefined),
      );
    const followed: Followed = {
      topic,
      stop: () => {
        stopBeat?.();
        this.#attentive.get(topic)?.();
        this.#attentive.delete(topic);
      },
    };
    this.#followed.set(key, followed);
    return followed;
  }

  /** State that depends on many events, such as that of an account, is pushed once, at the end of the call that caused them. */
  #settleSoon(): void {
    if (this.#isSettling || this.#attentive.size === 0) return;
    this.#isSettling = true;
    queueMicrotask(() => {
      this.#isSettling = false;
      for (const topic of this.#attentive.keys()) {
        if (topic.subject.periodMs === undefined) guarded(this.parts.report, () => topic.advance());
      }
    });
  }
}
