import { describe, expect, it } from "vitest";
import { TurnQueue, Turns } from "../../../apps/desk/src/panels/chart/turns.js";

/** Turns, with a screen that is drawn by hand. */
function drawnByHand() {
  const planned: (() => void)[] = [];
  const taken: string[] = [];
  const queue = new TurnQueue((task) => planned.push(task));
  return {
    queue,
    turns: new Turns(queue),
    taken,
    step: (name: string) => () => taken.push(name),
    draw: () => {
      for (const task of planned.splice(0)) task();
    },
  };
}

describe("the steps of a chart", () => {
  it("are taken at once while nothing waits to be drawn", () => {
    const { turns, taken, step } = drawnByHand();
    turns.next(step("candles"));
    expect(taken).toEqual(["candles"]);
  });

  it("are taken one after each drawing, in their order, and at once after the last", () => {
    const { turns, taken, step, draw } = drawnByHand();
    turns.pause();
    turns.next(step("candles"));
    turns.pause();
    turns.next(step("axis"));
    expect(taken).toEqual([]);
    draw();
    expect(taken).toEqual(["candles"]);
    draw();
    expect(taken).toEqual(["candles", "axis"]);
    turns.next(step("a price"));
    expect(taken).toEqual(["candles", "axis"]);
    draw();
    draw();
    turns.next(step("the next price"));
    expect(taken).toEqual(["candles", "axis", "a price", "the next price"]);
  });

  it("come in a later turn if a step asks for them", () => {
    const { turns, taken, step, draw } = drawnByHand();
    turns.pause();
    turns.next(() => {
      step("candles")();
      turns.next(step("volumes"));
    });
    draw();
    expect(taken).toEqual(["candles"]);
    draw();
    expect(taken).toEqual(["candles", "volumes"]);
  });

  it("are taken in turn with those of another chart", () => {
    const { queue, turns, taken, step, draw } = drawnByHand();
    const others = new Turns(queue);
    const removed = new Turns(queue);
    turns.pause();
    removed.next(step("never"));
    turns.next(step("candles"));
    others.pause();
    others.next(step("bars"));
    removed.end();
    draw();
    expect(taken).toEqual(["candles"]);
    draw();
    expect(taken).toEqual(["candles", "bars"]);
  });

  it("are forgotten when the chart is removed", () => {
    const { turns, taken, step, draw } = drawnByHand();
    turns.pause();
    turns.next(step("candles"));
    turns.end();
    draw();
    expect(taken).toEqual([]);
  });
});
