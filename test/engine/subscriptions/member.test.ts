import { ManualClock } from "@exchange-graph/contract/clock";
import { beforeEach, describe, expect, it } from "vitest";
import { type Conflation, Frames, type GroupEvent, payloadOf } from "../../../src/engine/subscriptions/frames.js";
import { Member } from "../../../src/engine/subscriptions/member.js";
import type { SubscriberSink } from "../../../src/engine/subscriptions/subscriberSink.js";

/** A connection whose reader reads nothing until `drain` is called. */
class Reader implements SubscriberSink {
  readonly taken: string[] = [];
  isOpen = true;
  unsentBytes = 0;
  readonly backlog = { bytes: 0 };
  wasCut = false;
  readonly #drained = new Set<() => void>();

  write(frames: Frames): void {
    this.taken.push(...frames.eventStream.split("\n\n").flatMap((text) => (text === "" ? [] : [text.replace(/^.*data: /s, "")])));
  }
  onceDrained(task: () => void): () => void {
    this.#drained.add(task);
    return () => this.#drained.delete(task);
  }
  cut(): void {
    this.wasCut = true;
    this.isOpen = false;
  }
  get waiters(): number {
    return this.#drained.size;
  }
  drain(): void {
    this.unsentBytes = 0;
    const tasks = [...this.#drained];
    this.#drained.clear();
    for (const task of tasks) task();
  }
}

let clock: ManualClock;
let reader: Reader;
const counts = { delivered: 0, missed: 0, cut: 0 };
beforeEach(() => {
  clock = new ManualClock(0);
  reader = new Reader();
  Object.assign(counts, { delivered: 0, missed: 0, cut: 0 });
});

const memberOf = (pace: Conflation): Member => new Member(reader, pace, clock, counts);
const ALL: Conflation = { mode: "ALL" };
const LATEST: Conflation = { mode: "LATEST", everyMs: 0 };
const event = (number: number, text = `{"n":${number}}`): GroupEvent => ({ number, text, notes: "", missed: 0 });
const deliver = (member: Member, ...events: readonly GroupEvent[]) =>
  member.deliver(events, new Frames(events.map(payloadOf)), Math.min(...events.map(({ number }) => number)));
const CHOKED = 300 * 1024;

describe("a reader that keeps up", () => {
  it("gets every event at once", () => {
    const member = memberOf(ALL);
    deliver(member, event(1), event(2));
    deliver(member, event(3));
    expect(reader.taken).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    expect(counts).toEqual({ delivered: 3, missed: 0, cut: 0 });
    expect(clock.pending).toBe(0);
  });
});

describe("a slow reader", () => {
  it("with pace ALL receives every event in order after it has caught up", () => {
    const member = memberOf(ALL);
    reader.unsentBytes = CHOKED;
    for (let number = 1; number <= 100; number++) deliver(member, event(number));
    expect(reader.taken).toEqual([]);
    reader.drain();
    expect(reader.taken).toEqual(Array.from({ length: 100 }, (_, at) => `{"n":${at + 1}}`));
    expect(clock.pending).toBe(0);
  });

  it("with pace LATEST gets the newest, with the number of replaced events", () => {
    const member = memberOf(LATEST);
    reader.unsentBytes = CHOKED;
    for (let number = 1; number <= 100_000; number++) deliver(member, event(number));
    reader.drain();
    expect(reader.taken).toEqual(['{"n":100000,"extensions":{"missed":99999}}']);
    expect(counts).toEqual({ delivered: 1, missed: 99_999, cut: 0 });
  });

  it("with pace ALL is closed beyond a thousand queued events", () => {
    const member = memberOf(ALL);
    reader.unsentBytes = CHOKED;
    for (let number = 1; number <= 1_000; number++) deliver(member, event(number));
    expect(reader.wasCut).toBe(false);
    deliver(member, event(1_001));
    expect(reader.wasCut).toBe(true);
    expect(counts.cut).toBe(1);
    expect([reader.waiters, clock.pending]).toEqual([0, 0]);
  });

  it("with pace ALL is closed beyond a queued mebibyte", () => {
    const member = memberOf(ALL);
    reader.unsentBytes = CHOKED;
    for (let number = 1; number <= 3; number++) deliver(member, event(number, JSON.stringify("x".repeat(400_000))));
    expect(reader.wasCut).toBe(true);
  });

  it("never has more than a quarter of a mebibyte and one moment's events unsent", () => {
    const member = memberOf(LATEST);
    const text = JSON.stringify("x".repeat(1_000));
    let most = 0;
    const write = reader.write.bind(reader);
    reader.write = (frames) => {
      write(frames);
      reader.unsentBytes += frames.eventStream.length;
      most = Math.max(most, reader.unsentBytes);
    };
    for (let number = 1; number <= 100_000; number++) {
      deliver(member, event(number, text));
      // The reader reads one byte per second.
      if (number % 100 === 0) reader.unsentBytes--;
    }
    expect(most).toBeGreaterThan(256 * 1024);
    expect(most).toBeLessThan(256 * 1024 + 2_000);
    expect(counts.delivered + counts.missed).toBe(100_000 - 1);
  });

  it("is closed when its subscriptions together have more than 16 MiB queued, and its counts are released", () => {
    const members = Array.from({ length: 25 }, () => memberOf(ALL));
    reader.unsentBytes = CHOKED;
    for (const [index, member] of members.entries()) {
      expect(reader.wasCut).toBe(index * 900_000 > 16 * 1024 * 1024);
      if (!reader.wasCut) deliver(member, event(1, JSON.stringify("x".repeat(900_000))));
    }
    expect(reader.wasCut).toBe(true);
    for (const member of members) member.leave();
    expect([reader.backlog.bytes, reader.waiters, clock.pending]).toEqual([0, 0, 0]);
  });

  it("that reads nothing for 30 s is closed, at any pace", () => {
    const member = memberOf(LATEST);
    reader.unsentBytes = CHOKED;
    deliver(member, event(1));
    clock.advance(29_999);
    expect(reader.wasCut).toBe(false);
    clock.advance(1);
    expect(reader.wasCut).toBe(true);
  });
});

describe("a late listener", () => {
  it("gets the state first, then what the state does not hold", () => {
    const member = memberOf(ALL);
    member.hold();
    deliver(member, event(6), event(7), event(8));
    expect(reader.taken).toEqual([]);
    member.greet([event(0, '{"state":7}')], 7);
    deliver(member, event(9));
    expect(reader.taken).toEqual(['{"state":7}', '{"n":8}', '{"n":9}']);
  });

  it("gets no event that its state already includes, even if it arrives later", () => {
    const member = memberOf(ALL);
    member.hold();
    member.greet([event(0, '{"state":7}')], 7);
    deliver(member, event(6), event(7));
    deliver(member, event(8));
    expect(reader.taken).toEqual(['{"state":7}', '{"n":8}']);
  });

  it("that has left meanwhile receives nothing", () => {
    const member = memberOf(ALL);
    member.hold();
    member.leave();
    member.greet([event(0)], 0);
    deliver(member, event(1));
    expect(reader.taken).toEqual([]);
  });
});
