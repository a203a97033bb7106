import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { PacedSender } from "../../../../src/datasources/streams/upstream/pacedSender.js";

describe("the paced sender", () => {
  it("keeps under ten messages in every second, however much waits and whenever it came", () => {
    const clock = new ManualClock(0);
    const waiting: string[] = [];
    const sent: number[] = [];
    const sender = new PacedSender(
      clock,
      () => waiting.shift(),
      () => sent.push(clock.now()),
    );
    let asked = 0;
    for (let step = 0; step < 400; step++) {
      if (step % 37 < 9) {
        waiting.push("x", "x");
        asked += 2;
      }
      sender.wake();
      clock.advance(11);
    }
    clock.advance(60_000);
    expect(sent).toHaveLength(asked);
    for (const from of sent) expect(sent.filter((at) => at >= from && at <= from + 1_000).length).toBeLessThanOrEqual(8);
  });

  it("sends at once what comes after a pause", () => {
    const clock = new ManualClock(0);
    const waiting = ["a"];
    const sent: string[] = [];
    const sender = new PacedSender(
      clock,
      () => waiting.shift(),
      (text) => sent.push(text),
    );
    sender.wake();
    expect(sent).toEqual(["a"]);
    clock.advance(10_000);
    waiting.push("b");
    sender.wake();
    expect(sent).toEqual(["a", "b"]);
  });

  it("asks for the next message only when it may be sent, so that what gathers meanwhile travels in it", () => {
    const clock = new ManualClock(0);
    let gathered: string[] = ["a"];
    const sent: string[] = [];
    const next = () => {
      const text = gathered.join("");
      gathered = [];
      return text === "" ? undefined : text;
    };
    const sender = new PacedSender(clock, next, (text) => sent.push(text));
    sender.wake();
    for (const part of ["b", "c", "d"]) {
      gathered.push(part);
      sender.wake();
    }
    clock.advance(1_000);
    expect(sent).toEqual(["a", "bcd"]);
  });

  it("sends nothing, and keeps no timer, once it was stopped", () => {
    const clock = new ManualClock(0);
    const waiting = ["a", "b"];
    const sent: string[] = [];
    const sender = new PacedSender(
      clock,
      () => waiting.shift(),
      (text) => sent.push(text),
    );
    sender.wake();
    sender.stop();
    clock.advance(10_000);
    expect(sent).toEqual(["a"]);
    expect(clock.pending).toBe(0);
  });
});
