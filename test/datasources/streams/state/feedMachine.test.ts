import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { transition } from "../../../../src/datasources/streams/state/feedMachine.js";
import {
  type FeedEffect,
  type FeedEvent,
  type FeedFailure,
  type FeedState,
  isOutOfDate,
  isProven,
  NEW_FEED,
  type Wait,
} from "../../../../src/datasources/streams/state/feedState.js";

const CHANNELS = 3;
const PARTS = ["spot", "futures"];
const PASSING: FeedFailure = { isPassing: true, isOfMode: false, isUnreadable: false };

/** A reading under way. */
interface Reading {
  readonly epoch: number;
  readonly round: number;
  readonly parts: readonly string[];
  /** Parts in which something has happened since it began that it may not have seen. */
  readonly blind: Set<string>;
}

/** Runs the machine as a feed would, and knows what the machine must never claim. */
class Harness {
  state: FeedState = NEW_FEED;
  readonly up = new Set<number>();
  readonly readings: Reading[] = [];
  readonly waits = new Set<Wait>();
  isOpen = false;
  isOver = false;
  /** Parts in which all that happened has been read, or pushed. */
  readonly read = new Set<string>();
  ready = 0;
  /** What the last event said. */
  isStale = true;
  #clock = 0;

  constructor() {
    this.happen({ type: "started" });
    this.tellMode();
  }

  happen(event: FeedEvent<string>): void {
    if (this.isOver) return;
    const [next, effects] = transition(this.state, event);
    this.state = next;
    for (const effect of effects) this.#do(effect);
  }

  tellMode(): void {
    if (this.state.mode === undefined)
      this.happen({ type: "modeKnown", mode: "UNIFIED", channels: CHANNELS, parts: PARTS, hasSnapshot: true });
  }

  channelUp(channel: number): void {
    if (!this.isOpen) return;
    this.up.add(channel);
    this.happen({ type: "up", epoch: this.state.epoch, channel });
  }

  channelDown(channel: number): void {
    if (!this.up.delete(channel)) return;
    this.miss();
    this.happen({ type: "down", epoch: this.state.epoch, channel, at: this.#clock++ });
  }

  unreadable(): void {
    this.miss();
    this.happen({ type: "unreadable", epoch: this.state.epoch, at: this.#clock++ });
  }

  changedElsewhere(parts: readonly string[] = PARTS): void {
    this.miss(parts);
    this.happen({ type: "changedElsewhere", parts });
  }

  compare(part: string): void {
    this.happen({ type: "compare", parts: [part] });
  }

  /** What is under way may have missed what has just happened, and so has whatever was read before. */
  miss(parts: readonly string[] = PARTS): void {
    for (const part of parts) {
      this.read.delete(part);
      for (const { blind } of this.readings) blind.add(part);
    }
  }

  answer(at: number, isWhole = true): void {
    const [reading] = this.readings.splice(at % Math.max(1, this.readings.length), 1);
    if (reading === undefined) return;
    const { epoch, round, parts, blind } = reading;
    if (epoch === this.state.epoch && isWhole) for (const part of parts) if (!blind.has(part)) this.read.add(part);
    this.happen({ type: "read", epoch, round, parts, change: "read", isWhole });
  }

  fail(at: number): void {
    const [reading] = this.readings.splice(at % Math.max(1, this.readings.length), 1);
    if (reading === undefined) return;
    const { epoch, round, parts } = reading;
    this.happen({ type: "readFailed", epoch, round, parts, failure: PASSING });
  }

  due(wait: Wait): void {
    if (this.waits.delete(wait)) this.happen({ type: "due", wait, at: this.#clock++ });
  }

  #do(effect: FeedEffect<string>): void {
    switch (effect.type) {
      case "open":
        this.isOpen = true;
        return;
      case "close":
        this.isOpen = false;
        this.up.clear();
        this.miss();
        return;
      case "read":
        this.readings.push({ epoch: effect.epoch, round: effect.round, parts: effect.parts, blind: new Set() });
        return;
      case "wait":
        this.waits.add(effect.wait);
        return;
      case "cancel":
        this.waits.delete(effect.wait);
        return;
      case "ready":
        this.ready++;
        return;
      case "emit":
      case "emitUnchanged":
      case "emitAll":
        this.isStale = effect.stale;
        // What says that it is not stale is not.
        if (!effect.stale) expect(this.up.size).toBe(CHANNELS);
        return;
      case "fail":
        this.isOver = true;
        return;
      case "askMode":
      case "lookAtMode":
      case "forgetMode":
    }
  }
}

const anyChannel = fc.nat(CHANNELS - 1);
const anyEvent = fc.oneof(
  fc.record({ what: fc.constant("up" as const), at: anyChannel }),
  fc.record({ what: fc.constant("down" as const), at: anyChannel }),
  fc.record({ what: fc.constant("unreadable" as const), at: fc.constant(0) }),
  fc.record({ what: fc.constant("changedElsewhere" as const), at: fc.nat(2) }),
  fc.record({ what: fc.constant("compare" as const), at: fc.nat(1) }),
  fc.record({ what: fc.constant("whole" as const), at: fc.nat(3) }),
  fc.record({ what: fc.constant("partly" as const), at: fc.nat(3) }),
  fc.record({ what: fc.constant("fail" as const), at: fc.nat(3) }),
  fc.record({ what: fc.constant("pushed" as const), at: fc.constant(0) }),
  fc.record({ what: fc.constant("moved" as const), at: fc.constant(0) }),
  fc.record({ what: fc.constant("reading" as const), at: fc.constant(0) }),
  fc.record({ what: fc.constant("mode" as const), at: fc.constant(0) }),
);

const act = (harness: Harness, { what, at }: { readonly what: string; readonly at: number }): void => {
  const { epoch } = harness.state;
  if (what === "up") harness.channelUp(at);
  else if (what === "down") harness.channelDown(at);
  else if (what === "unreadable") harness.unreadable();
  else if (what === "changedElsewhere") harness.changedElsewhere(at === 2 ? PARTS : PARTS.slice(at, at + 1));
  else if (what === "compare") harness.compare(PARTS[at] ?? "");
  else if (what === "whole") harness.answer(at);
  else if (what === "partly") harness.answer(at, false);
  else if (what === "fail") harness.fail(at);
  else if (what === "pushed") harness.happen({ type: "pushed", epoch, change: "push" });
  else if (what === "moved") harness.happen({ type: "modeSeen", epoch, mode: "CLASSIC", at: 0 });
  else if (what === "reading") harness.due("reading");
  else harness.tellMode();
};

/** A feed whose channels are up and whose first reading was answered. */
function answered(): Harness {
  const harness = new Harness();
  for (let channel = 0; channel < CHANNELS; channel++) harness.channelUp(channel);
  harness.answer(0);
  return harness;
}

describe("the state machine of a private feed", () => {
  it("never counts as proven while a channel is down, or before what has changed was read", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        const harness = new Harness();
        for (const event of events) {
          act(harness, event);
          for (const part of PARTS)
            if (isProven(harness.state, part)) expect([harness.up.size, harness.read.has(part)]).toEqual([CHANNELS, true]);
          expect(isProven(harness.state)).toBe(PARTS.every((part) => isProven(harness.state, part)));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("becomes proven after any events, once the channels are up and answers come", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        const harness = new Harness();
        for (const event of events) act(harness, event);
        harness.tellMode();
        for (let channel = 0; channel < CHANNELS; channel++) harness.channelUp(channel);
        for (let round = 0; round < 10 && !isProven(harness.state); round++) {
          while (harness.readings.length > 0) harness.answer(0);
          harness.due("reading");
        }
        expect(isProven(harness.state)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("tells its listeners at once when what they have becomes out of date, and when it no longer is", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        const harness = answered();
        for (const event of events) {
          act(harness, event);
          if (!harness.isOver) expect(harness.isStale).toBe(isOutOfDate(harness.state));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("is out of date after two readings of a change have failed in a row, until one succeeds", () => {
    const harness = answered();
    harness.changedElsewhere(["spot"]);
    harness.due("reading");
    harness.fail(0);
    expect(harness.isStale).toBe(false);
    harness.due("reading");
    harness.fail(0);
    expect(harness.isStale).toBe(true);
    harness.happen({ type: "pushed", epoch: harness.state.epoch, change: "push" });
    expect(harness.isStale).toBe(true);
    harness.due("reading");
    expect(harness.readings.map(({ parts }) => parts)).toEqual([["spot"]]);
    harness.answer(0);
    expect(harness.isStale).toBe(false);
  });

  it("asks for one reading, however much has changed elsewhere meanwhile", () => {
    const harness = answered();
    expect(isProven(harness.state)).toBe(true);
    for (let change = 0; change < 50; change++) harness.changedElsewhere();
    expect([harness.readings.length, isProven(harness.state)]).toEqual([0, false]);
    harness.due("reading");
    harness.changedElsewhere();
    harness.answer(0);
    expect(isProven(harness.state)).toBe(false);
    harness.due("reading");
    harness.answer(0);
    expect(isProven(harness.state)).toBe(true);
  });

  it("reads only the parts that have changed, and the others stay proven", () => {
    const harness = answered();
    harness.changedElsewhere(["spot"]);
    expect([isProven(harness.state, "spot"), isProven(harness.state, "futures")]).toEqual([false, true]);
    harness.due("reading");
    expect(harness.readings.map(({ parts }) => parts)).toEqual([["spot"]]);
    harness.answer(0);
    expect(isProven(harness.state)).toBe(true);
  });

  it("stays proven while a part is compared, and when that fails", () => {
    const harness = answered();
    harness.compare("futures");
    expect([harness.readings.length, isProven(harness.state)]).toEqual([1, true]);
    harness.fail(0);
    expect([isProven(harness.state), harness.waits.has("reading")]).toEqual([true, false]);
  });

  it("listens to nothing of the time before the account changed its mode", () => {
    const harness = new Harness();
    for (let channel = 0; channel < CHANNELS; channel++) harness.channelUp(channel);
    harness.happen({ type: "modeSeen", epoch: 0, mode: "CLASSIC", at: 0 });
    const { state } = harness;
    harness.happen({ type: "read", epoch: 0, round: 1, parts: PARTS, change: "read", isWhole: true });
    harness.happen({ type: "pushed", epoch: 0, change: "push" });
    expect(harness.state).toBe(state);
  });
});
