import { ManualClock } from "@exchange-graph/contract/clock";
import { beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../../../src/datasources/errors/fault.js";
import type { Feed, FeedSink } from "../../../src/datasources/streams/feeds/feed.js";
import type { Listener, StreamEvent } from "../../../src/datasources/streams/listening.js";
import { TopicHub } from "../../../src/datasources/streams/topicHub.js";
import { seeded } from "../../support/seeded.js";

const event = (value: string): StreamEvent<string> => ({ kind: "snapshot", time: 0, stale: false, value });

class Scripted implements Feed<string> {
  sink: FeedSink<string> | undefined;
  stops = 0;
  state: string | undefined;

  get isLive(): boolean {
    return this.state !== undefined;
  }

  start(sink: FeedSink<string>): void {
    this.sink = sink;
  }

  stop(): void {
    this.stops++;
  }

  current(): StreamEvent<string> | undefined {
    return this.state === undefined ? undefined : event(this.state);
  }

  say(value: string): void {
    this.state = value;
    this.sink?.emit(event(value));
  }
}

class Heard implements Listener<string> {
  readonly values: string[] = [];
  fault: Fault | undefined;

  next({ value }: StreamEvent<string>): void {
    this.values.push(value);
  }

  failed(fault: Fault): void {
    this.fault = fault;
  }
}

describe("the topic hub", () => {
  let clock: ManualClock;
  let errors: unknown[];
  let hub: TopicHub<string>;
  let feeds: Scripted[];
  const open = () => {
    const feed = new Scripted();
    feeds.push(feed);
    return feed;
  };
  const only = (): Scripted => {
    const [feed] = feeds;
    if (feed === undefined || feeds.length > 1) throw new Error(`${feeds.length} feeds`);
    return feed;
  };
  beforeEach(() => {
    clock = new ManualClock(0);
    errors = [];
    feeds = [];
    hub = new TopicHub({ clock, lingerMs: 5_000, readyMs: 15_000, onListenerError: (error) => errors.push(error) });
  });

  it("opens one feed for two thousand listeners, and the last one out closes it", () => {
    const listeners = Array.from({ length: 2_000 }, () => new Heard());
    const leaves = listeners.map((listener) => hub.listen("BTC", open, listener));
    only().say("a");
    expect(listeners.every(({ values }) => values.length === 1)).toBe(true);
    expect(hub.states()).toEqual([{ key: "BTC", listeners: 2_000, isLive: true }]);
    for (const leave of leaves) leave();
    clock.advance(5_000);
    expect(only().stops).toBe(1);
    expect([hub.states(), clock.pending]).toEqual([[], 0]);
  });

  it("emits the current state to a new listener first, then changes", () => {
    hub.listen("BTC", open, new Heard());
    only().say("a");
    only().say("b");
    const late = new Heard();
    hub.listen("BTC", open, late);
    only().say("c");
    expect(late.values).toEqual(["b", "c"]);
  });

  it("sends the whole state each time to listeners that want it, and the changes to others", () => {
    const [changes, whole] = [new Heard(), new Heard()];
    hub.listen("BTC", open, changes);
    hub.listen("BTC", open, whole, { isWhole: true });
    only().sink?.emit(event("a change before there is a state"));
    only().state = "all";
    only().sink?.emit(event("a change"));
    expect(changes.values).toEqual(["a change before there is a state", "a change"]);
    expect(whole.values).toEqual(["a change before there is a state", "all"]);
  });

  it("emits nothing to a new listener while there is no state", () => {
    hub.listen("BTC", open, new Heard());
    const late = new Heard();
    hub.listen("BTC", open, late);
    expect(late.values).toEqual([]);
  });

  it("keeps a topic for listeners that come back soon", () => {
    const leave = hub.listen("BTC", open, new Heard());
    only().say("a");
    leave();
    clock.advance(4_999);
    const back = new Heard();
    hub.listen("BTC", open, back);
    clock.advance(60_000);
    expect(back.values).toEqual(["a"]);
    expect(only().stops).toBe(0);
  });

  it("ignores a second leave, and one of a topic that has ended", () => {
    const leave = hub.listen("BTC", open, new Heard());
    hub.listen("BTC", open, new Heard());
    leave();
    leave();
    expect(hub.states()).toMatchObject([{ listeners: 1 }]);
    only().sink?.failed(new Fault("EXCHANGE_REJECTED", "no"));
    hub.listen("BTC", open, new Heard());
    leave();
    expect(hub.states()).toMatchObject([{ listeners: 1 }]);
  });

  it("counts a listener that listens twice as two", () => {
    const heard = new Heard();
    const leave = hub.listen("BTC", open, heard);
    hub.listen("BTC", open, heard);
    only().say("a");
    leave();
    only().say("b");
    expect(heard.values).toEqual(["a", "a", "b"]);
  });

  it("notifies all listeners when a topic has ended, and opens a new one for the next listener", () => {
    const heard = [new Heard(), new Heard()];
    for (const one of heard) hub.listen("BTC", open, one);
    only().sink?.failed(new Fault("EXCHANGE_REJECTED", "no such symbol"));
    expect(heard.map(({ fault }) => fault?.code)).toEqual(["EXCHANGE_REJECTED", "EXCHANGE_REJECTED"]);
    expect(only().stops).toBe(1);
    hub.listen("BTC", open, new Heard());
    expect(feeds).toHaveLength(2);
    feeds[0]?.say("from the grave");
    expect(hub.states()).toMatchObject([{ listeners: 1 }]);
  });

  it("gives a topic up that does not come up in time", () => {
    const heard = new Heard();
    hub.listen("BTC", open, heard);
    clock.advance(15_000);
    expect(heard.fault?.code).toBe("EXCHANGE_TIMEOUT");
    expect(only().stops).toBe(1);
    expect([hub.states(), clock.pending]).toEqual([[], 0]);
  });

  it.each([
    ["has spoken", (feed: Scripted) => feed.say("a")],
    ["says that it is ready", (feed: Scripted) => feed.sink?.ready()],
  ])("waits for ever for a topic that %s", (_, happen) => {
    const heard = new Heard();
    hub.listen("BTC", open, heard);
    happen(only());
    clock.advance(1_000_000);
    expect(heard.fault).toBeUndefined();
  });

  it("emits to the others when one listener throws", () => {
    const heard = new Heard();
    const throwing: Listener<string> = {
      next: () => {
        throw new Error("mine");
      },
      failed: () => undefined,
    };
    hub.listen("BTC", open, throwing);
    hub.listen("BTC", open, heard);
    only().say("a");
    expect(heard.values).toEqual(["a"]);
    expect(errors).toHaveLength(1);
  });

  it("lets listeners come and go while an event is emitted", () => {
    const late = new Heard();
    const gone = new Heard();
    let leaveGone: () => void = () => undefined;
    const busy: Listener<string> = {
      next: () => {
        leaveGone();
        hub.listen("BTC", open, late);
      },
      failed: () => undefined,
    };
    hub.listen("BTC", open, busy);
    leaveGone = hub.listen("BTC", open, gone);
    only().say("a");
    expect(gone.values).toEqual([]);
    expect(late.values).toEqual(["a"]);
  });

  it("ends everything when it is closed", () => {
    const heard = new Heard();
    hub.listen("BTC", open, heard);
    hub.listen("ETH", open, new Heard());
    hub.close();
    expect(heard.fault?.code).toBe("EXCHANGE_UNAVAILABLE");
    expect(feeds.map(({ stops }) => stops)).toEqual([1, 1]);
    expect([hub.states(), clock.pending]).toEqual([[], 0]);
  });

  it("returns to zero after ten thousand random orders of coming, going, failing and waiting", () => {
    for (let seed = 0; seed < 10_000; seed++) {
      const random = seeded(seed);
      const leaves: (() => void)[] = [];
      const opened: Scripted[] = [];
      const openHere = () => {
        const feed = new Scripted();
        opened.push(feed);
        return feed;
      };
      for (let step = 0; step < 24; step++) {
        const what = random(8);
        if (what < 3) leaves.push(hub.listen(`T${random(3)}`, openHere, new Heard()));
        else if (what < 5) leaves[random(leaves.length + 1)]?.();
        else if (what === 5) opened[random(opened.length + 1)]?.say("x");
        else if (what === 6) opened[random(opened.length + 1)]?.sink?.failed(new Fault("EXCHANGE_REJECTED", "no"));
        else clock.advance(random(20_000));
      }
      for (const leave of leaves) leave();
      clock.advance(5_000);
      expect([hub.states(), clock.pending]).toEqual([[], 0]);
      expect(opened.every(({ stops }) => stops === 1)).toBe(true);
    }
  });
});
