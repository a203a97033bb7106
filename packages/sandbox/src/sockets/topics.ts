import { type Action, keyOf } from "@exchange-graph/contract/channels/channel";
import type { Clock } from "@exchange-graph/contract/clock";
import type { Faults, PushFault } from "../control/faults.js";
import type { WorldEvent } from "../world/worldEvents.js";
import type { MarketSource, Subject } from "./feeds/topicFeed.js";
import { pushFrame } from "./socketMessages.js";
import { guarded, type Listener, type Report, type SocketParts } from "./socketParts.js";

/** Sends the pushes of one topic to its listeners, in order and unchanged unless a fault applies. */
class PushDelivery {
  #held: string | undefined;

  constructor(
    private readonly channel: string,
    private readonly faults: Faults,
    private readonly clock: Clock,
  ) {}

  push(frame: string, listeners: Iterable<Listener>): void {
    const struck = this.faults.drawPush(this.channel);
    if (struck.length === 0) this.#sendInOrder(frame, listeners);
    else this.#spoil(frame, listeners, struck);
  }

  #spoil(frame: string, listeners: Iterable<Listener>, struck: readonly PushFault[]): void {
    let text = frame;
    let delayMs = 0;
    let copies = 1;
    for (const fault of struck) {
      if (fault.kind === "silent") for (const listener of listeners) listener.silence();
      else if (fault.kind === "drop") for (const listener of listeners) listener.drop();
      else if (fault.kind === "skip") copies = 0;
      else if (fault.kind === "repeat") copies *= 2;
      else if (fault.kind === "wrong-checksum") text = withWrongChecksum(text);
      else if (fault.kind === "delay") delayMs += fault.delayMs;
      else if (this.#held === undefined) {
        this.#held = text;
        return;
      }
    }
    const send = () => {
      for (let sent = 0; sent < copies; sent++) this.#sendInOrder(text, listeners);
    };
    if (delayMs > 0) this.clock.after(delayMs, send);
    else send();
  }

  /** A delayed push is sent right after the one that should have followed it. */
  #sendInOrder(frame: string, listeners: Iterable<Listener>): void {
    sendAll(frame, listeners);
    if (this.#held === undefined) return;
    const held = this.#held;
    this.#held = undefined;
    sendAll(held, listeners);
  }
}

function sendAll(frame: string, listeners: Iterable<Listener>): void {
  const bytes = Buffer.from(frame);
  for (const listener of listeners) listener.send(bytes);
}

const withWrongChecksum = (frame: string): string =>
  frame.replace(/"checksum":(-?\d+)/, (_, sum: string) => `"checksum":${Number.parseInt(sum, 10) ^ 0x2a}`);

/** One subject with its listeners. Pushes are computed, written and encoded once for all of them. */
class Topic {
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
    const data = this.source.opening?.();
    if (data !== undefined) listener.send(this.#frame("snapshot", data));
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  advance(): void {
    this.#push(this.source.advance?.());
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

interface Beat {
  readonly members: Set<() => void>;
  cancel: () => void;
}

/**
 * Periodic tasks: all members of a period are called together, at each of its multiples. A period without members has no timer.
 */
class Beats {
  readonly #beats = new Map<number, Beat>();

  /** `before` runs ahead of every beat. */
  constructor(
    private readonly clock: Clock,
    private readonly before: () => void,
    private readonly report: Report,
  ) {}

  /** Calls `member` every `periodMs`; the returned function removes it. */
  join(periodMs: number, member: () => void): () => void {
    const beat = this.#beats.get(periodMs) ?? this.#begin(periodMs);
    beat.members.add(member);
    return () => {
      beat.members.delete(member);
      if (beat.members.size > 0) return;
      beat.cancel();
      this.#beats.delete(periodMs);
    };
  }

  #begin(periodMs: number): Beat {
    const beat: Beat = { members: new Set(), cancel: () => undefined };
    const wait = () => {
      beat.cancel = this.clock.after(periodMs - (this.clock.now() % periodMs), () => {
        wait();
        guarded(this.report, this.before);
        for (const member of beat.members) guarded(this.report, member);
      });
    };
    wait();
    this.#beats.set(periodMs, beat);
    return beat;
  }
}

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
