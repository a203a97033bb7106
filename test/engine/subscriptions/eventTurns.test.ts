import "reflect-metadata";
import { ManualClock, MINUTE_MS } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { ClientBudgets } from "../../../src/access/quotas/clientBudgets.js";
import { GATEWAY, gatewayFor } from "../../../src/datasources/calls/scheduler/requester.js";
import { ExecutionTurns } from "../../../src/engine/execution/executionTurns.js";
import type { EventStream, Turn } from "../../../src/engine/subscriptions/eventStream.js";
import { FanOut, type Membership } from "../../../src/engine/subscriptions/fanOut.js";
import type { Conflation, GroupEvent } from "../../../src/engine/subscriptions/frames.js";
import type { SubscriberSink } from "../../../src/engine/subscriptions/subscriberSink.js";
import { settled, turn } from "../../support/eventually.js";

/** A stream of the newest events that the test pushes, each of which takes a while to execute. */
class Newest implements EventStream {
  readonly initial = 0;
  readonly isPrivate = false;
  readonly pace: Conflation = { mode: "LATEST", everyMs: 0 };
  received = 0;
  #pending: { readonly text: string; readonly missed: number } | undefined;
  #hasEnded = false;
  #wake: () => void = () => undefined;

  constructor(private readonly executed: (text: string) => void) {}

  push(text: string): void {
    this.received++;
    this.#pending = { text, missed: this.#pending === undefined ? 0 : this.#pending.missed + 1 };
    this.#wake();
  }
  async next(mayExecute: Turn): Promise<GroupEvent | undefined> {
    if (this.#pending === undefined && !this.#hasEnded)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    const later = mayExecute();
    if (later !== undefined) await later;
    const pending = this.#pending;
    if (pending === undefined) return undefined;
    this.#pending = undefined;
    this.executed(pending.text);
    return { number: this.received, text: JSON.stringify({ text: pending.text }), notes: "", missed: pending.missed };
  }
  stop(): void {
    this.#hasEnded = true;
    this.#wake();
  }
}

/** Subscriptions of several clients, of which each event takes `eventMs`. */
function setup({ eventMs = 1, eventsPerMinute = 0 } = {}) {
  const clock = new ManualClock(0);
  let now = 0;
  const budgets = new ClientBudgets({ operationsPerMinute: 0, upstreamCallsPerMinute: 0, eventsPerMinute }, clock);
  const fanOut = new FanOut(clock, new ExecutionTurns({ now: () => now }));
  const executed: string[] = [];
  const written: string[] = [];
  const memberships = new Map<string, Membership>();
  const sink: SubscriberSink = {
    isOpen: true,
    unsentBytes: 0,
    backlog: { bytes: 0 },
    write: (frames) => written.push(...[...frames.eventStream.matchAll(/data: (.*)/g)].map(([, payload = ""]) => payload)),
    onceDrained: () => () => undefined,
    cut: () => undefined,
  };
  return {
    clock,
    fanOut,
    executed,
    written,
    async listen(client: string, key: string): Promise<Newest> {
      const stream = new Newest((text) => {
        executed.push(text);
        now += eventMs;
      });
      const spend = budgets.eventsOf(client);
      const requester = gatewayFor({ client, weight: GATEWAY.weight });
      let opened = 0;
      // The state of a later listener is read from a stream of its own.
      const open = async () => (opened++ === 0 ? stream : new Newest(() => undefined));
      const membership = await fanOut.join(key, open, sink, requester, { spend });
      if (!(Symbol.asyncIterator in membership)) throw new Error("it was refused");
      void membership.next();
      memberships.set(client, membership);
      return stream;
    },
    /** The client leaves the subscription that it joined last. */
    leave: (client: string) => memberships.get(client)?.return(),
  };
}

describe("events of many subscriptions", () => {
  it("are executed for a few milliseconds in each turn of the event loop", async () => {
    const { listen, executed } = setup();
    const streams = await Promise.all(Array.from({ length: 100 }, (_, at) => listen("token:a", `ticker ${at}`)));
    await settled();
    for (const stream of streams) stream.push("price");
    const perTurn: number[] = [];
    while (executed.length < streams.length) {
      const before = executed.length;
      await turn();
      perTurn.push(executed.length - before);
    }
    // What begins at once, and what has waited, may each take its time.
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(5);
  });

  it("alternate with those of another client, and merge while they wait", async () => {
    const { listen, executed, written } = setup();
    const streams = await Promise.all(Array.from({ length: 200 }, (_, at) => listen("token:a", `ticker ${at}`)));
    const other = await listen("token:b", "orders");
    await settled();
    for (const price of ["1", "2", "3"]) for (const stream of streams) stream.push(price);
    other.push("order");
    while (!executed.includes("order")) await turn();
    expect(executed.length).toBeLessThanOrEqual(10);
    await settled(400);
    expect(executed.filter((text) => text === "3")).toHaveLength(streams.length);
    expect(executed.filter((text) => text === "1").length).toBeLessThanOrEqual(10);
    expect(written.filter((payload) => payload.includes('"missed":2')).length).toBeGreaterThan(150);
  });
});

describe("a client's quota of events", () => {
  it("merges events beyond it, counts those that were replaced, and sends the newest when there is quota again", async () => {
    const { listen, clock, written } = setup({ eventMs: 0, eventsPerMinute: 60 });
    const stream = await listen("token:a", "ticker");
    for (let at = 1; at <= 100; at++) {
      stream.push(`${at}`);
      await settled(2);
    }
    expect(written).toHaveLength(60);
    clock.advance(1_000);
    await settled();
    expect(written.at(-1)).toBe('{"text":"100","extensions":{"missed":39}}');
    expect(written).toHaveLength(61);
  });

  it("is not another's: its events are sent meanwhile", async () => {
    const { listen, written } = setup({ eventMs: 0, eventsPerMinute: 10 });
    const [greedy, other] = [await listen("token:a", "ticker a"), await listen("token:b", "ticker b")];
    for (let at = 0; at < 50; at++) {
      greedy.push(`${at}`);
      await settled(2);
    }
    other.push("of another");
    await settled(2);
    expect(written.at(-1)).toBe('{"text":"of another"}');
  });

  it("is that of the client that remains when another one leaves", async () => {
    const { listen, leave, clock, written } = setup({ eventMs: 0, eventsPerMinute: 10 });
    const stream = await listen("token:a", "ticker");
    for (let at = 0; at < 10; at++) {
      stream.push(`${at}`);
      await settled(2);
    }
    await listen("token:b", "ticker");
    await leave("token:a");
    for (let at = 10; at < 30; at++) {
      stream.push(`${at}`);
      await settled(2);
    }
    expect(written).toEqual(Array.from({ length: 20 }, (_, at) => `{"text":"${at}"}`));
    clock.advance(MINUTE_MS);
    await settled();
    expect(written.at(-1)).toBe('{"text":"29","extensions":{"missed":9}}');
  });

  it("is asked again for many events at once", async () => {
    const { listen, clock, executed } = setup({ eventMs: 0, eventsPerMinute: 60_000 });
    const streams = await Promise.all(Array.from({ length: 40 }, (_, at) => listen("token:a", `ticker ${at}`)));
    const prices = 60_000 / streams.length;
    for (let price = 0; price < prices; price++) {
      for (const stream of streams) stream.push(`${price}`);
      await settled(1);
    }
    for (const stream of streams) stream.push("last");
    await settled();
    const before = executed.length;
    clock.advance(19);
    await settled();
    expect(executed).toHaveLength(before);
    clock.advance(1);
    await settled();
    expect(executed).toHaveLength(before + 20);
  });

  it("serves its waiting subscriptions in order, and leaves nothing behind", async () => {
    const { listen, clock, executed } = setup({ eventMs: 0, eventsPerMinute: 60 });
    const streams = await Promise.all(Array.from({ length: 90 }, (_, at) => listen("token:a", `ticker ${at}`)));
    for (const [at, stream] of streams.entries()) stream.push(`${at}`);
    await settled(100);
    expect(executed).toHaveLength(60);
    for (let second = 0; second < 30; second++) {
      clock.advance(1_000);
      await settled();
    }
    expect(executed).toEqual(Array.from({ length: 90 }, (_, at) => `${at}`));
    clock.advance(MINUTE_MS);
    expect(clock.idleUntil).toBe(Number.POSITIVE_INFINITY);
  });
});
