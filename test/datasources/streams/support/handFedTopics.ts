import type { Fault } from "../../../../src/datasources/errors/fault.js";
import type { TopicHandle, TopicSink } from "../../../../src/datasources/streams/upstream/link.js";
import type { Topic } from "../../../../src/datasources/streams/upstream/upstreamConnections.js";
import { START } from "./followed.js";

/** The exchange as one replica sees it, fed by hand. */
export class HandFedExchange {
  readonly open: { readonly topic: Topic; readonly sink: TopicSink; renewals: number; isOpen: boolean }[] = [];

  follow(topic: Topic, sink: TopicSink): TopicHandle {
    const one = { topic, sink, renewals: 0, isOpen: true };
    this.open.push(one);
    return {
      renew: () => {
        one.renewals++;
      },
      close: () => {
        one.isOpen = false;
      },
    };
  }

  get current() {
    return this.open.findLast(({ isOpen }) => isOpen);
  }

  push(value: string, time = START): void {
    const { topic, sink } = this.current ?? {};
    if (topic === undefined) throw new Error("nothing is followed");
    sink?.push({ action: "snapshot", argument: topic.argument, data: [value], time }, this);
  }
}

/** The events of a listener, in a line each. */
export class HeardTopic implements TopicSink {
  readonly lines: string[] = [];
  push({ data }: Parameters<TopicSink["push"]>[0]): void {
    this.lines.push(String(data[0]));
  }
  up(): void {
    this.lines.push("up");
  }
  down(): void {
    this.lines.push("down");
  }
  stalled(isStalled: boolean): void {
    this.lines.push(isStalled ? "stalled" : "caught up");
  }
  failed({ code }: Fault): void {
    this.lines.push(code);
  }
}
