import "reflect-metadata";
import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { GATEWAY } from "../../../src/datasources/calls/scheduler/requester.js";
import type { EventStream } from "../../../src/engine/subscriptions/eventStream.js";
import { FanOut } from "../../../src/engine/subscriptions/fanOut.js";
import type { Conflation, GroupEvent } from "../../../src/engine/subscriptions/frames.js";
import type { SubscriberSink } from "../../../src/engine/subscriptions/subscriberSink.js";
import { settled, turn } from "../../support/eventually.js";

const ALL: Conflation = { mode: "ALL" };

/** A stream whose events the test pushes. */
class Pushed implements EventStream {
  readonly initial = 0;
  received = 0;
  readonly #events: (GroupEvent | undefined)[] = [];
  #wake: () => void = () => undefined;

  constructor(
    readonly isPrivate: boolean,
    readonly pace: Conflation,
  ) {}

  push(text: string, topic: Pick<GroupEvent, "about" | "isLast"> = {}): void {
    this.#events.push({ number: ++this.received, text: JSON.stringify({ text }), notes: "", missed: 0, ...topic });
    this.#wake();
  }
  end(): void {
    this.#events.push(undefined);
    this.#wake();
  }
  async next(): Promise<GroupEvent | undefined> {
    while (this.#events.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#events.shift();
  }
  stop(): void {
    this.end();
  }
}

/** Everything written to all subscribers, in order. */
function setup() {
  const clock = new ManualClock(0);
  const fanOut = new FanOut(clock, { begin: () => undefined });
  const written: { readonly listener: string; readonly text: string }[] = [];
  const sinkOf = (listener: string): SubscriberSink => ({
    isOpen: true,
    unsentBytes: 0,
    backlog: { bytes: 0 },
    write: (frames) => {
      for (const [, text = ""] of frames.eventStream.matchAll(/data: {"text":"([^"]*)"/g)) written.push({ listener, text });
    },
    onceDrained: () => () => undefined,
    cut: () => undefined,
  });
  return {
    clock,
    fanOut,
    written,
    textsOf: (listener: string) => written.filter((one) => one.listener === listener).map(({ text }) => text),
    /** Opens a subscription for this many subscribers. */
    async listen(key: string, listeners: number, { isPrivate = false, pace = ALL, name = key } = {}): Promise<Pushed> {
      const stream = new Pushed(isPrivate, pace);
      let opened = 0;
      // Each later subscriber requests the current state, which does not exist.
      const open = async () => (opened++ === 0 ? stream : new Pushed(isPrivate, pace));
      for (let at = 0; at < listeners; at++) {
        const membership = await fanOut.join(key, open, sinkOf(`${name} ${at}`), GATEWAY);
        if (!(Symbol.asyncIterator in membership)) throw new Error("it was refused");
        void membership.next();
      }
      await settled(2);
      return stream;
    },
  };
}

const MANY = 2_000;
/** Number of subscribers written to before the event loop handles input again. */
const PART = 128;

describe("an event to many listeners", () => {
  it("is sent in batches, and private events are sent first between them", async () => {
    const { listen, written } = setup();
    const prices = await listen("prices", MANY);
    const orders = await listen("orders", 1, { isPrivate: true });
    prices.push("price");
    await turn();
    await turn();
    expect(written.length).toBeGreaterThan(0);
    expect(written.length).toBeLessThanOrEqual(2 * PART);
    orders.push("order");
    await settled(MANY / 16);
    expect(written).toHaveLength(MANY + 1);
    expect(written.findIndex(({ text }) => text === "order")).toBeLessThanOrEqual(3 * PART);
  });

  it("reaches each of them in order, whatever is delivered in between", async () => {
    const { listen, written, textsOf } = setup();
    const prices = await listen("prices", MANY);
    const texts = Array.from({ length: 40 }, (_, at) => `price ${at}`);
    for (const text of texts) {
      prices.push(text);
      await turn();
    }
    await settled(MANY / 16);
    expect(written).toHaveLength(MANY * texts.length);
    for (const at of [0, 1, PART, MANY - 1]) expect(textsOf(`prices ${at}`)).toEqual(texts);
  });

  it("does not delay an event to few listeners", async () => {
    const { listen, written } = setup();
    const [prices, other] = [await listen("prices", MANY), await listen("other prices", 1)];
    prices.push("price");
    await turn();
    other.push("other price");
    await settled(MANY / 16);
    expect(written.findIndex(({ text }) => text === "other price")).toBeLessThanOrEqual(3 * PART);
  });

  it("is not delayed forever by private events", async () => {
    const { listen, textsOf } = setup();
    const prices = await listen("prices", 100);
    const orders = await listen("orders", MANY, { isPrivate: true });
    prices.push("price");
    for (let turns = 0; turns < 10; turns++) {
      orders.push(`order ${turns}`);
      await turn();
    }
    expect(textsOf("prices 99")).toEqual(["price"]);
  });

  it("reaches all of them if the stream ends right after it", async () => {
    const { listen, written } = setup();
    const prices = await listen("prices", MANY);
    prices.push("price");
    await turn();
    prices.push("last price");
    prices.end();
    await settled();
    expect(written).toHaveLength(2 * MANY);
  });

  it("keeps its pace, over what has come meanwhile", async () => {
    const { clock, listen, textsOf } = setup();
    const prices = await listen("prices", MANY, { pace: { mode: "LATEST", everyMs: 500 } });
    prices.push("first");
    await settled(MANY / 16);
    for (const text of ["second", "third"]) prices.push(text);
    await settled(MANY / 16);
    expect(textsOf(`prices ${MANY - 1}`)).toEqual(["first"]);
    clock.advance(500);
    await settled(MANY / 16);
    expect(textsOf(`prices ${MANY - 1}`)).toEqual(["first", "third"]);
  });

  it("queues at most a thousand events, and loses none of them", async () => {
    const { listen, written, textsOf } = setup();
    const trades = await listen("trades", MANY);
    trades.push("first");
    await turn();
    const texts = Array.from({ length: 1_500 }, (_, at) => `${at}`);
    for (const text of texts) trades.push(text);
    await settled(1);
    expect(written.length).toBeGreaterThan(999 * MANY);
    await settled(MANY / 16);
    expect(textsOf(`trades ${MANY - 1}`)).toEqual(["first", ...texts]);
  });

  it("keeps its pace while thousands of events are queued, and sends the newest", async () => {
    const { clock, listen, written } = setup();
    const prices = await listen("prices", 2, { pace: { mode: "LATEST", everyMs: 500 } });
    prices.push("first");
    await settled(2);
    for (let at = 0; at < 2_500; at++) prices.push(`${at}`);
    await settled(2);
    clock.advance(500);
    await settled(2);
    expect(written.map(({ text }) => text)).toEqual(["first", "first", "2499", "2499"]);
  });
});

describe("a subscription to several topics, the stream of one of which has ended", () => {
  it("tells each later listener so, and has it again for those that come five seconds later", async () => {
    const { clock, fanOut, listen, textsOf } = setup();
    const first = await listen("tickers", 1);
    first.push("b has ended", { about: "b", isLast: true });
    first.push("a is 1", { about: "a" });
    await settled(2);
    await listen("tickers", 1, { name: "later" });
    expect(textsOf("later 0")).toEqual(["b has ended"]);
    clock.advance(5_000);
    const anew = await listen("tickers", 1, { name: "last" });
    anew.push("b is 1", { about: "b" });
    first.push("a is 2", { about: "a" });
    await settled(2);
    expect(textsOf("last 0")).toEqual(["b is 1"]);
    expect(textsOf("later 0")).toEqual(["b has ended", "a is 2"]);
    expect([fanOut.groups, fanOut.listeners]).toEqual([2, 3]);
    first.end();
    await settled(2);
    expect([fanOut.groups, fanOut.listeners]).toEqual([1, 1]);
  });

  it("makes few groups if it ends again in each of them", async () => {
    const { clock, fanOut, listen } = setup();
    for (let seconds = 0; seconds < 3_600; seconds += 5) {
      const stream = await listen("tickers", 1);
      stream.push("b has ended", { about: "b", isLast: true });
      await settled(1);
      clock.advance(5_000);
    }
    expect(fanOut.listeners).toBe(720);
    expect(fanOut.groups).toBeLessThan(20);
  });
});
