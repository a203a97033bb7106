import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import type { Priority } from "../../../../src/datasources/calls/scheduler/waitingLine.js";
import { IdentifyingLine } from "../../../../src/datasources/reads/identity/users.js";
import { settled } from "../../../support/eventually.js";

/** A line whose calls are answered after `answerMs`, and when each was sent, ms. */
function line(answerMs: number) {
  const clock = new ManualClock(0);
  const tested = new IdentifyingLine(clock);
  const refusals: unknown[] = [];
  const sent: (readonly [string, number])[] = [];
  const ask = (key: string, priority: Priority = "read"): void => {
    const call = async (): Promise<void> => {
      sent.push([key, clock.now()]);
      await new Promise<void>((answered) => clock.after(answerMs, answered));
      if (key === "refused") throw new Error("refused");
    };
    tested.inTurn(key, priority, call).catch((error: unknown) => refusals.push(error));
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 5) {
      await settled(1);
      clock.advance(5);
    }
    await settled(1);
  };
  return { tested, sent, refusals, ask, pass };
}

describe("calls for keys whose users are not known", () => {
  it("are sent one after the other, each a second after the answer before", async () => {
    const { sent, refusals, ask, pass } = line(100);
    for (const key of ["a", "refused", "c"]) ask(key);
    await pass(5_000);
    expect(refusals).toEqual([new Error("refused")]);
    expect(sent).toEqual([
      ["a", 0],
      ["refused", 1_105],
      ["c", 2_210],
    ]);
    ask("d");
    await pass(5);
    expect(sent.at(-1)).toEqual(["d", 5_000]);
  });

  it("are sent by their priority, also one that has become urgent while it waits", async () => {
    const { tested, sent, ask, pass } = line(0);
    ask("first", "refresh");
    ask("background", "refresh");
    ask("read", "read");
    ask("later a write", "refresh");
    ask("halted", "cancel");
    tested.hurry("later a write", "write");
    tested.hurry("halted", "refresh");
    await pass(6_000);
    expect(sent.map(([key]) => key)).toEqual(["first", "halted", "later a write", "read", "background"]);
  });

  it("wait two seconds for one without an answer", async () => {
    const { sent, ask, pass } = line(60_000);
    for (const key of ["a", "b", "c"]) ask(key);
    await pass(5_000);
    expect(sent).toEqual([
      ["a", 0],
      ["b", 2_000],
      ["c", 4_000],
    ]);
  });

  it("do not wait where five others do", async () => {
    const { sent, ask, pass } = line(100);
    for (const key of ["a", "b", "c", "d", "e", "f", "at once", "too"]) ask(key);
    await pass(5);
    expect(sent.map(([key]) => key)).toEqual(["a", "at once", "too"]);
    await pass(6_000);
    expect(sent.map(([key]) => key)).toEqual(["a", "at once", "too", "b", "c", "d", "e", "f"]);
  });
});
