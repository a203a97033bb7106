import { type Action, type Argument, keyOf } from "@exchange-graph/contract/channels/channel";
import { ManualClock } from "@exchange-graph/contract/clock";
import type { Fault } from "../../../../src/datasources/errors/fault.js";
import type { FeedUpstream } from "../../../../src/datasources/streams/feeds/channelFeed.js";
import type { FeedSink } from "../../../../src/datasources/streams/feeds/feed.js";
import type { StreamEvent } from "../../../../src/datasources/streams/listening.js";
import type { TopicSink } from "../../../../src/datasources/streams/upstream/link.js";
import { listen } from "../../../../src/instrumentation/instrumentation.js";
import { ownInstrumentation } from "../../../support/searchedTelemetry.js";
import { START } from "./followed.js";

/** One topic that a feed follows, fed by the test. */
export class HandFedTopic {
  renewals: (object | undefined)[] = [];
  isClosed = false;

  constructor(
    readonly argument: Argument,
    readonly sink: TopicSink,
  ) {}

  push(data: readonly unknown[], action: Action = "update", time = START, source: object = ONLY): void {
    if (!this.isClosed) this.sink.push({ action, argument: this.argument, data, time }, source);
  }
}

const ONLY = { connection: "the only one" };

/** A way to the exchange that a test feeds by hand. */
export interface HandFed {
  readonly clock: ManualClock;
  readonly upstream: FeedUpstream;
  readonly topics: HandFedTopic[];
  readonly unreadable: string[];
  /** The open topic of an argument that has these fields. */
  topic(fields?: Argument): HandFedTopic;
}

export function handFed(): HandFed {
  const clock = new ManualClock(START);
  const topics: HandFedTopic[] = [];
  const unreadable: string[] = [];
  const instrumentation = ownInstrumentation();
  listen(instrumentation, instrumentation.unread, ({ source, error }) => unreadable.push(`${source}: ${String(error)}`));
  return {
    clock,
    topics,
    unreadable,
    upstream: {
      clock,
      exchangeNow: () => clock.now(),
      random: () => 0.5,
      instrumentation,
      connections: {
        follow({ argument }, sink) {
          const topic = new HandFedTopic(argument, sink);
          topics.push(topic);
          return {
            renew: (source) => topic.renewals.push(source),
            close: () => {
              topic.isClosed = true;
            },
          };
        },
      },
    },
    topic(fields = {}) {
      const found = topics.find(
        ({ argument, isClosed }) => !isClosed && Object.entries(fields).every(([name, value]) => argument[name] === value),
      );
      if (found === undefined) throw new Error(`there is no subscription to ${keyOf(fields)}`);
      return found;
    },
  };
}

/** Writes down what a feed says. */
export class Written<T> implements FeedSink<T> {
  readonly events: StreamEvent<T>[] = [];
  isReady = false;
  fault: Fault | undefined;

  emit(event: StreamEvent<T>): void {
    this.events.push(event);
  }

  ready(): void {
    this.isReady = true;
  }

  failed(fault: Fault): void {
    this.fault = fault;
  }

  get last(): StreamEvent<T> {
    const last = this.events.at(-1);
    if (last === undefined) throw new Error("nothing was said");
    return last;
  }
}
